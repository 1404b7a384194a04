// golden_elementwise: Operators, promotion, elementwise functions.
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"add", "x r", [](const Arrays& a) -> Array { return a[0] + a[1]; }},
    {"add_int_float", "i y", [](const Arrays& a) -> Array { return a[0] + a[1]; }},
    {"add_bool", "b b", [](const Arrays& a) -> Array { return a[0] + a[1]; }},
    {"subtract", "r x", [](const Arrays& a) -> Array { return a[0] - a[1]; }},
    {"multiply_number", "x", [](const Arrays& a) -> Array { return 2.5 * a[0]; }},
    {"int_times_real", "i", [](const Arrays& a) -> Array { return a[0] * 2.5; }},
    {"divide", "x y", [](const Arrays& a) -> Array { return a[0] / a[1]; }},
    {"divide_int", "i j", [](const Arrays& a) -> Array { return a[0] / a[1]; }},
    {"floor_divide", "x y", [](const Arrays& a) -> Array { return floor_divide(a[0], a[1]); }},
    {"floor_divide_int", "i j", [](const Arrays& a) -> Array { return floor_divide(a[0], a[1]); }},
    {"remainder", "x y", [](const Arrays& a) -> Array { return remainder(a[0], a[1]); }},
    {"remainder_int", "i j", [](const Arrays& a) -> Array { return mod(a[0], a[1]); }},
    {"fmod", "x y", [](const Arrays& a) -> Array { return fmod(a[0], a[1]); }},
    {"power", "p y", [](const Arrays& a) -> Array { return power(a[0], a[1]); }},
    {"power_number", "x", [](const Arrays& a) -> Array { return power(a[0], 3); }},
    {"power_negative", "p", [](const Arrays& a) -> Array { return power(a[0], -2); }},
    {"power_int", "j k", [](const Arrays& a) -> Array { return power(a[1].at(range(3)), abs(a[0])); }},
    {"maximum", "x y", [](const Arrays& a) -> Array { return maximum(a[0], a[1]); }},
    {"minimum", "x r", [](const Arrays& a) -> Array { return minimum(a[0], a[1]); }},
    {"atan2", "x y", [](const Arrays& a) -> Array { return atan2(a[0], a[1]); }},
    {"hypot", "x y", [](const Arrays& a) -> Array { return hypot(a[0], a[1]); }},
    {"logaddexp", "x y", [](const Arrays& a) -> Array { return logaddexp(a[0], a[1]); }},
    {"copysign", "x y", [](const Arrays& a) -> Array { return copysign(a[0], a[1]); }},
    {"heaviside", "x", [](const Arrays& a) -> Array { return heaviside(a[0], 0.5); }},
    {"less", "x y", [](const Arrays& a) -> Array { return a[0] < a[1]; }},
    {"greater_equal", "i j", [](const Arrays& a) -> Array { return a[0] >= a[1]; }},
    {"equal", "i j", [](const Arrays& a) -> Array { return equal(a[0], a[1]); }},
    {"logical_and", "b x", [](const Arrays& a) -> Array { return logical_and(a[0], a[1]); }},
    {"logical_xor", "b i", [](const Arrays& a) -> Array { return logical_xor(a[0], a[1]); }},
    {"logical_not", "i", [](const Arrays& a) -> Array { return logical_not(a[0]); }},
    {"right_shift", "i", [](const Arrays& a) -> Array { return right_shift(a[0], 1); }},
    {"left_shift", "i", [](const Arrays& a) -> Array { return left_shift(a[0], 2); }},
    {"bitwise_not", "i", [](const Arrays& a) -> Array { return bitwise_not(a[0]); }},
    {"exp_int", "j", [](const Arrays& a) -> Array { return exp(a[0]); }},
    {"exp2", "x", [](const Arrays& a) -> Array { return exp2(a[0]); }},
    {"log2", "p", [](const Arrays& a) -> Array { return log2(a[0]); }},
    {"log10", "p", [](const Arrays& a) -> Array { return log10(a[0]); }},
    {"log1p", "p", [](const Arrays& a) -> Array { return log1p(a[0]); }},
    {"expm1", "x", [](const Arrays& a) -> Array { return expm1(a[0]); }},
    {"sqrt", "p", [](const Arrays& a) -> Array { return sqrt(a[0]); }},
    {"rsqrt", "p", [](const Arrays& a) -> Array { return rsqrt(a[0]); }},
    {"cbrt", "p", [](const Arrays& a) -> Array { return cbrt(a[0]); }},
    {"square", "x", [](const Arrays& a) -> Array { return square(a[0]); }},
    {"reciprocal", "x", [](const Arrays& a) -> Array { return reciprocal(a[0]); }},
    {"trigonometry", "x", [](const Arrays& a) -> Array { return sin(a[0]) + cos(a[0]) * tan(a[0]); }},
    {"inverses", "u", [](const Arrays& a) -> Array { return asin(a[0]) + acos(a[0]) * atan(a[0]); }},
    {"hyperbolic", "x", [](const Arrays& a) -> Array { return sinh(a[0]) + cosh(a[0]) * tanh(a[0]); }},
    {"hyper_inverses", "u", [](const Arrays& a) -> Array { return asinh(a[0]) + atanh(a[0]); }},
    {"acosh", "p", [](const Arrays& a) -> Array { return acosh(a[0] + 1); }},
    {"erf", "x", [](const Arrays& a) -> Array { return erf(a[0]) * erfc(a[0]); }},
    {"erf_inv", "u", [](const Arrays& a) -> Array { return erf_inv(a[0]); }},
    {"lgamma", "p", [](const Arrays& a) -> Array { return lgamma(a[0]); }},
    {"digamma", "p", [](const Arrays& a) -> Array { return digamma(a[0]); }},
    {"sign", "x", [](const Arrays& a) -> Array { return sign(a[0]); }},
    {"abs", "x", [](const Arrays& a) -> Array { return abs(a[0]); }},
    {"floor", "x", [](const Arrays& a) -> Array { return floor(a[0]); }},
    {"ceil", "x", [](const Arrays& a) -> Array { return ceil(a[0]); }},
    {"trunc", "x", [](const Arrays& a) -> Array { return trunc(a[0]); }},
    {"round", "x", [](const Arrays& a) -> Array { return round(a[0]); }},
    {"round_decimals", "u", [](const Arrays& a) -> Array { return round(a[0], 1); }},
    {"isnan", "odd", [](const Arrays& a) -> Array { return isnan(a[0]); }},
    {"isinf", "odd", [](const Arrays& a) -> Array { return isinf(a[0]); }},
    {"isfinite", "odd", [](const Arrays& a) -> Array { return isfinite(a[0]); }},
    {"nan_to_num", "odd", [](const Arrays& a) -> Array { return nan_to_num(a[0], {.nan = 2, .neginf = -9}); }},
    {"where", "b x r", [](const Arrays& a) -> Array { return where(a[0], a[1], a[2]); }},
    {"where_number", "b x", [](const Arrays& a) -> Array { return where(a[0], a[1], 0); }},
    {"clip", "x", [](const Arrays& a) -> Array { return clip(a[0], -1, 1.75); }},
    {"isclose", "x", [](const Arrays& a) -> Array { return isclose(a[0], a[0] + Array({1e-7f, 1e-3f, 0.f})); }},
    {"astype", "x", [](const Arrays& a) -> Array { return astype(a[0], s32); }},
};
// clang-format on

TEST(Golden, Elementwise) { check_golden(cases); }

}  // namespace
}  // namespace baton
