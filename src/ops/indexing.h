#pragma once
// indexing: the index arithmetic that dynamic slices, gather and scatter share.
#include "ops/rules.h"

namespace baton::ops {

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

/// Checks integer scalar starts, operands `first` and on, one for each axis of `x`.
void require_starts(std::string_view name, std::span<const Type> in, std::size_t first, const Type& x);
/// The index vectors [batch, starts] of scalar starts of which some have a batch axis.
Array stacked_starts(std::span<const Batched> starts, const BatchAxis&);

}  // namespace baton::ops
