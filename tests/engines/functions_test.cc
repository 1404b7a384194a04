// functions: every function of f32 that kernels compute by formulas of their own, beside f64, with numbers
// below the normal ones and, as kernels run, without. The bounds are in units in the last place;
// BATON_ALL_NUMBERS tries every f32, which takes minutes.
#include "engines/cpu/code/functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <random>

#include "engines/cpu/code/compile.h"
#include "engines/cpu/floating.h"
#include "engines/cpu/instructions.h"
#include "ops/special.h"

namespace baton::cpu {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();

bool all_numbers() { return std::getenv("BATON_ALL_NUMBERS") != nullptr; }

/// z[i] = what(x[i], y[i]) over the range; y may be absent.
Compiled kernel(Do what, bool two, bool wide = true) {
  Coder c;
  const int x = c.pointer(0, f32), y = c.pointer(1, f32), z = c.pointer(2, f32);
  const auto loop = c.open(c.emit(Do::from, s64, false), c.emit(Do::until, s64, false), wide ? lanes : 1);
  const auto load = [&](int from) { return c.emit(Do::load, f32, wide, {from, loop.variable, -1}); };
  c.store(function_of_f32(c, what, load(x), two ? load(y) : -1), z, loop.variable);
  c.close();
  const Code code = c.finish();
  Alone alone;
  return compile(std::span(&code, 1), alone)[0];
}

class Kernel {
 public:
  Kernel(Do what, bool two, bool wide = true) : compiled_(kernel(what, two, wide)) {}
  void operator()(const std::vector<float>& x, const std::vector<float>& y, std::vector<float>& z,
                  Subnormal subnormal) const {
    const Floating floating(subnormal);
    void* const all[] = {const_cast<float*>(x.data()), const_cast<float*>(y.data()), z.data()};
    compiled_.function(all, 0, static_cast<std::int64_t>(x.size()));
  }
  /// Its code up to the end of the page.
  std::string beginning() const {
    constexpr std::uintptr_t page = 4096;
    const auto at = reinterpret_cast<std::uintptr_t>(compiled_.function);
    return {reinterpret_cast<const char*>(at), page - at % page};
  }

 private:
  Compiled compiled_;
};

/// How far y is from `exact`, in units in the last place of the f32 beside it; infinity where y is of another
/// kind, or a zero of another sign.
double units_off(float y, double exact) {
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) && std::isnan(y) ? 0 : infinity;
  const float rounded = static_cast<float>(exact);
  if (std::isinf(rounded) && std::isinf(y)) return y == rounded ? 0 : infinity;
  if (y == 0 && exact == 0) return std::signbit(y) == std::signbit(exact) ? 0 : infinity;
  constexpr double beyond = 0x1p128;  // what comes after the largest number
  const double value = std::isinf(y) ? std::copysign(beyond, y) : static_cast<double>(y);
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(exact) >> 52 & 0x7ff) - 1023;
  const double unit =
      std::bit_cast<double>(static_cast<std::uint64_t>(std::clamp(exponent, -126, 127) - 23 + 1023) << 52);
  return std::isinf(exact) ? infinity : std::abs(value - exact) / unit;
}

double flushed(double x) { return std::abs(x) < 0x1p-126 ? std::copysign(0., x) : x; }
/// The same where numbers below the normal ones are zero, or as good as that to whoever reads them.
double units_off_flushed(float y, double exact) {
  const double result = flushed(y);
  if (flushed(exact) == 0 && result == 0 && std::signbit(result) == std::signbit(exact)) return 0;
  return units_off(static_cast<float>(result), exact);
}

const std::vector<float>& specials() {
  static const std::vector<float> all = [] {
    std::vector<float> list = {0.f,
                               1.f,
                               0.5f,
                               2.f,
                               3.f,
                               4.f,
                               1.f / 3,
                               2.5f,
                               88.7228394f,
                               103.972f,
                               16777215.f,
                               16777216.f,
                               16777218.f,
                               1e9f,
                               34359738368.f,
                               34359742464.f,
                               std::nextafter(1.f, 0.f),
                               std::nextafter(1.f, 2.f),
                               std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::min(),
                               std::numeric_limits<float>::max(),
                               infinity,
                               nan};
    for (std::size_t i = list.size(); i-- > 0;) list.push_back(-list[i]);
    return list;
  }();
  return all;
}

