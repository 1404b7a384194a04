// host_function: a call of C++ code with values.
// The first operand is the function: a u64[] whose one element is the address of a HostCallable that the
// array's memory owns. So a function is an argument like any other, and no part of a Program's content.
#include "baton/host_function.h"

#include <cstdio>

#include "ops/loops.h"

namespace baton {

enum class HostEffect { pure, io, print };
inline constexpr std::string_view host_effect_names[] = {"pure", "io", "print"};
template <>
inline constexpr std::span<const std::string_view> enum_names<HostEffect> = host_effect_names;

namespace ops {
extern const Primitive host_function;
namespace {

struct HostFunction {
  std::string name;
  HostEffect kind = HostEffect::pure;
  Program results;  // an empty Program but for its inputs, which have the types of the results
  BATON_FIELDS(name, kind, results)
};

Program signature(const Types& results) {
  return make_program("results", results, [](const Arrays&) { return Arrays{}; });
}

Types type(std::span<const Type> in, const Params& params) {
  if (in.empty() || in[0] != Type{u64, {}})
    type_error("host_function", "the first operand must be the function.");
  return params.as<HostFunction>().results.inputs();
}

Effects effects(const Params& params) {
  const HostEffect kind = params.as<HostFunction>().kind;
  return kind == HostEffect::pure ? Effects::none : kind == HostEffect::io ? Effects::io : Effects::print;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  auto* f = reinterpret_cast<core::HostCallable*>(static_cast<std::uintptr_t>(in[0].as<std::uint64_t>()[0]));
  std::vector<HostArray> operands, results;
  for (const View& v : in.subspan(1)) operands.emplace_back(*v.type, v.data);
  for (const View& v : out) results.emplace_back(*v.type, v.data);
  f->call(operands, results);
}

std::string who(const HostFunction& p) {
  return p.name.empty() ? "host_function" : "host_function `" + p.name + "`";
}

Arrays jvp(const Arrays&, const Arrays& outs, const Arrays&, const Params& params) {
  const auto& p = params.as<HostFunction>();
  if (p.kind == HostEffect::print) return Arrays(outs.size());
  type_error(who(p),
             "C++ code has no derivative.\n  Give the function around it a rule with custom_vjp or "
             "custom_jvp, or put "
             "stop_gradient around its operands.");
}

std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<HostFunction>();
  if (p.kind == HostEffect::io)
    type_error(
        who(p),
        "code with effects runs once for each call, so vmap cannot repeat it over lanes.\n  Call it outside "
        "the vmapped function, or declare it HostKind::pure.");
  // Lane by lane, in order.
  Arrays shared, lanes;
  for (const Batched& b : in) (b.axis < 0 ? shared : lanes).push_back(batch_to_front(b));
  Types types = types_of(shared);
  for (const Array& a : lanes) types.push_back({a.dtype(), Shape(a.shape().begin() + 1, a.shape().end())});
  const Program body = make_program("lane", types, [&](const Arrays& all) {
    Arrays operands;
    std::size_t s = 0, l = shared.size();
    for (const Batched& b : in) operands.push_back(b.axis < 0 ? all[s++] : all[l++]);
    return bind(host_function, operands, params, {});
  });
  std::vector<Batched> result;
  for (const Array& a : lax::scan(body, shared, {}, lanes, {.length = axis.size})) result.push_back({a, 0});
  return result;
}
}  // namespace

extern const Primitive host_function = {.name = "host_function",
                                        .params = HostFunction{},
                                        .effects = effects,
                                        .type = type,
                                        .evaluate = evaluate,
                                        .jvp = jvp,
                                        .batch = batch};
}  // namespace ops

void HostArray::require(Dtype dtype) const {
  if (type_->dtype != dtype)
    throw UsageError("HostArray::as: the array is " + show(*type_) + ", found a request for " +
                     std::string(name_of(dtype)) + ".");
}

namespace core {
namespace {

Arrays bind_host(HostCallable* owned, const Types& results, const Operands& operands, const std::string& name,
                 HostEffect kind) {
  struct Handle {
    std::uint64_t address;
    HostCallable* callable;
  };
  auto* handle = new Handle{static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(owned)), owned};
  Arrays in = {Array::adopt({u64, {}}, handle, [](void* data, void*) {
    auto* h = static_cast<Handle*>(data);
    delete h->callable;
    delete h;
  })};
  ops::append(in, operands.arrays());
  const Frame frame(operands.where());
  return bind(ops::host_function, in, ops::HostFunction{name, kind, ops::signature(results)},
              operands.where());
}

}  // namespace

Arrays host_function(HostCallable* owned, const Types& results, const Operands& operands,
                     const HostOptions& o) {
  return bind_host(owned, results, operands, o.name,
                   o.kind == HostKind::io ? HostEffect::io : HostEffect::pure);
}

}  // namespace core

Array host_print(Operand x, std::string label) {
  struct Print final : core::HostCallable {
    explicit Print(std::string l) : label(std::move(l)) {}
    void call(std::span<const HostArray> in, std::span<const HostArray>) override {
      const HostArray& a = in[0];
      const std::size_t first = 0;
      const void* data =
          with_type(a.type().dtype, [&]<class T>(Tag<T>) -> const void* { return a.as<T>().data() + first; });
      std::printf("%s: %s\n", label.c_str(), show(Array::borrow(a.type(), data)).c_str());
    }
    std::string label;
  };
  const Array a = x.array();
  core::bind_host(new Print(std::move(label)), {}, Operands(Arrays{a}, x.where()), "print",
                  HostEffect::print);
  return a;
}
}  // namespace baton
