// dynamic_update_slice: the array with a part replaced at computed starts, which are clamped so that the part
// fits.
#include "ops/element_rules.h"
#include "ops/indexing.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  if (in.size() < 2) require_count("dynamic_update_slice", in, 2);
  if (in[0].dtype != in[1].dtype)
    type_error("dynamic_update_slice", "operand and update must have one dtype, found " + show(in[0]) +
                                           " and " + show(in[1]) + ".\n  Convert one with astype.");
  bool fits = in[0].rank() == in[1].rank();
  for (std::size_t i = 0; fits && i < in[0].shape.size(); ++i) fits = in[1].shape[i] <= in[0].shape[i];
  if (!fits)
    type_error("dynamic_update_slice",
               "the update must have the rank of the operand and fit into it, found " + show(in[1]) +
                   " for " + show(in[0]) + ".");
  require_starts("dynamic_update_slice", in, 2, in[0]);
  return {in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
  const auto strides = strides_of(out[0].shape());
  std::int64_t first = 0, from = 0;
  for (std::size_t i = 0; i < strides.size(); ++i)
    first += strides[i] * clamped_at(in[i + 2], 0, in[0].shape()[i] - in[1].shape()[i]);
  for (Counter c(in[1].shape()); !c.done(); c.next(), ++from)
    copy_element(out[0], first + offset_of(c.index(), strides), in[1], from);
}
Array update_clamped(const Array& x, const Array& update, const Arrays& starts) {
  return lax::dynamic_update_slice(x, update, starts, {.allow_negative_indices = false});
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params&) {
  if (dx[0].empty() && dx[1].empty()) return {Array()};
  return {update_clamped(dx[0].empty() ? zeros_like(x[0]) : dx[0], dx[1].empty() ? zeros_like(x[1]) : dx[1],
                         Arrays(x.begin() + 2, x.end()))};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  Arrays result(x.size()), starts;
  for (std::size_t i = 2; i < x.size(); ++i) starts.push_back(x[i].value);
  if (x[0].linear()) result[0] = update_clamped(ct[0], zeros_of(x[1].type), starts);
  if (x[1].linear())
    result[1] = lax::dynamic_slice(ct[0], starts, x[1].type.shape, {.allow_negative_indices = false});
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params&, Transformer&) {
  const auto starts = in.subspan(2);
  const Array x = with_batch(in[0], axis), update = with_batch(in[1], axis);
  if (std::all_of(starts.begin(), starts.end(), [](const Batched& s) { return s.axis < 0; })) {
    Arrays indices = {Array(0)};
    for (const Batched& s : starts) indices.push_back(s.value);
    return {{update_clamped(x, update, indices), 0}};
  }
  lax::ScatterDims dims;
  for (std::int64_t i = 1; i < x.rank(); ++i) {
    dims.update_window_dims.push_back(i);
    dims.scatter_dims_to_operand_dims.push_back(i);
  }
  dims.operand_batching_dims = dims.scatter_indices_batching_dims = {0};
  return {{lax::scatter(x, stacked_starts(starts, axis), update, dims,
                        {.mode = lax::ScatterMode::clip, .indices_are_sorted = true, .unique_indices = true}),
           0}};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  std::vector<Position> from;
  Scalar inside;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t n = w.operand_type(1).shape[i], high = w.operand_type(0).shape[i] - n;
    from.push_back(at[i] - w.position(clamped_start(w.operand(i + 2, {}), high), {0, high}));
    inside = both(inside, within(w, from[i], 0, n));
  }
  return where(
      w, inside, [&] { return w.operand(1, from); }, [&] { return w.operand(0, at); });
}
}  // namespace
extern const Primitive dynamic_update_slice = {
    .name = "dynamic_update_slice",
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .transpose = transpose_rule,
    .batch = batch,
    .examples = {
        {.inputs = {{f32, {4, 5}}, {f32, {2, 3}}, {s32, {}}, {s32, {}}},
         .low = -1,
         .high = 4,
         .note = "some starts are clamped"},
        {.inputs = {{f32, {5}}, {f32, {2}}, {s32, {}}}, .values = {{}, {}, {1}}},
        {.inputs = {{f32, {5}}, {f32, {2}}, {s64, {}}}, .note = "too far", .values = {{}, {}, {9}}},
        {.inputs = {{f32, {5}}, {f32, {2}}, {s32, {}}}, .note = "negative", .values = {{}, {}, {-1}}},
        {.inputs = {{f32, {3, 2}}, {f32, {0, 1}}, {u8, {}}, {u8, {}}}, .low = 0, .high = 2},
        {.inputs = {{f32, {0}}, {f32, {0}}, {s32, {}}}},
        {.inputs = {{f32, {1, 1}}, {f32, {1, 1}}, {s32, {}}, {s32, {}}}},
        {.inputs = {{f32, {}}, {f32, {}}}}}};
}  // namespace ops
Array lax::dynamic_update_slice(Operand x, Operand update, Operands starts, const DynamicStarts& o) {
  const Frame frame(x.where());
  const Array a = x.array();
  Arrays in = {a, a.empty() ? a : update.array(a.dtype())};
  const Arrays at = o.allow_negative_indices && !a.empty() ? ops::wrapped_starts(starts.arrays(), a.type())
                                                           : starts.arrays();
  in.insert(in.end(), at.begin(), at.end());
  return bind_one(ops::dynamic_update_slice, in, None{}, x.where());
}
Array lax::dynamic_update_index_in_dim(Operand x, Operand update, Operand index, int axis,
                                       const DynamicStarts& o) {
  const Frame frame(x.where());
  const Array a = x.array(), i = index.array();
  const std::int64_t d = ops::canonical_axis(axis, a.rank());
  ops::require_axis("dynamic_update_index_in_dim", a.type(), d);
  Array part = update.array(a.dtype());
  if (part.rank() == a.rank() - 1) part = lax::expand_dims(part, {d});
  Arrays starts(a.shape().size(), is_integer(i.dtype()) ? lax::zeros({i.dtype(), {}}) : i);
  starts[ops::at(d)] = i;
  return lax::dynamic_update_slice(a, part, starts, o);
}
}  // namespace baton
