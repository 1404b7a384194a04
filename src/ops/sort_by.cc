// sort_by: sorts lanes along an axis by any comparator, a Program (a0, b0, a1, b1, ...) -> whether a comes
// before b. Its derivative permutes.
#include "ops/combiner.h"
#include "ops/order.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<SortBy>();
  const Types out = sort_type("sort_by", in, p.dimension);
  std::vector<Dtype> pairs;
  for (const Type& t : in) pairs.insert(pairs.end(), 2, t.dtype);
  require_scalar_program("sort_by", "the comparator", p.comparator, pairs, {boolean});
  return out;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<SortBy>();
  ScalarProgram comparator(p.comparator, evaluator);
  sort_lanes(in, out, p.dimension, [&](std::int64_t i, std::int64_t j) {
    for (std::size_t k = 0; k < in.size(); ++k) {
      copy_element(comparator.in(2 * k), 0, in[k], i);
      copy_element(comparator.in(2 * k + 1), 0, in[k], j);
    }
    comparator.run();
    return comparator.out(0).as<bool>()[0];
  });
}
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer&) {
  SortBy p = params.as<SortBy>();
  Types inputs = p.comparator.inputs();
  inputs.insert(inputs.end(), 2, {s32, {}});
  const Program comparator = p.comparator;
  p.comparator = make_program("comparator", inputs, [&](const Arrays& in) {
    return baton::splice(comparator, Arrays(in.begin(), in.end() - 2));  // the positions only follow
  });
  return sort_jvp(primals, tangents, p.dimension,
                  [&](const Arrays& operands) { return bind(sort_by, operands, p, {}); });
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  SortBy p = params.as<SortBy>();
  ++p.dimension;
  return batch_at_front(sort_by, axis, in, p);
}
std::vector<Example> examples() {
  const Type x{f32, {}}, k{s32, {}};
  const Program falling =
      make_program("falling", {x, x}, [](const Arrays& in) -> Arrays { return {lax::gt(in[0], in[1])}; });
  const Program by_size = make_program("by_size", {x, x, k, k}, [](const Arrays& in) -> Arrays {
    return {lax::lt(lax::abs(in[0]), lax::abs(in[1]))};
  });
  return {
      {.inputs = {{f32, {2, 5}}}, .params = SortBy{1, true, falling}, .complex_order = 0, .distinct = true},
      {.inputs = {{f32, {4, 2}}, {s32, {4, 2}}},
       .params = SortBy{0, true, by_size},
       .low = 0.5,
       .high = 4,
       .complex_order = 0,
       .distinct = true},
      {.inputs = {{f32, {0}}}, .params = SortBy{0, true, falling}, .note = "no elements"}};
}
}  // namespace
extern const Primitive sort_by = {.name = "sort_by",
                                  .params = SortBy{},
                                  .type = type,
                                  .evaluate = evaluate,
                                  .jvp_whole = jvp_whole,
                                  .batch = batch,
                                  .program_examples = examples};
}  // namespace ops
Arrays lax::sort_by(Operands operands, const Program& comparator, int dimension, bool is_stable) {
  const std::int64_t rank =
      operands.arrays().empty() || operands.arrays()[0].empty() ? 0 : operands.arrays()[0].rank();
  return bind(ops::sort_by, operands.arrays(),
              ops::SortBy{ops::canonical_axis(dimension, rank), is_stable, comparator}, operands.where());
}
}  // namespace baton
