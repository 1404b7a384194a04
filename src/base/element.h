#pragma once
// element: from a run-time dtype to a C++ type, and conversions of single elements with JAX's meaning.
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>

#include "baton/dtype.h"

namespace baton {

template <class T>
struct Tag {
  using type = T;
};

/// Calls f(Tag<T>{}) with the C++ type of the dtype.
template <class F>
decltype(auto) with_type(Dtype d, F&& f) {
  switch (d) {
    case Dtype::boolean:
      return f(Tag<bool>{});
    case Dtype::s8:
      return f(Tag<std::int8_t>{});
    case Dtype::s16:
      return f(Tag<std::int16_t>{});
    case Dtype::s32:
      return f(Tag<std::int32_t>{});
    case Dtype::s64:
      return f(Tag<std::int64_t>{});
    case Dtype::u8:
      return f(Tag<std::uint8_t>{});
    case Dtype::u16:
      return f(Tag<std::uint16_t>{});
    case Dtype::u32:
      return f(Tag<std::uint32_t>{});
    case Dtype::u64:
      return f(Tag<std::uint64_t>{});
    case Dtype::f16:
      return f(Tag<float16>{});
    case Dtype::bf16:
      return f(Tag<bfloat16>{});
    case Dtype::f32:
      return f(Tag<float>{});
    case Dtype::f64:
      return f(Tag<double>{});
    case Dtype::c64:
      return f(Tag<std::complex<float>>{});
    case Dtype::c128:
      return f(Tag<std::complex<double>>{});
  }
  __builtin_unreachable();
}

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;
template <class T>
inline constexpr bool is_half_v = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_real_v = std::is_floating_point_v<T> || is_half_v<T>;

/// Rounds a real number to a 16-bit float once, to nearest, ties to even, also where double -> float would
/// round first.
template <class H>
H to_half(double x) {
  const float f = static_cast<float>(x);
  if (static_cast<double>(f) == x || std::isnan(x) || std::isinf(f)) return H(f);
  // Round to odd on the way: the last bit of the float remembers that something was cut off.
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(x)) --bits;
  return H(__builtin_bit_cast(float, bits | 1u));
}

/// The same from an integer. One of 64 bits may be longer than a double: its low bits become one sticky bit
/// first.
template <class H, class I>
H integer_to_half(I x) {
  if constexpr (sizeof(I) == 8) {
    const bool negative = std::is_signed_v<I> && x < 0;
    std::uint64_t magnitude = static_cast<std::uint64_t>(x);
    if (negative) magnitude = 0 - magnitude;
    if (magnitude >> 53) magnitude = (magnitude & ~std::uint64_t{0x7ff}) | (magnitude & 0x7ff ? 0x800 : 0);
    const double d = static_cast<double>(magnitude);
    return to_half<H>(negative ? -d : d);
  } else {
    return to_half<H>(static_cast<double>(x));
  }
}

/// Converts an element as XLA does: real to integer truncates and saturates (NaN gives 0), complex drops its
/// imaginary part, integer to integer wraps, anything to bool is "not zero".
template <class To, class From>
To convert_element(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_half_v<From>) {
    return convert_element<To>(static_cast<float>(x));
  } else if constexpr (is_complex_v<From>) {
    if constexpr (is_complex_v<To>) {
      return To(static_cast<typename To::value_type>(x.real()),
                static_cast<typename To::value_type>(x.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return x.real() != 0 || x.imag() != 0;
    } else {
      return convert_element<To>(x.real());
    }
  } else if constexpr (is_complex_v<To>) {
    return To(convert_element<typename To::value_type>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (is_half_v<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return to_half<To>(static_cast<double>(x));
    else
      return integer_to_half<To>(x);
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(x)) return To{};
    constexpr auto low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    if (x <= static_cast<From>(low)) return low;
    if (x >= static_cast<From>(high)) return high;
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace baton
