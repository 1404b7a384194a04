#pragma once
// indexing: the index arithmetic that dynamic slices, gather and scatter share.
// A gather and a scatter speak of windows: boxes of the operand, one for each index vector of `indices`.
#include "ops/rules.h"

namespace baton {

inline constexpr std::string_view gather_mode_names[] = {"fill", "clip", "promise_in_bounds"};
template <>
inline constexpr std::span<const std::string_view> enum_names<lax::GatherMode> = gather_mode_names;
inline constexpr std::string_view scatter_mode_names[] = {"drop", "clip", "promise_in_bounds"};
template <>
inline constexpr std::span<const std::string_view> enum_names<lax::ScatterMode> = scatter_mode_names;

namespace ops {

extern const Primitive dynamic_update_slice;

/// An integer element clamped to [0, high], of any integer dtype.
inline std::int64_t clamped_at(const View& v, std::int64_t i, std::int64_t high) {
  return with_type(v.dtype(), [&]<class T>(Tag<T>) -> std::int64_t {
    if constexpr (std::is_integral_v<T>) {
      const T x = v.as<T>()[at(i)];
      if constexpr (std::is_signed_v<T>)
        if (x < 0) return 0;
      return static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>(high) ? high
                                                                              : static_cast<std::int64_t>(x);
    }
    internal_error("an index that is not an integer");
  });
}

/// Index arrays as s32, or s64 where an axis of this extent or the array's dtype asks for it; i < 0 counts
/// from the end.
Array wrapped_index(const Array& index, std::int64_t extent);
/// Starts of windows in x, of which the negative ones count from the end. What is known not to be negative
/// is left as it is.
Arrays wrapped_starts(const Arrays& starts, const Type& x);

/// Slices of x along an axis, which the shape of the indices replaces. A slice of one does not fit an empty
/// axis: without results there is no gather, and with some an error of `name`.
Array take(std::string_view name, const Array& x, const Array& indices, std::int64_t axis,
           const lax::GatherOptions& options = {.mode = lax::GatherMode::promise_in_bounds});
/// x[..., indices, ...] along an axis, lane by lane: indices has the shape that results.
Array take_along(std::string_view name, const Array& x, const Array& indices, std::int64_t axis,
                 const lax::GatherOptions& options);

/// Checks integer scalar starts, operands `first` and on, one for each axis of `x`.
void require_starts(std::string_view name, std::span<const Type> in, std::size_t first, const Type& x);
/// The index vectors [batch, starts] of scalar starts of which some have a batch axis.
Array stacked_starts(std::span<const Batched> starts, const BatchAxis&);

/// How index vectors become starts of windows. Axes of the operand are either window axes (seen in slices or
/// updates), dropped (the window has extent 1 there) or batching (they follow an axis of the indices).
struct IndexMap {
  std::vector<std::int64_t> to_operand;  // element k of an index vector is the start on this operand axis
  std::vector<std::int64_t>
      operand_batching;  // operand axis i starts where indices axis indices_batching[i] stands
  std::vector<std::int64_t> indices_batching;
  std::vector<std::int64_t> dropped;

  /// Throws unless the map fits these types. Names the fields as `name` calls them.
  void require(std::string_view name, const Type& operand, const Type& indices) const;
  /// Operand axes that slices and updates show, in order.
  std::vector<std::int64_t> window_axes(std::int64_t operand_rank) const;
};

/// The offset in the operand of the first element of each window, for each index vector in row-major order;
/// -1 where the window does not lie within the operand, unless `clip` moves it there (where there is room).
std::vector<std::int64_t> window_offsets(const Shape& operand, const View& indices, const IndexMap&,
                                         const Shape& window, bool clip);

}  // namespace ops
}  // namespace baton
