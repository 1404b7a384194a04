// clamp: min(max(x, low), high). The bounds have x's shape or are scalars. x has the derivative 1 strictly
// between them.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("clamp", in, 3);
  require_dtype("clamp", in, 1, Domain::ordered);
  for (std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    if (in[i] == in[1] || in[i] == Type{in[1].dtype, {}}) continue;
    type_error("clamp", std::string(i == 0 ? "low" : "high") + " must be " + show(in[1]) +
                            " like x, or a scalar of its dtype, found " + show(in[i]) + ".");
  }
  return {in[1]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[1].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!is_complex_v<T>) {
      const auto low = in[0].as<T>(), x = in[1].as<T>(), high = in[2].as<T>(), y = out[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto a = widen(low[in[0].shape().empty() ? 0 : i]),
                   b = widen(high[in[2].shape().empty() ? 0 : i]);
        y[i] = narrow<T>(Smaller{}(Larger{}(widen(x[i]), a), b));
      }
    }
  });
}
Array like(const Array& bound, const Array& x) {
  return bound.rank() == x.rank() ? bound : lax::broadcast_in_dim(bound, x.shape(), {});
}
Arrays jvp(const Arrays& in, const Arrays& out, const Arrays& t, const Params&) {
  const Array low = like(in[0], in[1]), high = like(in[2], in[1]);
  const Array& x = in[1];
  Array sum;
  auto add = [&](const Array& tangent, const Array& where) {
    sum = add_any(sum, lax::select(where, like(tangent, x), zeros_like(out[0])));
  };
  if (!t[0].empty()) add(t[0], lax::bitwise_and(lax::gt(low, x), lax::lt(low, high)));
  if (!t[1].empty()) add(t[1], lax::bitwise_and(lax::gt(x, low), lax::lt(x, high)));
  if (!t[2].empty()) add(t[2], lax::gt(lax::max(x, low), high));
  return {sum};
}
/// A bound with a batch, over a scalar's lanes: repeated to x's shape.
Array batched_bound(const Batched& bound, const Array& x) {
  const Array front = batch_to_front(bound);
  if (front.rank() != 1 || x.rank() == 1) return front;
  return lax::broadcast_in_dim(front, x.shape(), {0});
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params&, Transformer&) {
  const Array x = with_batch(in[1], axis);
  auto bound = [&](const Batched& b) {
    if (b.axis >= 0) return batched_bound(b, x);
    return b.value.rank() == 0 ? b.value : with_batch(b, axis);
  };
  return {{lax::clamp(bound(in[0]), x, bound(in[2])), 0}};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const auto bound = [&](std::size_t which) {
    return w.operand(which, w.operand_type(which).shape.empty() ? Positions() : at);
  };
  const Scalar x = w.operand(1, at);
  return emit(Do::min, emit(Do::max, x, bound(0)), bound(2));
}
}  // namespace
extern const Primitive clamp = {
    .name = "clamp",
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .batch = batch,
    .examples = {{.inputs = {{f32, {}}, {f32, {2, 3}}, {f32, {}}}, .values = {{-0.7}, {}, {0.8}}},
                 {.inputs = {{f32, {2, 3}}, {f32, {2, 3}}, {f32, {2, 3}}}, .note = "low may be above high"},
                 {.inputs = {{f32, {}}, {f32, {4}}, {f32, {4}}}},
                 {.inputs = {{f32, {4}}, {f32, {4}}, {f32, {}}}},
                 {.inputs = {{f32, {}}, {f32, {}}, {f32, {}}}},
                 {.inputs = {{f32, {}}, {f32, {0, 2}}, {f32, {}}}, .note = "no elements"},
                 {.inputs = {{s32, {}}, {s32, {5}}, {s32, {}}}, .low = -5, .high = 5, .order = 0}}};
}  // namespace ops
Array lax::clamp(Operand low, Operand x, Operand high) {
  const Array a = x.array();
  if (a.empty()) return bind_one(ops::clamp, {a, a, a}, {}, x.where());  // bind says why it is empty
  auto bound = [&](const Operand& b) { return b.is_array() ? b.array() : b.array(a.dtype()); };
  return bind_one(ops::clamp, {bound(low), a, bound(high)}, {}, low.where());
}
}  // namespace baton
