#pragma once
// fft: the parameters of the primitive, for engines.
#include "ops/rules.h"

namespace baton {
namespace ops {
inline constexpr std::string_view fft_names[] = {"fft", "ifft", "rfft", "irfft"};
}
template <>
inline constexpr std::span<const std::string_view> enum_names<lax::FftType> = ops::fft_names;

namespace ops {
extern const Primitive fft;

struct Fft {
  lax::FftType kind = lax::FftType::fft;
  std::vector<std::int64_t> lengths;  // of the signal, on the last axes
  BATON_FIELDS(kind, lengths)
};

}  // namespace ops
}  // namespace baton
