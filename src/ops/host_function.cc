// host_function: a call of C++ code with values.
// The first operand is the function: a u64[] whose one element is the number of a HostCallable that lives as
// long as the array's memory. So a function is an argument like any other, and no part of a Program's
// content. Numbers are looked up and never given twice: any other u64 is refused.
#include "baton/host_function.h"

#include <cstdio>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "ops/combiner.h"
#include "ops/loops.h"

namespace baton {

enum class HostEffect { pure, io, print };
inline constexpr std::string_view host_effect_names[] = {"pure", "io", "print"};
template <>
inline constexpr std::span<const std::string_view> enum_names<HostEffect> = host_effect_names;

namespace ops {
extern const Primitive host_function;
namespace {

/// The functions that arrays own, by number. A call holds its function, whoever frees the array meanwhile.
class Live {
 public:
  static Live& instance() {
    static auto* live = new Live;  // arrays may die after static objects do
    return *live;
  }
  std::uint64_t add(core::HostCallable* owned) {
    std::shared_ptr<core::HostCallable> f(owned);
    const std::lock_guard lock(mutex_);
    functions_.emplace(++last_, std::move(f));
    return last_;
  }
  std::shared_ptr<core::HostCallable> find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(number);
    return found == functions_.end() ? nullptr : found->second;
  }
  void remove(std::uint64_t number) {
    std::shared_ptr<core::HostCallable> f;  // the user's code that it destroys runs without the lock
    const std::lock_guard lock(mutex_);
    if (const auto found = functions_.find(number); found != functions_.end()) {
      f = std::move(found->second);
      functions_.erase(found);
    }
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<core::HostCallable>> functions_;
  std::uint64_t last_ = std::uint64_t{0x6261746f} << 32;  // no number that other arithmetic would give
};

struct HostFunction {
  std::string name;
  HostEffect kind = HostEffect::pure;
  Program results;  // an empty Program but for its inputs, which have the types of the results
  BATON_FIELDS(name, kind, results)
};

std::string who(const HostFunction& p) {
  return p.name.empty() ? "host_function" : "host_function `" + p.name + "`";
}

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

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const std::uint64_t number = in[0].as<std::uint64_t>()[0];
  const auto f = Live::instance().find(number);
  if (!f)
    type_error(who(params.as<HostFunction>()),
               "the first operand must be a function that is alive, found the number " +
                   std::to_string(number) +
                   ".\n  Only the array that host_function made holds one; a copy of its number does not.");
  std::vector<HostArray> operands, results;
  for (const View& v : in.subspan(1)) operands.emplace_back(*v.type, v.data);
  for (const View& v : out) results.emplace_back(*v.type, v.data);
  f->call(operands, results);
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
  return batch_by_lanes(axis, in, [&](const Arrays& lane) { return bind(host_function, lane, params, {}); });
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
    std::uint64_t element;  // the array's: may be written over once the array is donated
    std::uint64_t number;
  };
  const std::uint64_t number = ops::Live::instance().add(owned);
  Arrays in = {Array::adopt({u64, {}}, new Handle{number, number}, [](void* data, void*) {
    auto* h = static_cast<Handle*>(data);
    ops::Live::instance().remove(h->number);
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
