// select_n: element by element, the case that `which` names. Linear in the cases.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  if (in.size() < 2) type_error("select_n", "a selector and at least one case are required.");
  require_same_type("select_n", in.subspan(1));
  if (in[0].dtype != boolean && in[0].dtype != s32)
    type_error("select_n", "the selector must be bool or s32, found " + show(in[0]) + ".");
  if (in[0].dtype == boolean && in.size() > 3)
    type_error("select_n", "a bool selector chooses between two cases, found " +
                               std::to_string(in.size() - 1) + ".\n  Convert it: astype(which, s32).");
  if (!in[0].shape.empty() && in[0].shape != in[1].shape)
    type_error("select_n", "the selector must be a scalar or have the cases' shape, found " + show(in[0]) +
                               " beside " + show(in[1]) + ".\n  Broadcast one of them.");
  return {in[1]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  const auto last = static_cast<std::int64_t>(in.size()) - 2;
  for (std::int64_t i = 0; i < out[0].type->size(); ++i) {
    const std::int64_t which = integer_at(in[0], in[0].shape().empty() ? 0 : i);
    copy_element(out[0], i, in[static_cast<std::size_t>(std::clamp<std::int64_t>(which, 0, last)) + 1], i);
  }
}
Arrays jvp(const Arrays& x, const Arrays& y, const Arrays& dx, const Params&) {
  Arrays cases;
  for (std::size_t i = 1; i < dx.size(); ++i) cases.push_back(dx[i].empty() ? zeros_like(y[0]) : dx[i]);
  return {lax::select_n(x[0], cases)};
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  Arrays result(x.size());
  const Array zeros = zeros_like(ct[0]);
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (!x[i].linear()) continue;
    Arrays cases(x.size() - 1, zeros);
    cases[i - 1] = ct[0];
    result[i] = lax::select_n(x[0].value, cases);
  }
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params&, Transformer&) {
  Arrays cases;
  for (const Batched& b : in.subspan(1)) cases.push_back(with_batch(b, axis));
  Array which = in[0].value;
  if (in[0].axis >= 0 || which.rank() > 0) {  // a scalar without a batch stays one
    which = with_batch(in[0], axis);
    if (which.rank() < cases[0].rank()) which = lax::broadcast_in_dim(which, cases[0].shape(), {0});
  }
  return {{lax::select_n(which, cases), 0}};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  const Scalar which = w.operand(0, w.operand_type(0).shape.empty() ? Positions() : at);
  Scalar value = w.operand(1, at);
  for (std::size_t k = 2; k < w.operands(); ++k) {
    const Scalar chosen = which.dtype() == boolean
                              ? which
                              : compare(Do::ge, which, w.integer(s32, static_cast<std::int64_t>(k) - 1));
    value = select(chosen, w.operand(k, at), value);
  }
  return value;
}
}  // namespace
extern const Primitive select_n = {
    .name = "select_n",
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .transpose = transpose,
    .batch = batch,
    .examples = {
        {.inputs = {{boolean, {2, 3}}, {f32, {2, 3}}, {f32, {2, 3}}}},
        {.inputs = {{boolean, {}}, {f32, {2, 3}}, {f32, {2, 3}}}, .note = "a scalar selector"},
        {.inputs = {{boolean, {}}, {f32, {}}, {f32, {}}}},
        {.inputs = {{s32, {4}}, {f32, {4}}, {f32, {4}}, {f32, {4}}}, .values = {{0, 2, 1, 2}, {}, {}, {}}},
        {.inputs = {{s32, {}}, {f32, {4}}, {f32, {4}}, {f32, {4}}}, .values = {{2}, {}, {}, {}}},
        {.inputs = {{s32, {2}}, {f32, {2}}}, .note = "one case", .values = {{0, 0}, {}}},
        {.inputs = {{boolean, {0}}, {f32, {0}}, {f32, {0}}}, .note = "no elements"},
        {.inputs = {{boolean, {3}}, {s32, {3}}, {s32, {3}}}, .order = 0}}};
}  // namespace ops
Array lax::select_n(Operand which, Operands cases) {
  Arrays in = {which.array()};
  for (const Array& a : cases.arrays()) in.push_back(a);
  return bind_one(ops::select_n, in, {}, which.where());
}
Array lax::select(Operand predicate, Operand on_true, Operand on_false) {
  const Frame frame(predicate.where());
  const Array which = predicate.array();
  Array x = on_true.array(), y = on_false.array();
  if (!on_true.is_array() && !on_false.is_array()) {
    const Dtype d = on_true.dtype_beside(on_false.dtype_beside(on_true.dtype()));
    x = on_true.array(d), y = on_false.array(d);
    if (!which.empty()) x = lax::full(which.shape(), x), y = lax::full(which.shape(), y);
  } else if (!on_true.is_array() && !y.empty()) {
    x = lax::full(y.shape(), on_true.array(on_true.dtype_beside(y.dtype())));
  } else if (!on_false.is_array() && !x.empty()) {
    y = lax::full(x.shape(), on_false.array(on_false.dtype_beside(x.dtype())));
  }
  return lax::select_n(which, Arrays{y, x});
}
}  // namespace baton