struct Worst {
  double units = 0;
  float x = 0, y = 0;
  bool flushes = false;
  void see(double off, float at_x, float at_y, bool flushing) {
    if (off > units) units = off, x = at_x, y = at_y, flushes = flushing;
  }
};
std::ostream& operator<<(std::ostream& out, const Worst& w) {
  return out << std::hexfloat << w.x << " and " << w.y << (w.flushes ? ", without subnormal numbers" : "");
}

struct Row {
  Do what;
  const char* name;
  double (*exact)(double);
  double bound;
  std::uint64_t step = 509, step_of_all = 1;  // the exact erf_inv takes a microsecond
  bool has_subnormals = true;                 // or zero in their place, which kernels read anyway
};
double exact_erf_inv(double x) { return static_cast<double>(ops::special::erf_inv(x)); }

const Row rows[] = {{Do::exp, "exp", std::exp, 1.02, 509, 1, false},
                    {Do::exp2, "exp2", std::exp2, 0.88},
                    {Do::expm1, "expm1", std::expm1, 0.52},
                    {Do::log, "log", std::log, 0.86},
                    {Do::log1p, "log1p", std::log1p, 0.52},
                    {Do::logistic, "logistic", [](double x) { return 1 / (1 + std::exp(-x)); }, 1.02},
                    {Do::sin, "sin", std::sin, 0.52},
                    {Do::cos, "cos", std::cos, 0.52},
                    {Do::tan, "tan", std::tan, 0.55},
                    {Do::asin, "asin", std::asin, 0.52},
                    {Do::acos, "acos", std::acos, 0.52},
                    {Do::atan, "atan", std::atan, 0.52},
                    {Do::sinh, "sinh", std::sinh, 0.52},
                    {Do::cosh, "cosh", std::cosh, 0.52},
                    {Do::tanh, "tanh", std::tanh, 1.35},
                    {Do::asinh, "asinh", std::asinh, 0.52},
                    {Do::acosh, "acosh", std::acosh, 0.52},
                    {Do::atanh, "atanh", std::atanh, 0.52},
                    {Do::erf, "erf", std::erf, 1.15},
                    {Do::erfc, "erfc", std::erfc, 0.52},
                    {Do::erf_inv, "erf_inv", exact_erf_inv, 0.56, 4093, 17},
                    {Do::cbrt, "cbrt", std::cbrt, 0.52}};

class Functions : public ::testing::TestWithParam<Row> {};

TEST_P(Functions, AreWithinTheirBound) {
  const Row& row = GetParam();
  const Kernel f(row.what, false);
  Worst worst;
  std::vector<float> x(1 << 14), kept(1 << 14), zero(1 << 14);
  const auto look = [&] {
    f(x, {}, kept, Subnormal::kept), f(x, {}, zero, Subnormal::zero);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = row.exact(x[i]), of_flushed = flushed(x[i]);
      worst.see(row.has_subnormals ? units_off(kept[i], exact) : units_off_flushed(kept[i], exact), x[i], 0,
                false);
      worst.see(units_off_flushed(zero[i], of_flushed == x[i] ? exact : row.exact(of_flushed)), x[i], 0,
                true);
    }
  };
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = specials()[i % specials().size()];
  look();
  const std::uint64_t step = all_numbers() ? row.step_of_all : row.step, end = std::uint64_t{1} << 32;
  for (std::uint64_t next = 0; next < end;) {
    for (float& number : x) {
      number = std::bit_cast<float>(static_cast<std::uint32_t>(std::min(next, end - 1)));
      next += step;
    }
    look();
  }
  EXPECT_LE(worst.units, row.bound) << row.name << " of " << worst;
  if (std::getenv("BATON_SHOW_WORST"))
    std::printf("%-10s %.4f at %a\n", row.name, worst.units, static_cast<double>(worst.x));
}

