// reduce_window: combines the elements of each window with any associative Program, several arrays at once.
// The initial values must not change what they are combined with. The derivative, for forward mode, combines
// values and tangents.
#include "ops/combiner.h"
#include "ops/window.h"

namespace baton {
namespace ops {
extern const Primitive reduce_window;
namespace {
struct ReduceWindow : Windows {
  Program combiner;  // (left..., right...) -> (result...)
  void fields(FieldVisitor& v) {
    Windows::fields(v);
    baton::detail::visit_field(v, "combiner", combiner);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<ReduceWindow>();
  if (in.empty() || in.size() % 2 != 0)
    type_error("reduce_window", "as many operands as initial values are required, found " +
                                    std::to_string(in.size()) + " arrays in all.");
  const std::size_t n = in.size() / 2;
  Types out;
  for (std::size_t i = 0; i < n; ++i) {
    if (in[i].shape != in[0].shape)
      type_error("reduce_window",
                 "operands must have one shape, found " + show(in[0]) + " and " + show(in[i]) + ".");
    if (in[n + i] != Type{in[i].dtype, {}})
      type_error("reduce_window", "initial value " + std::to_string(i) +
                                      " must be a scalar of the operand's dtype, " +
                                      show(Type{in[i].dtype, {}}) + ", found " + show(in[n + i]) + ".");
    out.push_back({in[i].dtype, window_shape("reduce_window", in[i], p)});
  }
  const auto dtypes = dtypes_of(in.first(n));
  require_scalar_program("reduce_window", "the combiner", p.combiner, twice(dtypes), dtypes);
  return out;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<ReduceWindow>();
  const std::size_t n = out.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < out[i].type->size(); ++k) copy_element(out[i], k, in[n + i], 0);
  ScalarProgram combiner(p.combiner, evaluator);
  for_each_in_window(in[0].shape(), out[0].shape(), p, [&](std::int64_t window, std::int64_t element) {
    combiner.fold(out, window, in, element);
  });
}
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& transformer) {
  const auto& p = params.as<ReduceWindow>();
  const std::size_t n = primals.size() / 2;
  for (std::size_t i = 0; i < n; ++i)
    if (!is_inexact(primals[i].dtype()))
      type_error("reduce_window", "to be differentiated all operands must be floating or complex, found " +
                                      show(primals[i].type()) +
                                      ".\n  Use reduce_window_max or _min to choose.");
  Arrays operands;
  for (std::size_t from : {std::size_t{0}, n}) {
    for (std::size_t i = from; i < from + n; ++i) operands.push_back(primals[i]);
    for (std::size_t i = from; i < from + n; ++i)
      operands.push_back(tangents[i].empty() ? zeros_like(primals[i]) : tangents[i]);
  }
  // The results are bound apart: those of the joint equation would depend on the tangents.
  const Arrays outs = bind(reduce_window, primals, params, {});
  const Arrays both =
      bind(reduce_window, operands, ReduceWindow{p, jvp_of_combiner(p.combiner, transformer)}, {});
  return {outs, Arrays(both.begin() + static_cast<std::ptrdiff_t>(n), both.end())};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<ReduceWindow>();
  const std::size_t n = in.size() / 2;
  for (std::size_t i = 0; i < n; ++i)
    if (in[n + i].axis >= 0)
      return batch_by_lanes(axis, in,
                            [&](const Arrays& lane) { return bind(reduce_window, lane, params, {}); });
  Arrays operands;
  for (std::size_t i = 0; i < n; ++i) operands.push_back(with_batch(in[i], axis));
  for (std::size_t i = 0; i < n; ++i) operands.push_back(in[n + i].value);
  std::vector<Batched> out;
  for (const Array& a : bind(reduce_window, operands, ReduceWindow{with_front(p), p.combiner}, {}))
    out.push_back({a, 0});
  return out;
}
std::vector<Example> examples() {
  const Type x{f32, {}}, k{s32, {}};
  const Program product = scalar_program(*find_primitive("mul"), f32);
  const Program largest = make_program("largest", {x, k, x, k}, [](const Arrays& in) -> Arrays {
    const Array better = lax::gt(in[2], in[0]);
    return {lax::select(better, in[2], in[0]), lax::select(better, in[3], in[1])};
  });
  const Windows row{{1, 3}, {1, 2}, {0, 1}, {0, 1}, {1, 1}, {1, 1}};
  const Windows wide{{2, 2}, {1, 1}, {0, 1}, {1, -1}, {2, 1}, {1, 2}};
  return {{.inputs = {{f32, {2, 5}}, x},
           .params = ReduceWindow{row, product},
           .values = {{}, {1}},
           .reverse = false},
          {.inputs = {{f32, {3, 5}}, x},
           .params = ReduceWindow{wide, product},
           .note = "dilated",
           .values = {{}, {1}},
           .reverse = false},
          {.inputs = {{f32, {2, 5}}, {s32, {2, 5}}, x, k},
           .params = ReduceWindow{row, largest},
           .order = 0,
           .note = "two operands",
           .values = {{}, {}, {-9}, {-1}},
           .distinct = true}};
}
}  // namespace
const Primitive reduce_window = {.name = "reduce_window",
                                 .params = ReduceWindow{},
                                 .type = type,
                                 .evaluate = evaluate,
                                 .jvp_whole = jvp_whole,
                                 .batch = batch,
                                 .program_examples = examples};
}  // namespace ops
Arrays lax::reduce_window(Operands operands, Operands inits, const Program& combiner, const Window& window) {
  const Frame frame(operands.where());
  Arrays all = operands.arrays();
  const int rank = all.empty() || all[0].empty() ? 0 : all[0].rank();
  all.insert(all.end(), inits.arrays().begin(), inits.arrays().end());
  return bind(ops::reduce_window, all,
              ops::ReduceWindow{ops::windows_of("reduce_window", window, rank), combiner}, operands.where());
}
}  // namespace baton
