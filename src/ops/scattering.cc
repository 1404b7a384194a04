// scattering: what the scatter primitives share.
#include "ops/scatter.h"

namespace baton::ops {
extern const Primitive scatter_add;

using Axes = std::vector<std::int64_t>;

Shape Scatter::window(std::int64_t operand_rank, const Shape& updates) const {
  Shape sizes(at(operand_rank), 1);
  const auto axes = map().window_axes(operand_rank);
  for (std::size_t k = 0; k < axes.size(); ++k) sizes[at(axes[k])] = updates[at(update_window_dims[k])];
  return sizes;
}

Scatter scatter_of(const lax::ScatterDims& d, const lax::ScatterOptions& o) {
  return {d.update_window_dims,
          d.inserted_window_dims,
          d.scatter_dims_to_operand_dims,
          d.operand_batching_dims,
          d.scatter_indices_batching_dims,
          o.mode,
          o.indices_are_sorted,
          o.unique_indices};
}

void require_scatter(std::string_view name, const Type& operand, const Type& indices, const Type& updates,
                     const Scatter& p) {
  const IndexMap map = p.map();
  map.require(name, operand, indices);
  if (updates.dtype != operand.dtype)
    type_error(name, "operand and updates must have one dtype, found " + show(operand) + " and " +
                         show(updates) + ".\n  Convert one with astype.");
  const auto window = map.window_axes(operand.rank());
  require_axes(name, updates, p.update_window_dims);
  if (window.size() != p.update_window_dims.size())
    type_error(name, "one window axis of the updates is required for each of the " +
                         std::to_string(window.size()) + " axes of " + show(operand) +
                         " that are neither inserted nor batching, found " + show(p.update_window_dims) +
                         ".");
  if (!std::is_sorted(p.update_window_dims.begin(), p.update_window_dims.end()))
    type_error(name, "window axes of the updates must rise, found " + show(p.update_window_dims) + ".");
  for (std::size_t k = 0; k < window.size(); ++k)
    if (updates.shape[at(p.update_window_dims[k])] > operand.shape[at(window[k])])
      type_error(name, "axis " + std::to_string(p.update_window_dims[k]) + " of the updates " +
                           show(updates) + " must not be larger than axis " + std::to_string(window[k]) +
                           " of the operand " + show(operand) + ".");
  Shape batch;
  for (std::int64_t axis : other_axes(updates.rank(), p.update_window_dims))
    batch.push_back(updates.shape[at(axis)]);
  const Shape vectors(indices.shape.begin(), indices.shape.end() - 1);
  if (batch != vectors)
    type_error(name, "the axes of the updates that are not window axes must be those of the index vectors, " +
                         show(vectors) + " of " + show(indices) + ", found " + show(batch) + " of " +
                         show(updates) + ".");
}

Types scatter_type(std::string_view name, std::span<const Type> in, const Scatter& p, Domain domain) {
  require_count(name, in, 3);
  require_dtype(name, in, 0, domain);
  require_scatter(name, in[0], in[1], in[2], p);
  return {in[0]};
}

std::vector<std::int64_t> update_offsets(const Shape& operand, const View& indices, const Shape& updates,
                                         const Scatter& p) {
  const IndexMap map = p.map();
  const auto rank = static_cast<std::int64_t>(operand.size());
  const bool clip = p.mode == lax::ScatterMode::clip;  // updates that break a promise are dropped
  const auto firsts = window_offsets(operand, indices, map, p.window(rank, updates), clip);
  const auto strides = strides_of(operand);
  Axes inside(updates.size()), windows(updates.size());
  const auto axes = map.window_axes(rank);
  for (std::size_t k = 0; k < axes.size(); ++k) inside[at(p.update_window_dims[k])] = strides[at(axes[k])];
  const auto batch = other_axes(static_cast<std::int64_t>(updates.size()), p.update_window_dims);
  const auto batch_strides = strides_of(Shape(indices.shape().begin(), indices.shape().end() - 1));
  for (std::size_t k = 0; k < batch.size(); ++k) windows[at(batch[k])] = batch_strides[k];
  std::vector<std::int64_t> offsets;
  for (Counter c(updates); !c.done(); c.next()) {
    const std::int64_t first = firsts[at(offset_of(c.index(), windows))];
    offsets.push_back(first < 0 ? -1 : first + offset_of(c.index(), inside));
  }
  return offsets;
}

Array bind_scatter(const Primitive& p, const Array& operand, const Array& indices, const Array& updates,
                   const Scatter& params, Where where) {
  return bind_one(p, {operand, indices, updates}, params, where);
}

Array bind_scatter(const Primitive& p, Operand operand, Operand indices, Operand updates,
                   const lax::ScatterDims& d, const lax::ScatterOptions& o) {
  const Frame frame(operand.where());
  const Array x = operand.array();
  return bind_scatter(p, x, indices.array(), x.empty() ? x : updates.array(x.dtype()), scatter_of(d, o),
                      operand.where());
}

Array gather_updates(const Array& x, const Array& indices, const Shape& updates, const Scatter& p) {
  if (x.size() == 0) return zeros_of({x.dtype(), updates});  // no window fits into nothing
  const lax::GatherDims dims{p.update_window_dims, p.inserted_window_dims, p.scatter_dims_to_operand_dims,
                             p.operand_batching_dims, p.scatter_indices_batching_dims};
  const auto mode = p.mode == lax::ScatterMode::drop   ? lax::GatherMode::fill
                    : p.mode == lax::ScatterMode::clip ? lax::GatherMode::clip
                                                       : lax::GatherMode::promise_in_bounds;
  return lax::gather(x, indices, dims, p.window(x.rank(), updates),
                     {mode, mode == lax::GatherMode::fill ? std::optional<double>(0) : std::nullopt,
                      p.indices_are_sorted, p.unique_indices});
}

Arrays linear_scatter_jvp(const Primitive& primitive, const Arrays& x, const Arrays& dx, const Scatter& p) {
  const Array operand = dx[0].empty() ? zeros_like(x[0]) : dx[0];
  return {bind_scatter(primitive, operand, x[1], dx[2].empty() ? zeros_like(x[2]) : dx[2], p)};
}

Arrays extremal_scatter_jvp(const Arrays& x, const Arrays& outs, const Arrays& dx, const Params& params) {
  const auto& p = params.as<Scatter>();
  const Array& out = outs[0];
  const Array held = lax::eq(x[0], out);  // where the operand is the result
  const Array won = lax::eq(x[2], gather_updates(out, x[1], x[2].shape(), p));
  auto ones = [](const Array& mask, const Array& like) {
    return lax::convert_element_type(mask, like.dtype());
  };
  const Array winners = bind_scatter(scatter_add, ones(held, out), x[1], ones(won, out), p);
  auto part = [](const Array& mask, const Array& tangent, const Array& like) {
    return tangent.empty() ? zeros_like(like) : lax::select(mask, tangent, zeros_like(tangent));
  };
  return {
      lax::div(bind_scatter(scatter_add, part(held, dx[0], x[0]), x[1], part(won, dx[2], x[2]), p), winners)};
}

Scatter batched_scatter(const Scatter& like, bool indices) {
  Scatter p = like;
  auto shift = [](Axes& axes) {
    for (std::int64_t& axis : axes) ++axis;
  };
  shift(p.update_window_dims), shift(p.inserted_window_dims), shift(p.scatter_dims_to_operand_dims);
  shift(p.operand_batching_dims);
  if (indices) {
    shift(p.scatter_indices_batching_dims);
    p.operand_batching_dims.insert(p.operand_batching_dims.begin(), 0);
    p.scatter_indices_batching_dims.insert(p.scatter_indices_batching_dims.begin(), 0);
  } else {
    p.update_window_dims.insert(p.update_window_dims.begin(), 0);
  }
  return p;
}

std::vector<Batched> scatter_batch(const Primitive& p, const BatchAxis& axis, std::span<const Batched> in,
                                   const Params& params) {
  return {{bind_scatter(p, with_batch(in[0], axis), batch_to_front(in[1]), with_batch(in[2], axis),
                        batched_scatter(params.as<Scatter>(), in[1].axis >= 0)),
           0}};
}

std::vector<Example> scatter_examples(double low, double high, bool unique, bool distinct) {
  using lax::ScatterMode;
  auto row = [&](Types inputs, Scatter p, std::vector<double> indices, std::string_view note) {
    p.unique_indices = unique;
    return Example{.inputs = std::move(inputs),
                   .params = p,
                   .low = low,
                   .high = high,
                   .note = note,
                   .values = {{}, std::move(indices), {}},
                   .distinct = distinct};
  };
  std::vector<Example> rows = {
      row({{f32, {5, 3}}, {s32, {3, 1}}, {f32, {3, 3}}}, {{1}, {0}, {0}, {}, {}}, {0, 4, 2}, "rows"),
      row({{f32, {5, 3}}, {s32, {4, 1}}, {f32, {4, 3}}}, {{1}, {0}, {0}, {}, {}}, {-1, 4, 5, 2},
          "two are dropped"),
      row({{f32, {5, 3}}, {s64, {2, 1}}, {f32, {2, 3}}}, {{1}, {0}, {0}, {}, {}, ScatterMode::clip}, {-1, 7},
          "moved inside"),
      row({{f32, {4, 5}}, {s32, {2, 2}}, {f32, {2, 2, 3}}}, {{1, 2}, {}, {1, 0}, {}, {}}, {0, 1, 3, 2},
          "windows; the second does not fit"),
      row({{f32, {4, 6}}, {s32, {2, 2}}, {f32, {2, 2, 3}}}, {{0, 2}, {}, {0, 1}, {}, {}, ScatterMode::clip},
          {0, 0, 3, 4}, "windows; the second is moved"),
      row({{f32, {2, 5, 3}}, {s32, {2, 2, 1}}, {f32, {2, 2, 3}}}, {{2}, {1}, {1}, {0}, {0}}, {1, 0, 4, 3},
          "a batching axis"),
      row({{f32, {3}}, {s32, {1}}, {f32, {}}}, {{}, {0}, {0}, {}, {}, ScatterMode::promise_in_bounds}, {2},
          "one"),
      row({{f32, {3}}, {s32, {0, 1}}, {f32, {0}}}, {{}, {0}, {0}, {}, {}}, {}, "no updates"),
      row({{f32, {0}}, {s32, {2, 1}}, {f32, {2}}}, {{}, {0}, {0}, {}, {}}, {0, 1}, "into nothing"),
      row({{f32, {}}, {s32, {0}}, {f32, {}}}, {}, {}, "a scalar")};
  if (!unique) {
    rows.push_back(row({{f32, {4}}, {u8, {6, 1}}, {f32, {6}}}, {{}, {0}, {0}, {}, {}}, {1, 1, 3, 1, 9, 3},
                       "several at one place"));
    rows.push_back(row({{f32, {4, 3}}, {s32, {3, 2}}, {f32, {3, 2, 2}}}, {{1, 2}, {}, {0, 1}, {}, {}},
                       {0, 0, 1, 1, 2, 1}, "windows overlap"));
  }
  return rows;
}

}  // namespace baton::ops