/// So that no bit depends on where an element lies.
TEST_P(Functions, OfALaneAndOfAScalarAreTheSame) {
  const Row& row = GetParam();
  const Kernel wide(row.what, false), scalar(row.what, false, false);
  std::vector<float> x = specials(), y, z;
  std::mt19937 random(1);
  while (x.size() < 4096) x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  y.resize(x.size()), z.resize(x.size());
  for (const Subnormal subnormal : {Subnormal::zero, Subnormal::kept}) {
    wide(x, {}, y, subnormal), scalar(x, {}, z, subnormal);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_TRUE((std::isnan(y[i]) && std::isnan(z[i])) ||
                  std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(z[i]))
          << row.name << " of " << x[i];
  }
}

/// Whatever vectors the processor has.
TEST_P(Functions, OfNarrowVectorsAreTheSame) {
  if (instructions_of_processor() <= Instructions::avx2) GTEST_SKIP() << "this processor has no wider ones";
  const Row& row = GetParam();
  const Kernel wide(row.what, false);
  const NoWiderThan narrow(Instructions::avx2);
  const Kernel halves(row.what, false);
  EXPECT_NE(halves.beginning(), wide.beginning());  // so it is other code
  std::vector<float> x = specials();
  std::mt19937 random(1);
  while (x.size() < 65536) x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  std::vector<float> y(x.size()), z(x.size());
  wide(x, {}, y, Subnormal::zero), halves(x, {}, z, Subnormal::zero);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_TRUE((std::isnan(y[i]) && std::isnan(z[i])) ||
                std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(z[i]))
        << row.name << " of " << x[i];
}

INSTANTIATE_TEST_SUITE_P(Of, Functions, ::testing::ValuesIn(rows),
                         [](const auto& info) { return std::string(info.param.name); });

struct RowOfTwo {
  Do what;
  const char* name;
  double (*exact)(double, double);
  double bound;
};
const RowOfTwo rows_of_two[] = {{Do::pow, "pow", std::pow, 0.52}, {Do::atan2, "atan2", std::atan2, 0.52}};

class FunctionsOfTwo : public ::testing::TestWithParam<RowOfTwo> {};

/// All pairs of special values; then pairs of any bits, and pairs whose result is an ordinary number.
TEST_P(FunctionsOfTwo, AreWithinTheirBound) {
  const RowOfTwo& row = GetParam();
  const Kernel f(row.what, true);
  Worst worst;
  std::vector<float> x(1 << 14), y(1 << 14), kept(1 << 14), zero(1 << 14);
  const auto look = [&] {
    f(x, y, kept, Subnormal::kept), f(x, y, zero, Subnormal::zero);
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst.see(units_off(kept[i], row.exact(x[i], y[i])), x[i], y[i], false);
      worst.see(units_off_flushed(zero[i], row.exact(flushed(x[i]), flushed(y[i]))), x[i], y[i], true);
    }
  };
  const std::size_t n = specials().size();
  ASSERT_LE(n * n, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = specials()[i % n], y[i] = specials()[i / n % n];
  look();
  std::mt19937_64 random(1);
  const auto of_any_bits = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
  std::uniform_real_distribution<float> exponent(-20, 20);
  const std::int64_t pairs = all_numbers() ? 1'000'000'000 : 1'000'000;
  for (std::int64_t done = 0; done < pairs; done += static_cast<std::int64_t>(x.size())) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = of_any_bits();
      if (i % 4 == 0) {
        y[i] = of_any_bits();
      } else if (i % 4 == 1) {
        y[i] = std::nearbyint(exponent(random));
      } else {
        x[i] = std::exp2(exponent(random)), y[i] = exponent(random) / (i % 4 == 2 ? 1 : 5);
      }
    }
    look();
  }
  EXPECT_LE(worst.units, row.bound) << row.name << " of " << worst;
  if (std::getenv("BATON_SHOW_WORST")) std::printf("%-10s %.4f\n", row.name, worst.units);
}

INSTANTIATE_TEST_SUITE_P(Of, FunctionsOfTwo, ::testing::ValuesIn(rows_of_two),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace baton::cpu
