// reduce: combines the elements over some axes with any associative Program, several arrays at once. The
// initial values must not change what they are combined with. The derivative combines values and tangents in
// a tree of halves.
#include "ops/combiner.h"
#include "ops/reduction.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<Reduce>();
  if (in.empty() || in.size() % 2 != 0)
    type_error("reduce", "as many operands as initial values are required, found " +
                             std::to_string(in.size()) + " arrays in all.");
  const std::size_t n = in.size() / 2;
  require_axes("reduce", in[0], p.axes);
  Types out;
  for (std::size_t i = 0; i < n; ++i) {
    if (in[i].shape != in[0].shape)
      type_error("reduce",
                 "operands must have one shape, found " + show(in[0]) + " and " + show(in[i]) + ".");
    if (in[n + i] != Type{in[i].dtype, {}})
      type_error("reduce", "initial value " + std::to_string(i) +
                               " must be a scalar of the operand's dtype, " + show(Type{in[i].dtype, {}}) +
                               ", found " + show(in[n + i]) + ".");
    out.push_back({in[i].dtype, without_axes(in[i].shape, p.axes)});
  }
  const auto dtypes = dtypes_of(in.first(n));
  require_scalar_program("reduce", "the combiner", p.combiner, twice(dtypes), dtypes);
  return out;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<Reduce>();
  const std::size_t n = out.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < out[i].type->size(); ++k) copy_element(out[i], k, in[n + i], 0);
  ScalarProgram combiner(p.combiner, evaluator);
  const auto strides = reduced_strides(in[0].shape(), p.axes);
  std::int64_t from = 0;
  for (Counter c(in[0].shape()); !c.done(); c.next(), ++from)
    combiner.fold(out, offset_of(c.index(), strides), in, from);
}
/// The tree of halves over axis 0 of (left..., right...) -> (result...), element by element.
Arrays tree(Arrays values, const Program& combiner, Transformer& transformer) {
  auto part = [](const Arrays& a, std::int64_t from, std::int64_t to) {
    Arrays parts;
    for (const Array& x : a) parts.push_back(lax::slice_in_dim(x, from, to));
    return parts;
  };
  std::int64_t n = values[0].dim(0);
  Shape rest = values[0].shape();
  rest.erase(rest.begin());
  while (n > 1) {
    const std::int64_t half = n / 2;
    Shape shape = rest;
    shape.insert(shape.begin(), half);
    const std::int64_t lanes = Type{f32, shape}.size();
    Arrays operands = part(values, 0, half), right = part(values, half, 2 * half);
    operands.insert(operands.end(), right.begin(), right.end());
    for (Array& a : operands) a = lax::reshape(a, {lanes});
    const BatchProgram all =
        transformer.batch(combiner, {lanes, ""}, Mask(operands.size(), true), Mask(values.size(), true));
    Arrays combined = baton::splice(all.program, operands);
    for (std::size_t i = 0; i < values.size(); ++i) {
      combined[i] = lax::reshape(combined[i], shape);
      if (n % 2 == 1)
        combined[i] = lax::concatenate({combined[i], lax::slice_in_dim(values[i], n - 1, n)}, 0);
    }
    values = combined;
    n = half + n % 2;
  }
  return values;
}
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& transformer) {
  const auto& p = params.as<Reduce>();
  const std::size_t n = primals.size() / 2;
  const Arrays outs = bind(reduce, primals, params, {});
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_inexact(primals[i].dtype()))
      type_error("reduce", "to be differentiated all operands must be floating or complex, found " +
                               show(primals[i].type()) +
                               ".\n  Use argmax, sort or reduce_max to choose by index.");
    if (!tangents[n + i].empty())
      type_error("reduce",
                 "initial values cannot be differentiated.\n  Combine them with the result instead.");
  }
  Arrays pairs;
  for (std::size_t i = 0; i < n; ++i) pairs.push_back(flatten_axes(primals[i], p.axes));
  for (std::size_t i = 0; i < n; ++i)
    pairs.push_back(flatten_axes(tangents[i].empty() ? zeros_like(primals[i]) : tangents[i], p.axes));
  if (pairs[0].dim(0) == 0) return {outs, Arrays(n)};
  const Arrays tops = tree(pairs, jvp_of_combiner(p.combiner, transformer), transformer);
  Arrays result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(lax::reshape(tops[n + i], outs[i].shape()));
  return {outs, result};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const std::size_t n = in.size() / 2;
  for (std::size_t i = 0; i < n; ++i)
    if (in[n + i].axis >= 0)
      return batch_by_lanes(axis, in, [&](const Arrays& lane) { return bind(reduce, lane, params, {}); });
  Reduce p = params.as<Reduce>();
  for (std::int64_t& a : p.axes) ++a;
  Arrays operands;
  for (std::size_t i = 0; i < n; ++i) operands.push_back(with_batch(in[i], axis));
  for (std::size_t i = 0; i < n; ++i) operands.push_back(in[n + i].value);
  std::vector<Batched> out;
  for (const Array& a : bind(reduce, operands, p, {})) out.push_back({a, 0});
  return out;
}
std::vector<Example> examples() {
  const Type x{f32, {}}, k{s32, {}};
  const Program product = scalar_program(*find_primitive("mul"), f32);
  const Program both = make_program("both", {x, x, x, x}, [](const Arrays& in) -> Arrays {
    return {lax::add(in[0], in[2]), lax::add(lax::mul(in[1], in[3]), lax::mul(in[0], in[2]))};
  });
  const Program largest = make_program("largest", {x, k, x, k}, [](const Arrays& in) -> Arrays {
    const Array better = lax::gt(in[2], in[0]);
    return {lax::select(better, in[2], in[0]), lax::select(better, in[3], in[1])};
  });
  return {
      {.inputs = {{f32, {2, 3, 4}}, x}, .params = Reduce{{1}, product}, .values = {{}, {1}}, .fixed = {1}},
      {.inputs = {{f32, {2, 5}}, x},
       .params = Reduce{{0, 1}, product},
       .note = "an odd number of steps",
       .values = {{}, {1}},
       .fixed = {1}},
      {.inputs = {{f32, {0, 2}}, x},
       .params = Reduce{{0}, product},
       .note = "no elements",
       .values = {{}, {1}},
       .fixed = {1}},
      {.inputs = {{f32, {3, 4}}, {f32, {3, 4}}, x, x},
       .params = Reduce{{1}, both},
       .order = 0,
       .note = "two operands"},
      {.inputs = {{f32, {3, 4}}, {s32, {3, 4}}, x, k},
       .params = Reduce{{0}, largest},
       .order = 0,
       .distinct = true}};
}
}  // namespace
extern const Primitive reduce = {.name = "reduce",
                                 .params = Reduce{},
                                 .type = type,
                                 .evaluate = evaluate,
                                 .jvp_whole = jvp_whole,
                                 .batch = batch,
                                 .program_examples = examples};
}  // namespace ops
Arrays lax::reduce(Operands operands, Operands inits, const Program& combiner,
                   const std::vector<std::int64_t>& axes) {
  Arrays all = operands.arrays();
  all.insert(all.end(), inits.arrays().begin(), inits.arrays().end());
  return bind(ops::reduce, all, ops::Reduce{axes, combiner}, operands.where());
}
}  // namespace baton
