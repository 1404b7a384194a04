// dtype: conversions of the two 16-bit floats, promotion, and names.
#include "baton/dtype.h"

#include <bit>
#include <ostream>

namespace baton {

bfloat16::bfloat16(float value) {
  const auto u = std::bit_cast<std::uint32_t>(value);
  if ((u & 0x7fffffffu) > 0x7f800000u) {
    bits = static_cast<std::uint16_t>((u >> 16) | 0x40u);  // stays a NaN, made quiet
  } else {
    bits = static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
  }
}
bfloat16::operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

float16::float16(float value) {
  const auto u = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (u >> 16) & 0x8000u;
  const std::uint32_t magnitude = u & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);  // NaN
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u;  // at least 65520: rounds to infinity
  } else if (magnitude >= 0x38800000u) {
    half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;  // normal
  } else if (magnitude >= 0x33000000u) {
    const int shift = 126 - static_cast<int>(magnitude >> 23);  // 14..24: subnormal, in units of 2^-24
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
    half = mantissa >> shift;
    if (rest > middle || (rest == middle && (half & 1u))) ++half;
  } else {
    half = 0;
  }
  bits = static_cast<std::uint16_t>(sign | half);
}
float16::operator float() const {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 0x1fu,
                      mantissa = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float subnormal = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -subnormal : subnormal;
}

std::string show(Dtype d) { return std::string(name_of(d)); }
std::ostream& operator<<(std::ostream& out, Dtype d) { return out << name_of(d); }

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  if (a > b) return promote(b, a);  // now a < b in the order of the enum
  if (a == boolean) return b;
  if (is_complex(b)) return real_of(b) == f64 || a == f64 || a == c128 ? c128 : c64;
  if (is_real_floating(b)) {
    if (is_integer(a)) return b;
    if (a == f16 && b == bf16) return f32;
    return b;
  }
  // Two integers. A signed and an unsigned one meet in a signed one of the next width, and beyond s64 in f64,
  // as in JAX with 64-bit types on.
  if (is_signed(a) == is_signed(b)) return b;
  const std::size_t need = size_of(b) * 2;
  if (size_of(a) >= need) return a;
  switch (need) {
    case 2:
      return s16;
    case 4:
      return s32;
    case 8:
      return s64;
    default:
      return f64;
  }
}

}  // namespace baton
