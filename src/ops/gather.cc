// gather: windows of an array at the index vectors of another, with StableHLO's dimension numbers.
// A window that does not lie within the operand is filled (and then has no gradient), or moved inside.
#include "ops/element_rules.h"
#include "ops/indexing.h"

namespace baton {
namespace ops {
namespace {
struct Gather {
  std::vector<std::int64_t> offset_dims, collapsed_slice_dims, start_index_map;
  std::vector<std::int64_t> operand_batching_dims, start_indices_batching_dims;
  Shape slice_sizes;
  lax::GatherMode mode = lax::GatherMode::fill;
  bool fill_given = false;  // else: NaN, the lowest signed, the highest unsigned integer, true
  double fill_value = 0;
  bool indices_are_sorted = false, unique_indices = false;
  BATON_FIELDS(offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
               start_indices_batching_dims, slice_sizes, mode, fill_given, fill_value, indices_are_sorted,
               unique_indices)

  IndexMap map() const {
    return {start_index_map, operand_batching_dims, start_indices_batching_dims, collapsed_slice_dims};
  }
  lax::GatherDims dims() const {
    return {offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
            start_indices_batching_dims};
  }
  lax::GatherOptions options() const {
    return {mode, fill_given ? std::optional<double>(fill_value) : std::nullopt, indices_are_sorted,
            unique_indices};
  }
};
/// A fill value that no element can be is refused; of 64-bit integers those that a double may have rounded
/// too.
void require_fill(const Gather& p, Dtype d) {
  if (!p.fill_given || is_inexact(d)) return;
  const bool negative = is_signed(d);
  const double bits = d == boolean ? 1 : static_cast<double>(8 * size_of(d)) - (negative ? 1 : 0);
  const double most = std::min(std::ldexp(1.0, static_cast<int>(bits)) - 1, 0x1p53);
  if (p.fill_value == std::floor(p.fill_value) && p.fill_value <= most &&
      p.fill_value >= (negative ? -std::min(most + 1, 0x1p53) : 0))
    return;
  type_error("gather", "the fill value " + show(make_literal(f64, p.fill_value)) + " is no " +
                           std::string(name_of(d)) +
                           " that a double holds.\n  Gather with clip, and select by the index.");
}
Types type(std::span<const Type> in, const Params& params) {
  require_count("gather", in, 2);
  const auto& p = params.as<Gather>();
  const IndexMap map = p.map();
  map.require("gather", in[0], in[1]);
  if (p.slice_sizes.size() != in[0].shape.size())
    type_error("gather", "one slice size for each axis of " + show(in[0]) + " is required, found " +
                             show(p.slice_sizes) + ".");
  for (std::size_t i = 0; i < p.slice_sizes.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const bool one = holds(p.collapsed_slice_dims, axis), batching = holds(p.operand_batching_dims, axis);
    if ((one || batching) ? p.slice_sizes[i] != 1 : p.slice_sizes[i] < 0)
      type_error("gather",
                 "slice sizes must be 1 on collapsed and batching axes and nowhere negative, found " +
                     show(p.slice_sizes) + ".");
    if (!batching && p.slice_sizes[i] > in[0].shape[i])
      type_error("gather", "slice sizes must not be larger than the extents of " + show(in[0]) + ", found " +
                               show(p.slice_sizes) + ".");
  }
  const auto window = map.window_axes(in[0].rank());
  const auto rank = in[1].rank() - 1 + static_cast<std::int64_t>(p.offset_dims.size());
  if (window.size() != p.offset_dims.size())
    type_error("gather", "one offset axis of the result is required for each of the " +
                             std::to_string(window.size()) + " axes of " + show(in[0]) +
                             " that are neither collapsed nor batching, found " + show(p.offset_dims) + ".");
  if (!std::is_sorted(p.offset_dims.begin(), p.offset_dims.end()))
    type_error("gather", "offset axes must rise, found " + show(p.offset_dims) + ".");
  Type out{in[0].dtype, Shape(at(rank))};
  for (std::size_t k = 0; k < p.offset_dims.size(); ++k)
    if (p.offset_dims[k] < 0 || p.offset_dims[k] >= rank ||
        (k > 0 && p.offset_dims[k] == p.offset_dims[k - 1]))
      type_error("gather", "offset axes must be different axes of the result, which has " +
                               std::to_string(rank) + ", found " + show(p.offset_dims) + ".");
  require_fill(p, in[0].dtype);
  for (std::size_t k = 0; k < window.size(); ++k)
    out.shape[at(p.offset_dims[k])] = p.slice_sizes[at(window[k])];
  const auto batch = other_axes(rank, p.offset_dims);
  for (std::size_t k = 0; k < batch.size(); ++k) out.shape[at(batch[k])] = in[1].shape[k];
  return {out};
}
Literal fill_literal(const Gather& p, Dtype d) {
  if (p.fill_given) return make_literal(d, p.fill_value);
  Literal l{d};
  with_type(d, [&]<class T>(Tag<T>) {
    T value{};
    if constexpr (is_complex_v<T>)
      value = T(std::numeric_limits<typename T::value_type>::quiet_NaN(), 0);
    else if constexpr (is_half_v<T>)
      value = T(std::numeric_limits<float>::quiet_NaN());
    else if constexpr (std::is_floating_point_v<T>)
      value = std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_same_v<T, bool> || std::is_unsigned_v<T>)
      value = std::numeric_limits<T>::max();
    else
      value = std::numeric_limits<T>::min();
    std::memcpy(l.bytes, &value, sizeof value);
  });
  return l;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Gather>();
  const IndexMap map = p.map();
  const bool clip = p.mode != lax::GatherMode::fill;  // a broken promise stays inside, too
  const auto firsts = window_offsets(in[0].shape(), in[1], map, p.slice_sizes, clip);
  // Strides over the result's axes: into the operand within a window, and into the list of windows.
  const auto rank = out[0].type->rank();
  const auto operand_strides = strides_of(in[0].shape());
  std::vector<std::int64_t> inside(at(rank)), windows(at(rank));
  const auto axes = map.window_axes(in[0].type->rank());
  for (std::size_t k = 0; k < axes.size(); ++k) inside[at(p.offset_dims[k])] = operand_strides[at(axes[k])];
  const auto batch = other_axes(rank, p.offset_dims);
  const auto batch_strides = strides_of(Shape(in[1].shape().begin(), in[1].shape().end() - 1));
  for (std::size_t k = 0; k < batch.size(); ++k) windows[at(batch[k])] = batch_strides[k];
  Literal fill = fill_literal(p, out[0].dtype());
  const Type scalar{out[0].dtype(), {}};
  const View fill_view{&scalar, fill.bytes};
  std::int64_t to = 0;
  for (Counter c(out[0].shape()); !c.done(); c.next(), ++to) {
    const std::int64_t first = firsts[at(offset_of(c.index(), windows))];
    if (first < 0)
      copy_element(out[0], to, fill_view, 0);
    else
      copy_element(out[0], to, in[0], first + offset_of(c.index(), inside));
  }
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  const auto& p = params.as<Gather>();
  lax::GatherOptions options = p.options();
  options.fill_value = 0;  // what is filled in does not move
  return {dx[0].empty() ? Array() : lax::gather(dx[0], x[1], p.dims(), p.slice_sizes, options)};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Gather>();
  const lax::ScatterDims dims{p.offset_dims, p.collapsed_slice_dims, p.start_index_map,
                              p.operand_batching_dims, p.start_indices_batching_dims};
  const auto mode = p.mode == lax::GatherMode::fill   ? lax::ScatterMode::drop
                    : p.mode == lax::GatherMode::clip ? lax::ScatterMode::clip
                                                      : lax::ScatterMode::promise_in_bounds;
  return {lax::scatter_add(zeros_of(x[0].type), x[1].value, ct[0], dims,
                           {mode, p.indices_are_sorted, p.unique_indices}),
          Array()};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<Gather>();
  lax::GatherDims dims = p.dims();
  lax::GatherOptions options = p.options();
  Shape sizes = p.slice_sizes;
  auto shift = [](std::vector<std::int64_t>& axes) {
    for (std::int64_t& a : axes) ++a;
  };
  const bool operand = in[0].axis >= 0, indices = in[1].axis >= 0;
  shift(dims.offset_dims);
  if (operand) {
    shift(dims.collapsed_slice_dims), shift(dims.start_index_map), shift(dims.operand_batching_dims);
    sizes.insert(sizes.begin(), indices ? 1 : axis.size);
  }
  if (indices) shift(dims.start_indices_batching_dims);
  if (operand && indices) {
    dims.operand_batching_dims.insert(dims.operand_batching_dims.begin(), 0);
    dims.start_indices_batching_dims.insert(dims.start_indices_batching_dims.begin(), 0);
  } else if (operand) {
    dims.offset_dims.insert(dims.offset_dims.begin(), 0);
  } else {  // the same windows may be asked for again in the next lane
    options.indices_are_sorted = options.unique_indices = false;
  }
  return {{lax::gather(batch_to_front(in[0]), batch_to_front(in[1]), dims, sizes, options), 0}};
}
}  // namespace

namespace {
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const auto& p = params.as<Gather>();
  const Shape& operand = w.operand_type(0).shape;
  std::vector<Position> from(operand.size()), batch;
  for (std::int64_t axis : other_axes(static_cast<std::int64_t>(at.size()), p.offset_dims))
    batch.push_back(at[ops::at(axis)]);
  const auto window = p.map().window_axes(static_cast<std::int64_t>(operand.size()));
  for (std::size_t k = 0; k < window.size(); ++k) from[ops::at(window[k])] = at[ops::at(p.offset_dims[k])];
  for (std::size_t i = 0; i < p.operand_batching_dims.size(); ++i)
    from[ops::at(p.operand_batching_dims[i])] = batch[ops::at(p.start_indices_batching_dims[i])];
  Scalar inside;
  batch.emplace_back(0);
  for (std::size_t k = 0; k < p.start_index_map.size(); ++k) {
    const std::size_t axis = ops::at(p.start_index_map[k]);
    const std::int64_t high = operand[axis] - p.slice_sizes[axis];
    batch.back() = static_cast<std::int64_t>(k);
    const Scalar given = w.operand(1, batch), start = clamped_start(given, high);
    if (p.mode == lax::GatherMode::fill)
      inside = both(inside, compare(Do::eq, emit(Do::convert, s64, given), start));
    from[axis] = from[axis] + w.position(start, {0, high});
  }
  const Scalar value = w.operand(0, from);
  if (inside.empty()) return value;
  const Literal fill = fill_literal(p, w.operand_type(0).dtype);
  return select(inside, value, w.literal(fill.dtype, fill.bytes));
}
}  // namespace
extern const Primitive gather = {
    .name = "gather",
    .params = Gather{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = jvp,
    .transpose = transpose_rule,
    .batch = batch,
    .examples = {{.inputs = {{f32, {5, 3}}, {s32, {4, 1}}},
                  .params = Gather{{1}, {0}, {0}, {}, {}, {1, 3}},
                  .note = "rows, as an embedding",
                  .values = {{}, {0, 4, 2, 2}}},
                 {.inputs = {{f32, {5, 3}}, {s32, {4, 1}}},
                  .params = Gather{{1}, {0}, {0}, {}, {}, {1, 3}, lax::GatherMode::fill, true, 7},
                  .note = "two rows are filled",
                  .values = {{}, {-1, 4, 5, 2}}},
                 {.inputs = {{f32, {5, 3}}, {s32, {4, 1}}},
                  .params = Gather{{1}, {0}, {0}, {}, {}, {1, 3}, lax::GatherMode::clip},
                  .note = "two rows are moved inside",
                  .values = {{}, {-1, 4, 5, 2}}},
                 {.inputs = {{f32, {5, 3}}, {s64, {2, 2, 1}}},
                  .params = Gather{{0}, {0}, {0}, {}, {}, {1, 3}, lax::GatherMode::promise_in_bounds},
                  .low = 0,
                  .high = 4},
                 {.inputs = {{f32, {4, 5}}, {s32, {3, 2}}},
                  .params = Gather{{1, 2}, {}, {1, 0}, {}, {}, {2, 3}, lax::GatherMode::fill, true},
                  .note = "windows; the second does not fit",
                  .values = {{}, {0, 1, 3, 2, 2, 2}}},
                 {.inputs = {{f32, {4, 5}}, {s32, {3, 2}}},
                  .params = Gather{{0, 2}, {}, {0, 1}, {}, {}, {2, 3}, lax::GatherMode::clip},
                  .note = "windows; the second is moved",
                  .values = {{}, {0, 1, 3, 4, 2, 2}}},
                 {.inputs = {{f32, {2, 5, 3}}, {s32, {2, 4, 1}}},
                  .params = Gather{{2}, {1}, {1}, {0}, {0}, {1, 1, 3}, lax::GatherMode::clip},
                  .low = 0,
                  .high = 5,
                  .note = "a batching axis"},
                 {.inputs = {{f32, {3, 2, 4}}, {s32, {2, 3, 1}}},
                  .params = Gather{{}, {2}, {2}, {0, 1}, {1, 0}, {1, 1, 1}, lax::GatherMode::clip},
                  .low = 0,
                  .high = 4,
                  .note = "two, in another order, as take_along_axis"},
                 {.inputs = {{f32, {3}}, {s32, {1}}},
                  .params = Gather{{}, {0}, {0}, {}, {}, {1}},
                  .low = 0,
                  .high = 3},
                 {.inputs = {{f32, {3}}, {s32, {0, 1}}},
                  .params = Gather{{}, {0}, {0}, {}, {}, {1}},
                  .note = "no windows"},
                 {.inputs = {{f32, {0, 3}}, {s32, {2, 1}}},
                  .params = Gather{{1, 2}, {}, {0}, {}, {}, {0, 3}},
                  .low = 0,
                  .high = 1},
                 {.inputs = {{f32, {}}, {s32, {2, 0}}},
                  .params = Gather{{}, {}, {}, {}, {}, {}},
                  .note = "of a scalar"},
                 {.inputs = {{s32, {3}}, {u8, {3, 1}}},
                  .params = Gather{{}, {0}, {0}, {}, {}, {1}},
                  .low = 0,
                  .high = 6,
                  .order = 0},
                 {.inputs = {{boolean, {3}}, {s64, {3, 1}}},
                  .params = Gather{{}, {0}, {0}, {}, {}, {1}},
                  .low = 0,
                  .high = 6,
                  .order = 0}}};
}  // namespace ops
Array lax::gather(Operand operand, Operand indices, const GatherDims& d, const Shape& slice_sizes,
                  const GatherOptions& o) {
  return bind_one(
      ops::gather, {operand.array(), indices.array()},
      ops::Gather{d.offset_dims, d.collapsed_slice_dims, d.start_index_map, d.operand_batching_dims,
                  d.start_indices_batching_dims, slice_sizes, o.mode, o.fill_value.has_value(),
                  o.fill_value.value_or(0), o.indices_are_sorted, o.unique_indices},
      operand.where());
}
}  // namespace baton
