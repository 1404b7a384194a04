// dynamic_slice: a part of known size at computed starts, which are clamped so that it fits.
#include "ops/element_rules.h"
#include "ops/indexing.h"

namespace baton {
namespace ops {
extern const Primitive dynamic_slice;
namespace {
struct DynamicSlice {
  Shape sizes;
  BATON_FIELDS(sizes)
};
Types type(std::span<const Type> in, const Params& params) {
  const Shape& sizes = params.as<DynamicSlice>().sizes;
  if (in.empty()) require_count("dynamic_slice", in, 1);
  require_starts("dynamic_slice", in, 1, in[0]);
  bool fits = sizes.size() == in[0].shape.size();
  for (std::size_t i = 0; fits && i < sizes.size(); ++i) fits = sizes[i] >= 0 && sizes[i] <= in[0].shape[i];
  if (!fits)
    type_error("dynamic_slice", "the sizes must be between 0 and the extents of " + show(in[0]) +
                                    ", one for each axis, found " + show(sizes) + ".");
  return {{in[0].dtype, sizes}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  const auto strides = strides_of(in[0].shape());
  std::int64_t first = 0, to = 0;
  for (std::size_t i = 0; i < strides.size(); ++i)
    first += strides[i] * clamped_at(in[i + 1], 0, in[0].shape()[i] - out[0].shape()[i]);
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to)
    copy_element(out[0], to, in[0], first + offset_of(c.index(), strides));
}
Array clamped_slice(const Array& x, const Arrays& starts, const Shape& sizes) {
  return lax::dynamic_slice(x, starts, sizes, {.allow_negative_indices = false});
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  if (dx[0].empty()) return {Array()};
  return {clamped_slice(dx[0], Arrays(x.begin() + 1, x.end()), params.as<DynamicSlice>().sizes)};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  Arrays result(x.size()), starts;
  for (std::size_t i = 1; i < x.size(); ++i) starts.push_back(x[i].value);
  result[0] =
      lax::dynamic_update_slice(zeros_of(x[0].type), ct[0], starts, {.allow_negative_indices = false});
  return result;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const Shape& sizes = params.as<DynamicSlice>().sizes;
  const auto starts = in.subspan(1);
  if (std::all_of(starts.begin(), starts.end(), [](const Batched& s) { return s.axis < 0; })) {
    Shape whole = sizes;
    whole.insert(whole.begin(), axis.size);
    Arrays indices = {Array(0)};
    for (const Batched& s : starts) indices.push_back(s.value);
    return {{clamped_slice(batch_to_front(in[0]), indices, whole), 0}};
  }
  const bool batched = in[0].axis >= 0;
  lax::GatherDims dims;
  Shape window = sizes;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(sizes.size()); ++i) {
    dims.offset_dims.push_back(i + 1);
    dims.start_index_map.push_back(i + batched);
  }
  if (batched) {
    window.insert(window.begin(), 1);
    dims.operand_batching_dims = dims.start_indices_batching_dims = {0};
  }
  return {{lax::gather(batch_to_front(in[0]), stacked_starts(starts, axis), dims, window,
                       {.mode = lax::GatherMode::clip}),
           0}};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params&) {
  std::vector<Position> from;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t high = w.operand_type(0).shape[i] - w.result_type(0).shape[i];
    from.push_back(at[i] + w.position(clamped_start(w.operand(i + 1, {}), high), {0, high}));
  }
  return w.operand(0, from);
}
}  // namespace
extern const Primitive dynamic_slice = {
    .name = "dynamic_slice",
    .params = DynamicSlice{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .transpose = transpose_rule,
    .batch = batch,
    .examples = {
        {.inputs = {{f32, {4, 5}}, {s32, {}}, {s32, {}}},
         .params = DynamicSlice{{2, 3}},
         .low = -1,
         .high = 4,
         .note = "some starts are clamped"},
        {.inputs = {{f32, {5}}, {s32, {}}}, .params = DynamicSlice{{2}}, .values = {{}, {1}}},
        {.inputs = {{f32, {5}}, {s64, {}}},
         .params = DynamicSlice{{2}},
         .note = "too far",
         .values = {{}, {9}}},
        {.inputs = {{f32, {5}}, {s32, {}}},
         .params = DynamicSlice{{2}},
         .note = "negative",
         .values = {{}, {-1}}},
        {.inputs = {{f32, {3, 2}}, {u8, {}}, {u8, {}}}, .params = DynamicSlice{{0, 1}}, .low = 0, .high = 2},
        {.inputs = {{f32, {0}}, {s32, {}}}, .params = DynamicSlice{{0}}},
        {.inputs = {{f32, {1, 1}}, {s32, {}}, {s32, {}}}, .params = DynamicSlice{{1, 1}}},
        {.inputs = {{f32, {}}}, .params = DynamicSlice{}}}};
}  // namespace ops
Array lax::dynamic_slice(Operand x, Operands starts, const Shape& sizes, const DynamicStarts& o) {
  const Frame frame(x.where());
  const Array a = x.array();
  Arrays in = {a};
  const Arrays at = o.allow_negative_indices && !a.empty() ? ops::wrapped_starts(starts.arrays(), a.type())
                                                           : starts.arrays();
  in.insert(in.end(), at.begin(), at.end());
  return bind_one(ops::dynamic_slice, in, ops::DynamicSlice{sizes}, x.where());
}
Array lax::dynamic_index_in_dim(Operand x, Operand index, int axis, bool keepdims, const DynamicStarts& o) {
  const Frame frame(x.where());
  const Array a = x.array(), i = index.array();
  const std::int64_t d = ops::canonical_axis(axis, a.rank());
  ops::require_axis("dynamic_index_in_dim", a.type(), d);
  Shape sizes = a.shape();
  sizes[ops::at(d)] = 1;
  Arrays starts(sizes.size(), is_integer(i.dtype()) ? lax::zeros({i.dtype(), {}}) : i);
  starts[ops::at(d)] = i;
  const Array part = lax::dynamic_slice(a, starts, sizes, o);
  return keepdims ? part : lax::squeeze(part, {d});
}
}  // namespace baton
