#pragma once
// rules: what the files of primitives share: messages of type rules, generic rules, and bind in short.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/element.h"
#include "base/text.h"
#include "baton/lax.h"
#include "program/primitive.h"
#include "trace/trace.h"

namespace baton::ops {

// ---- type rules
// ---------------------------------------------------------------------------------------------------

/// Which dtypes an operand may have.
enum class Domain { any, number, inexact, real, real_floating, integer, bits, complex, ordered };
//                  number: not bool; real: not complex, not bool; bits: integers and bool; ordered: not
//                  complex

bool contains(Domain, Dtype);
/// Throws "name: operand i must be ..., found f32[2]".
void require_dtype(std::string_view name, std::span<const Type> in, int operand, Domain);
void require_count(std::string_view name, std::span<const Type> in, std::size_t count);
void require_same_type(std::string_view name, std::span<const Type> in);  // all operands alike
/// 0 <= axis < rank, or throws.
void require_axis(std::string_view name, const Type& operand, std::int64_t axis);
/// All different and in range, or throws.
void require_axes(std::string_view name, const Type& operand, const std::vector<std::int64_t>& axes);

// ---- small things
// ----------------------------------------------------------------------------------------------------

/// An axis or an index as C++ containers count.
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
inline bool holds(const std::vector<std::int64_t>& list, std::int64_t x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

/// The product of two numbers of a shape, held at the largest number where it overflows; result types refuse
/// that.
inline std::int64_t extent_product(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::int64_t{1} << 60 : product;
}

// ---- generic rules
// ------------------------------------------------------------------------------------------------

/// An axis counted from the end if negative.
inline std::int64_t canonical_axis(std::int64_t axis, std::int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}
/// The batch axis moved to the front; without one, the value itself.
Array batch_to_front(const Batched&);
/// The batch axis at the front, made by broadcasting where there is none.
Array with_batch(const Batched&, const BatchAxis&);
/// Moves an axis of an array.
Array move_axis(const Array&, int from, int to);
/// Where axis `axis` of the unbatched value lands once the batch axis is at `batch`.
inline std::int64_t shifted(std::int64_t axis, int batch) { return axis < batch ? axis : axis + 1; }

Array zeros_like(const Array&);
Array zeros_of(const Type&);
/// The jvp of what has the derivative zero everywhere.
inline Arrays zero_jvp(const Arrays&, const Arrays& outs, const Arrays&, const Params&) {
  return Arrays(outs.size());
}
/// The sum of two cotangents or tangents, of which either may be empty.
Array add_any(const Array&, const Array&);
/// A scalar Program (a, b) -> op(a, b).
Program scalar_program(const Primitive& op, Dtype dtype);

// ---- indices of dense arrays
// --------------------------------------------------------------------------------------

/// Row-major strides, in elements.
std::vector<std::int64_t> strides_of(const Shape&);
/// Counts through the indices of a shape in row-major order.
class Counter {
 public:
  explicit Counter(const Shape& shape) : shape_(shape), index_(shape.size()) {
    for (std::int64_t extent : shape) done_ = done_ || extent == 0;
  }
  bool done() const { return done_; }
  void next() {
    for (std::size_t k = index_.size(); k-- > 0;) {
      if (++index_[k] < shape_[k]) return;
      index_[k] = 0;
    }
    done_ = true;
  }
  const std::vector<std::int64_t>& index() const { return index_; }
  std::int64_t operator[](std::size_t k) const { return index_[k]; }

 private:
  Shape shape_;
  std::vector<std::int64_t> index_;
  bool done_ = false;
};
inline std::int64_t offset_of(const std::vector<std::int64_t>& index,
                              const std::vector<std::int64_t>& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}
/// Copies one element between views of one dtype, by position.
inline void copy_element(const View& to, std::int64_t i, const View& from, std::int64_t j) {
  const std::size_t width = size_of(to.dtype());
  std::memcpy(static_cast<char*>(to.data) + i * static_cast<std::int64_t>(width),
              static_cast<const char*>(from.data) + j * static_cast<std::int64_t>(width), width);
}
/// An integer element of any integer dtype, u64 above the range of s64 excluded.
std::int64_t integer_at(const View&, std::int64_t i);

// ---- one precision up
// ---------------------------------------------------------------------------------------------

template <class T>
struct wide {
  using type = T;
};
template <>
struct wide<float16> {
  using type = double;
};
template <>
struct wide<bfloat16> {
  using type = double;
};
template <>
struct wide<float> {
  using type = double;
};
template <>
struct wide<double> {
  using type = long double;
};
template <>
struct wide<std::complex<float>> {
  using type = std::complex<double>;
};
template <>
struct wide<std::complex<double>> {
  using type = std::complex<long double>;
};
/// The type that the reference computes in: double for f16, bf16 and f32, long double for f64, complex
/// likewise.
template <class T>
using wide_t = typename wide<T>::type;

template <class T>
wide_t<T> widen(T x) {
  if constexpr (is_half_v<T>)
    return static_cast<double>(static_cast<float>(x));
  else if constexpr (is_complex_v<T>)
    return wide_t<T>(x.real(), x.imag());
  else
    return static_cast<wide_t<T>>(x);
}
/// Rounds back. Also from a wider type of the same kind.
template <class T, class W>
T narrow(W x) {
  if constexpr (is_half_v<T>)
    return to_half<T>(static_cast<double>(x));
  else if constexpr (is_complex_v<T>)
    return T(static_cast<typename T::value_type>(x.real()), static_cast<typename T::value_type>(x.imag()));
  else
    return static_cast<T>(x);
}

}  // namespace baton::ops
