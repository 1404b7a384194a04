#pragma once
// dtype: the element types of arrays and their C++ counterparts.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace baton {

enum class Dtype : std::uint8_t {
  boolean,  // one byte, 0 or 1
  s8,
  s16,
  s32,
  s64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  c64,   // complex of two f32
  c128,  // complex of two f64
};

inline constexpr int dtype_count = 15;

inline constexpr Dtype boolean = Dtype::boolean, s8 = Dtype::s8, s16 = Dtype::s16, s32 = Dtype::s32,
                       s64 = Dtype::s64, u8 = Dtype::u8, u16 = Dtype::u16, u32 = Dtype::u32, u64 = Dtype::u64,
                       f16 = Dtype::f16, bf16 = Dtype::bf16, f32 = Dtype::f32, f64 = Dtype::f64,
                       c64 = Dtype::c64, c128 = Dtype::c128;

/// IEEE binary16, as storage. Converts from and to float, rounding to nearest, ties to even.
struct float16 {
  std::uint16_t bits = 0;
  float16() = default;
  explicit float16(float value);
  explicit operator float() const;
};

/// The upper half of a float, as storage. Converts from and to float, rounding to nearest, ties to even.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  explicit bfloat16(float value);
  explicit operator float() const;
};

constexpr std::size_t size_of(Dtype d) {  // in bytes
  constexpr std::size_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(d)];
}
constexpr std::string_view name_of(Dtype d) {
  constexpr std::string_view names[] = {"bool", "s8",  "s16",  "s32", "s64", "u8",  "u16", "u32",
                                        "u64",  "f16", "bf16", "f32", "f64", "c64", "c128"};
  return names[static_cast<int>(d)];
}
constexpr bool is_signed(Dtype d) { return d >= Dtype::s8 && d <= Dtype::s64; }  // integers only
constexpr bool is_unsigned(Dtype d) { return d >= Dtype::u8 && d <= Dtype::u64; }
constexpr bool is_integer(Dtype d) { return d >= Dtype::s8 && d <= Dtype::u64; }  // not bool
constexpr bool is_real_floating(Dtype d) { return d >= Dtype::f16 && d <= Dtype::f64; }
constexpr bool is_complex(Dtype d) { return d >= Dtype::c64; }
constexpr bool is_inexact(Dtype d) { return d >= Dtype::f16; }  // floating or complex
/// The dtype of the parts of a complex dtype; the dtype itself otherwise.
constexpr Dtype real_of(Dtype d) { return d == c64 ? f32 : d == c128 ? f64 : d; }
/// The complex dtype with parts of at least this dtype.
constexpr Dtype complex_of(Dtype d) { return d == f64 || d == c128 ? c128 : c64; }

std::string show(Dtype);  // f32
std::ostream& operator<<(std::ostream&, Dtype);

/// The dtype that JAX gives two strongly typed operands (its lattice without weak types).
Dtype promote(Dtype a, Dtype b);

namespace detail {
template <class T>
struct dtype_of {};  // no member: T is not an element type
#define BATON_DTYPE(T, d)                    \
  template <>                                \
  struct dtype_of<T> {                       \
    static constexpr Dtype value = Dtype::d; \
  };
BATON_DTYPE(bool, boolean)
BATON_DTYPE(std::int8_t, s8)
BATON_DTYPE(std::int16_t, s16)
BATON_DTYPE(std::int32_t, s32)
BATON_DTYPE(std::int64_t, s64)
BATON_DTYPE(long long, s64)
BATON_DTYPE(std::uint8_t, u8)
BATON_DTYPE(std::uint16_t, u16)
BATON_DTYPE(std::uint32_t, u32)
BATON_DTYPE(std::uint64_t, u64)
BATON_DTYPE(unsigned long long, u64)
BATON_DTYPE(float16, f16)
BATON_DTYPE(bfloat16, bf16)
BATON_DTYPE(float, f32)
BATON_DTYPE(double, f64)
BATON_DTYPE(std::complex<float>, c64)
BATON_DTYPE(std::complex<double>, c128)
#undef BATON_DTYPE
}  // namespace detail

/// C++ types that can be elements of an Array.
template <class T>
concept Element = requires {
  detail::dtype_of<T>::value;
};

template <Element T>
inline constexpr Dtype dtype_of = detail::dtype_of<T>::value;

}  // namespace baton
