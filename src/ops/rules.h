#pragma once
// rules: what the files of primitives share: messages of type rules, generic rules, and bind in short.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
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

constexpr bool contains(Domain domain, Dtype d) {
  switch (domain) {
    case Domain::any:
      return true;
    case Domain::number:
      return d != Dtype::boolean;
    case Domain::inexact:
      return is_inexact(d);
    case Domain::real:
      return is_integer(d) || is_real_floating(d);
    case Domain::real_floating:
      return is_real_floating(d);
    case Domain::integer:
      return is_integer(d);
    case Domain::bits:
      return is_integer(d) || d == Dtype::boolean;
    case Domain::complex:
      return is_complex(d);
    case Domain::ordered:
      return !is_complex(d);
  }
  return false;
}
/// The same for the element type that stands for a dtype.
template <Domain domain, class T>
inline constexpr bool admits = contains(domain, dtype_of<T>);
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

/// The axes of this rank that are not in the list, rising.
std::vector<std::int64_t> other_axes(std::int64_t rank, const std::vector<std::int64_t>& axes);

/// The product of two numbers of a shape, held at the largest number where it overflows; result types refuse
/// that.
inline std::int64_t extent_product(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::int64_t{1} << 60 : product;
}
/// An extent with holes between its elements: element i at i * dilation.
inline std::int64_t with_holes(std::int64_t extent, std::int64_t dilation) {
  return extent == 0 ? 0 : extent_product(extent - 1, dilation) + 1;
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
/// The batch rule of what needs no other Params over a batch: all operands with the batch at the front, and
/// so all results.
std::vector<Batched> batch_at_front(const Primitive&, const BatchAxis&, std::span<const Batched> in,
                                    const Params&);
template <const Primitive& self>
std::vector<Batched> batch_at_front(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                                    Transformer&) {
  return batch_at_front(self, axis, in, params);
}
/// Moves an axis of an array.
Array move_axis(const Array&, int from, int to);
/// An axis cut into `parts` and the rest.
Array split_axis(const Array&, std::int64_t axis, std::int64_t parts);
/// Axis `first` and the next one made one.
Array merge_axes(const Array&, std::int64_t first);
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
/// The jvp of what is linear in each of its two operands, the other held.
template <const Primitive& self>
Arrays bilinear_jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  // Named, since C++ fixes no order of arguments.
  const Array left = dx[0].empty() ? Array() : bind_one(self, {dx[0], x[1]}, params, {});
  const Array right = dx[1].empty() ? Array() : bind_one(self, {x[0], dx[1]}, params, {});
  return {add_any(left, right)};
}
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
/// Copies all elements of a view. The memory of no elements may be null.
inline void copy_all(const View& to, const void* from) {
  if (const std::size_t bytes = to.type->bytes()) std::memcpy(to.data, from, bytes);
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

// ---- the larger of two
// ---------------------------------------------------------------------------------------------

template <class T>
bool is_nan(T x) {
  if constexpr (is_complex_v<T>)
    return std::isnan(x.real()) || std::isnan(x.imag());
  else if constexpr (std::is_integral_v<T>)
    return false;
  else
    return std::isnan(x);
}

namespace detail {
/// -0 below 0, so that the larger of many does not depend on their order.
template <class T>
bool below(T x, T y) {
  if constexpr (is_complex_v<T>)
    return x.real() != y.real() ? x.real() < y.real() : below(x.imag(), y.imag());
  else if constexpr (std::is_integral_v<T>)
    return x < y;
  else
    return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}
}  // namespace detail

/// The larger of two elements, one precision up. A NaN wins, -0 is below 0; complex numbers compare by real,
/// then by imaginary part. Every maximum of the library is this one.
struct Larger {
  template <class T>
  static T start() {
    if constexpr (is_complex_v<T>)
      return T(start<typename T::value_type>(), start<typename T::value_type>());
    else if constexpr (is_half_v<T>)
      return T(-std::numeric_limits<float>::infinity());
    else if constexpr (std::is_floating_point_v<T>)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  template <class W>
  W operator()(W x, W y) const {
    if (is_nan(x)) return x;
    if (is_nan(y)) return y;
    return detail::below(x, y) ? y : x;
  }
};
struct Smaller {
  template <class T>
  static T start() {
    if constexpr (is_complex_v<T>)
      return T(start<typename T::value_type>(), start<typename T::value_type>());
    else if constexpr (is_half_v<T>)
      return T(std::numeric_limits<float>::infinity());
    else if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
  template <class W>
  W operator()(W x, W y) const {
    if (is_nan(x)) return x;
    if (is_nan(y)) return y;
    return detail::below(y, x) ? y : x;
  }
};

}  // namespace baton::ops
