// pad: surrounds and spreads an array with a value; negative padding cuts off. Linear in the array and the
// value.
#include "ops/element_rules.h"
#include "ops/rules.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
struct Pad {
  std::vector<std::int64_t> low, high, interior;
  BATON_FIELDS(low, high, interior)
};
std::vector<lax::Padding> padding_of(const Pad& p) {
  std::vector<lax::Padding> padding;
  for (std::size_t i = 0; i < p.low.size(); ++i) padding.push_back({p.low[i], p.high[i], p.interior[i]});
  return padding;
}
Types type(std::span<const Type> in, const Params& params) {
  require_count("pad", in, 2);
  const auto& p = params.as<Pad>();
  if (in[1] != Type{in[0].dtype, {}})
    type_error("pad", "the padding value must be " + show(Type{in[0].dtype, {}}) +
                          ", a scalar of the dtype of " + show(in[0]) + ", found " + show(in[1]) + ".");
  const std::size_t rank = in[0].shape.size();
  if (p.low.size() != rank || p.high.size() != rank || p.interior.size() != rank)
    type_error("pad", "one Padding for each axis of " + show(in[0]) + " is required, found " +
                          std::to_string(p.low.size()) + ".");
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    if (p.interior[i] < 0)
      type_error("pad", "interior padding must not be negative, found " + std::to_string(p.interior[i]) +
                            " on axis " + std::to_string(i) + ".");
    const std::int64_t n = in[0].shape[i];
    shape.push_back(p.low[i] + p.high[i] + n +
                    extent_product(std::max<std::int64_t>(n - 1, 0), p.interior[i]));
    if (shape[i] < 0)
      type_error("pad", "the padding takes more from axis " + std::to_string(i) + " of " + show(in[0]) +
                            " than there is: low " + std::to_string(p.low[i]) + ", high " +
                            std::to_string(p.high[i]) + " and interior " + std::to_string(p.interior[i]) +
                            " give extent " + std::to_string(shape[i]) + ".");
  }
  return {{in[0].dtype, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Pad>();
  for (std::int64_t i = 0, n = out[0].type->size(); i < n; ++i) copy_element(out[0], i, in[1], 0);
  const auto strides = strides_of(out[0].shape());
  std::int64_t from = 0;
  for (Counter c(in[0].shape()); !c.done(); c.next(), ++from) {
    std::int64_t to = 0;
    bool inside = true;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const std::int64_t position = p.low[i] + c[i] * (p.interior[i] + 1);
      inside = inside && position >= 0 && position < out[0].shape()[i];
      if (!inside) break;
      to += position * strides[i];
    }
    if (inside) copy_element(out[0], to, in[0], from);
  }
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Pad>();
  // What became of the operand: undo low and high, then take every (interior + 1)st element.
  std::vector<lax::Padding> back;
  Shape strides;
  for (std::size_t i = 0; i < p.low.size(); ++i) {
    back.push_back({-p.low[i], -p.high[i], 0});
    strides.push_back(p.interior[i] + 1);
  }
  const Array spread = lax::pad(ct[0], 0, back);
  const Array inner = lax::slice(spread, Shape(strides.size(), 0), spread.shape(), strides);
  Arrays result(2);
  if (x[0].linear()) result[0] = inner;
  if (x[1].linear()) {
    std::vector<std::int64_t> axes(p.low.size());
    std::iota(axes.begin(), axes.end(), 0);
    result[1] = lax::sub(lax::reduce_sum(ct[0], axes), lax::reduce_sum(inner, axes));
  }
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  auto padding = padding_of(params.as<Pad>());
  padding.insert(padding.begin(), lax::Padding{});
  const Array x = with_batch(in[0], axis);
  if (in[1].axis < 0) return {{lax::pad(x, in[1].value, padding), 0}};
  const Array padded = lax::pad(x, zeros_of({x.dtype(), {}}), padding);
  const Array inside = lax::pad(lax::full(x.shape(), true), false, padding);
  return {{lax::select(inside, padded, lax::broadcast_in_dim(in[1].value, padded.shape(), {0})), 0}};
}
int same_as(std::span<const Type>, Filled, const Params& params) {
  const auto& p = params.as<Pad>();
  const auto none = [](const auto& v) { return std::count(v.begin(), v.end(), 0) == std::ssize(v); };
  return none(p.low) && none(p.high) && none(p.interior) ? 0 : -1;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<Pad>();
  std::vector<Position> from;
  Scalar inside;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t n = w.operand_type(0).shape[i], step = p.interior[i] + 1;
    const Position place = at[i] - p.low[i];
    inside = both(inside, within(w, place, 0, n == 0 ? 0 : (n - 1) * step + 1));
    if (step > 1) inside = both(inside, compare(Do::eq, w.count(place % step), w.integer(s64, 0)));
    from.push_back(place / step);
  }
  return where(
      w, inside, [&] { return w.operand(0, from); }, [&] { return w.operand(1, {}); });
}
}  // namespace
extern const Primitive pad = {
    .name = "pad",
    .linear = true,
    .params = Pad{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .transpose = transpose_rule,
    .batch = batch,
    .same_as = same_as,
    .examples = {
        {.inputs = {{f32, {2, 3}}, {f32, {}}}, .params = Pad{{1, 0}, {2, 1}, {0, 0}}},
        {.inputs = {{f32, {3, 2}}, {f32, {}}}, .params = Pad{{1, 0}, {0, 2}, {2, 1}}, .note = "interior"},
        {.inputs = {{f32, {5, 4}}, {f32, {}}}, .params = Pad{{-1, -2}, {-2, 3}, {0, 0}}, .note = "negative"},
        {.inputs = {{f32, {4}}, {f32, {}}}, .params = Pad{{-2}, {-1}, {2}}, .note = "cuts into the interior"},
        {.inputs = {{f32, {3}}, {f32, {}}}, .params = Pad{{-3}, {2}, {0}}, .note = "nothing of it is left"},
        {.inputs = {{f32, {0, 2}}, {f32, {}}}, .params = Pad{{2, 0}, {1, 0}, {3, 0}}, .note = "of nothing"},
        {.inputs = {{f32, {1}}, {f32, {}}}, .params = Pad{{0}, {0}, {4}}},
        {.inputs = {{f32, {}}, {f32, {}}}, .params = Pad{}}}};
}  // namespace ops
Array lax::pad(Operand x, Operand value, const std::vector<Padding>& padding) {
  const Frame frame(x.where());
  const Array a = x.array();
  ops::Pad p;
  for (const Padding& d : padding) {
    p.low.push_back(d.low);
    p.high.push_back(d.high);
    p.interior.push_back(d.interior);
  }
  return bind_one(ops::pad, {a, a.empty() ? a : value.array(a.dtype())}, p, x.where());
}
}  // namespace baton
