// limits: what a user can ask that cannot be: each is a UsageError that says so, and nothing else happens.
#include <gtest/gtest.h>

#include <limits>

#include "baton/baton.h"

namespace baton {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t large = std::int64_t{1} << 40;

template <class F>
std::string error(F f) {
  try {
    f();
  } catch (const UsageError& e) {
    const std::string text = e.what();
    return text.substr(0, text.find('\n'));
  }
  return "no error";
}

TEST(Limits, ShapesBeyondMemoryAreRefused) {
  EXPECT_EQ(error([] {
              lax::broadcast_in_dim(1.f, {large, large}, {});
            }),
            "broadcast_in_dim: the shape (1099511627776,1099511627776) has too many elements.");
  EXPECT_EQ(error([] { lax::full({most}, 1.f); }),
            "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
  EXPECT_EQ(error([] {
              lax::iota({f32, {large, large}}, 0);
            }),
            "iota: the shape (1099511627776,1099511627776) has too many elements.");
  EXPECT_EQ(error([] {
              lax::pad(Array({1.f, 2.f}), 0.f, {{large, 0, most}});
            }),
            "pad: 9223372036854775807 for interior is beyond what a shape can have.");
  EXPECT_NE(error([] { lax::reshape(Array({1.f, 2.f}), {std::int64_t{1} << 62, 8, 0}); }), "no error");
  EXPECT_NE(error([] {
              lax::dot_general(lax::zeros({f32, {large, 0}}), lax::zeros({f32, {0, large}}),
                               {.lhs_contract = {1}, .rhs_contract = {0}});
            }),
            "no error");
  EXPECT_NE(
      error([] { vmap([](const Array& x) { return x; }, {.in = {whole}, .axis_size = most})(Array(1.f)); }),
      "no error");
  EXPECT_NE(
      error([] {
        scan([](const Array& c, Nothing) { return Step{c, c}; }, Array(1.f), Nothing{}, {.length = most});
      }),
      "no error");
  EXPECT_EQ(error([] { abstract({f32, {-1}}); }), "abstract: an extent of the shape (-1) is negative.");
  EXPECT_NE(error([] { Program::parse("{ a:f32[-1] -> return a }"); }), "no error");
}

TEST(Limits, CountersOfLoopsMustFit) {
  const auto loop = [](Operand low, Operand high) {
    return fori_loop(
        low, high, [](const Array&, const Array& c) { return c; }, Array(1.f));
  };
  EXPECT_EQ(error([&] { loop(0, large); }),
            "the number 1099511627776 is not a value of s32, the dtype of the array beside it.");
  EXPECT_NE(error([&] { loop(least, most); }), "no error");
  EXPECT_EQ(loop(5, -5).item(), 1.f);
}

TEST(Limits, IndicesOfBranchesAreClampedInTheirOwnDtype) {
  const std::vector<Array (*)(Array)> branches = {[](Array x) { return x; },
                                                  [](Array x) { return lax::neg(x); }};
  for (const Array& beyond : {Array(most), Array(std::uint64_t{1} << 63), Array(std::uint32_t{1} << 31),
                              Array(std::int64_t{1} << 32)})
    EXPECT_EQ(switch_case(beyond, branches, Array(1.f)).item(), -1.f) << show(beyond.type());
  for (const Array& below : {Array(least), Array(std::int8_t{-128}), Array(std::uint64_t{0})})
    EXPECT_EQ(switch_case(below, branches, Array(1.f)).item(), 1.f) << show(below.type());
}

TEST(Limits, NumbersBesideU64MayUseAllItsBits) {
  const std::uint64_t top = std::uint64_t{1} << 63;
  EXPECT_EQ(lax::max(Array(std::uint64_t{1}), top).item<std::uint64_t>(), top);
  EXPECT_EQ(lax::bitwise_xor(Array(top), 0x9E3779B97F4A7C15u).item<std::uint64_t>(),
            top ^ 0x9E3779B97F4A7C15u);
  EXPECT_EQ(lax::mul(Array(1.0), top).item<double>(), 0x1p63);
  EXPECT_EQ(error([&] { lax::add(Array(std::int64_t{1}), top); }),
            "the number 9223372036854775808 is not a value of s64, the dtype of the array beside it.");
}

TEST(Limits, MemoryOfOthersMustBeAligned) {
  alignas(8) float memory[] = {1, 2, 3};
  const void* odd = reinterpret_cast<const char*>(memory) + 2;
  EXPECT_EQ(Array::borrow({f32, {2}}, memory + 1).read<float>()[1], 3);
  EXPECT_EQ(error([&] {
              Array::borrow({f32, {2}}, odd);
            }),
            "Array::borrow: memory for f32[2] must be aligned to 4 bytes, found another address.");
  EXPECT_EQ(error([&] {
              Array::adopt({s32, {2}}, nullptr, [](void*, void*) {});
            }),
            "Array::adopt: the values of s32[2] are required, found a null pointer.");
  EXPECT_EQ(Array::borrow({f32, {0}}, nullptr).size(), 0);
}

TEST(Limits, AnyByteButZeroIsTrue) {
  const unsigned char bytes[] = {0, 7, 255};
  for (const Array& a :
       {Array({boolean, {3}}, bytes), Array::copy({boolean, {3}}, bytes, std::vector<std::int64_t>{1})})
    EXPECT_EQ(lax::convert_element_type(a, s32).read<int>().vector(), (std::vector<int>{0, 1, 1}));
}

TEST(Limits, AnArrayCopiedInsideATraceIsNoCapture) {
  auto f = jit([](const Array& x) {
    const float values[] = {1, 0, 2};
    return lax::mul(x, Array::copy({f32, {2}}, values, std::vector<std::int64_t>{8}));
  });
  for (float x : {1.f, 2.f}) EXPECT_EQ(f(Array({x, x})).read<float>()[1], 2 * x);
}

TEST(Limits, CollectivesOverNoLanes) {
  const VmapOptions lanes{.axis_name = "i"};
  const Array none = lax::zeros({f32, {0, 2}});
  EXPECT_EQ(vmap([](const Array& x) { return lax::psum(x, "i"); }, lanes)(none).shape(), (Shape{0, 2}));
  EXPECT_EQ(
      error([&] { vmap([](const Array& x) { return lax::all_to_all(x, "i", 0, 0, true); }, lanes)(none); }),
      "all_to_all: at least one lane is required, found 0.");
  EXPECT_EQ(
      error([&] { vmap([](const Array& x) { return lax::psum_scatter(x, "i", 0, true); }, lanes)(none); }),
      "psum_scatter: at least one lane is required, found 0.");
}

TEST(Limits, AFunctionThatCallsItsOwnJitEndlessly) {
  struct Endless {
    static Jit<Array(Array)>& self() {
      static Jit<Array(Array)> f = jit([](Array x) { return self()(lax::sin(x)); }, {.name = "endless"});
      return f;
    }
  };
  EXPECT_NE(error([] {
              Endless::self()(Array(1.f));
            }).find("the function calls itself with arguments of the same types"),
            std::string::npos);
  EXPECT_NE(error([] { Endless::self()(Array(1.f)); }).find("the function calls itself"),
            std::string::npos);  // again
}

}  // namespace
}  // namespace baton
