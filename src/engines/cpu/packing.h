#pragma once
// packing: copies between an array with any strides and a dense one, converting elements on the way.
#include <cstring>

#include "base/element.h"
#include "engines/cpu/layout.h"
#include "engines/cpu/workers.h"

namespace baton::cpu {

/// Between elements of a product: floats round once, integers wrap.
template <class To, class From>
To convert_for_product(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (is_complex_v<From> != is_complex_v<To>)
    return To{};  // type rules let no such pair through
  else
    return convert_element<To>(x);
}

/// Makes one axis of two neighbours that lie one inside the other in the array too, so that rows are long.
void merge_axes(Packing&);

/// Calls row(offset in the strided array, offset in the dense one, how many, stride) for each row of the
/// innermost axis, in parts for the workers.
void for_each_row(
    const Packing& packing, Workers& workers,
    FunctionRef<void(std::int64_t strided, std::int64_t dense, std::int64_t count, std::int64_t stride)> row);

/// Bytes that may be where they shall be already; and the same by all workers.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (to != from && bytes) std::memcpy(to, from, bytes);
}
void copy_shared(void* to, const void* from, std::size_t bytes, Workers& workers);

template <class From, class To>
void copy_row(const From* from, std::int64_t from_stride, To* to, std::int64_t to_stride,
              std::int64_t count) {
  if (from_stride == 1 && to_stride == 1)
    for (std::int64_t i = 0; i < count; ++i) to[i] = convert_for_product<To>(from[i]);
  else
    for (std::int64_t i = 0; i < count; ++i)
      to[i * to_stride] = convert_for_product<To>(from[i * from_stride]);
}

template <class From, class To>
void copy_to_dense(const Packing& packing, const From* from, To* to, Workers& workers) {
  for_each_row(packing, workers,
               [&](std::int64_t strided, std::int64_t dense, std::int64_t count, std::int64_t stride) {
                 copy_row(from + strided, stride, to + dense, 1, count);
               });
}

template <class From, class To>
void copy_from_dense(const Packing& packing, const From* from, To* to, Workers& workers) {
  for_each_row(packing, workers,
               [&](std::int64_t strided, std::int64_t dense, std::int64_t count, std::int64_t stride) {
                 copy_row(from + dense, 1, to + strided, stride, count);
               });
}

}  // namespace baton::cpu
