// concatenate: arrays one after the other along an axis. Its adjoint cuts the cotangent apart.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct Concatenate {
  std::int64_t dimension = 0;
  BATON_FIELDS(dimension)
};
Types type(std::span<const Type> in, const Params& params) {
  const std::int64_t d = params.as<Concatenate>().dimension;
  if (in.empty()) type_error("concatenate", "at least one operand is required.");
  require_axis("concatenate", in[0], d);
  Type out = in[0];
  for (std::size_t k = 1; k < in.size(); ++k) {
    if (in[k].dtype != in[0].dtype)
      type_error("concatenate", "operands must have one dtype, found " + show(in[0]) + " and " + show(in[k]) +
                                    ".\n  Convert one with astype.");
    bool fits = in[k].rank() == in[0].rank();
    for (std::size_t i = 0; fits && i < out.shape.size(); ++i)
      fits = i == at(d) || in[k].shape[i] == out.shape[i];
    if (!fits)
      type_error("concatenate", "operands must have one shape but for axis " + std::to_string(d) +
                                    ", found " + show(in[0]) + " and " + show(in[k]) + ".");
    out.shape[at(d)] += in[k].shape[at(d)];
  }
  return {out};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const std::size_t d = at(params.as<Concatenate>().dimension);
  const Shape& shape = out[0].shape();
  std::size_t outer = 1, inner = size_of(out[0].dtype());
  for (std::size_t i = 0; i < d; ++i) outer *= at(shape[i]);
  for (std::size_t i = d + 1; i < shape.size(); ++i) inner *= at(shape[i]);
  char* to = static_cast<char*>(out[0].data);
  for (std::size_t o = 0; o < outer; ++o)
    for (const View& v : in) {
      const std::size_t bytes = at(v.shape()[d]) * inner;
      if (bytes) std::memcpy(to, static_cast<const char*>(v.data) + o * bytes, bytes);
      to += bytes;
    }
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const std::int64_t d = params.as<Concatenate>().dimension;
  Shape start(ct[0].shape().size(), 0), limit = ct[0].shape();
  std::int64_t position = 0;
  Arrays result;
  for (const LinearOperand& operand : x) {
    start[at(d)] = position;
    limit[at(d)] = position += operand.type.shape[at(d)];
    result.push_back(operand.linear() ? lax::slice(ct[0], start, limit) : Array());
  }
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  Arrays operands;
  for (const Batched& b : in) operands.push_back(with_batch(b, axis));
  return {{lax::concatenate(operands, static_cast<int>(params.as<Concatenate>().dimension + 1)), 0}};
}
int same_as(std::span<const Type> in, Filled, const Params&) { return in.size() == 1 ? 0 : -1; }
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto d = static_cast<std::size_t>(params.as<Concatenate>().dimension);
  const unsigned char none[16] = {};
  const Scalar zero = w.literal(w.result_type(0).dtype, none);
  Scalar value;
  std::int64_t first = w.result_type(0).shape[d];
  for (std::size_t k = w.operands(); k-- > 0;) {
    const std::int64_t n = w.operand_type(k).shape[d];
    first -= n;
    if (n == 0) continue;
    std::vector<Position> from(at.begin(), at.end());
    from[d] = from[d] - first;
    const Scalar condition = within(w, from[d], 0, n);
    const auto inside = [&] { return w.operand(k, from); };
    value = where(w, condition, inside, [&] { return value.empty() ? zero : value; });
  }
  return value;
}
}  // namespace
extern const Primitive concatenate = {
    .name = "concatenate",
    .linear = true,
    .params = Concatenate{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .transpose = transpose_rule,
    .batch = batch,
    .same_as = same_as,
    .examples = {
        {.inputs = {{f32, {2, 3}}, {f32, {2, 1}}, {f32, {2, 2}}}, .params = Concatenate{1}},
        {.inputs = {{f32, {2, 3}}, {f32, {1, 3}}}, .params = Concatenate{0}},
        {.inputs = {{f32, {3}}, {f32, {0}}, {f32, {2}}}, .params = Concatenate{0}, .note = "one is empty"},
        {.inputs = {{f32, {0, 2}}, {f32, {0, 3}}}, .params = Concatenate{1}},
        {.inputs = {{f32, {2, 1, 2}}, {f32, {2, 2, 2}}}, .params = Concatenate{1}},
        {.inputs = {{f32, {2}}}, .params = Concatenate{0}, .note = "alone"}}};
}  // namespace ops
Array lax::concatenate(Operands operands, int dimension) {
  const Arrays& list = operands.arrays();
  const std::int64_t rank = list.empty() || list[0].empty() ? 0 : list[0].rank();
  return bind_one(ops::concatenate, list, ops::Concatenate{ops::canonical_axis(dimension, rank)},
                  operands.where());
}
}  // namespace baton
