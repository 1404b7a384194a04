// runner: programs on arrays whose memory the results may take.
#include "interop/runner.h"

#include <gtest/gtest.h>

#include "arrays.h"
#include "baton/stablehlo.h"

namespace baton {
namespace {

Array pair(float a, float b) { return Array({a, b}); }

/// An output that is the donated input, beside one that could take its memory.
TEST(Runner, R23_AnOutputThatIsADonatedInputKeepsItsValue) {
  const Program p = import_stablehlo(R"(
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0, %a : tensor<2xf32>, tensor<2xf32>
})");
  std::string report;
  const Arrays out = run_program(p, {pair(1, 2)}, {true}, &report);
  EXPECT_EQ(text(out[0]), text(pair(2, 4)));
  EXPECT_EQ(text(out[1]), text(pair(1, 2)));
  EXPECT_EQ(report.substr(0, report.find('\n')), "in.0 f32[2]: it is out.1, 8 bytes");
}

TEST(Runner, DonatedInputsMaySwap) {
  const Program p = import_stablehlo(R"(
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %b, %a : tensor<2xf32>, tensor<2xf32>
})");
  for (const std::vector<bool>& donate : {std::vector<bool>{}, {true}, {false, true}, {true, true}}) {
    const Arrays out = run_program(p, {pair(1, 2), pair(3, 4)}, donate);
    EXPECT_EQ(text(out[0]), text(pair(3, 4)));
    EXPECT_EQ(text(out[1]), text(pair(1, 2)));
  }
}

TEST(Runner, ADonatedInputThatIsReturnedTwice) {
  const Program p = import_stablehlo(R"(
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %a, %a, %0 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
})");
  const Arrays out = run_program(p, {pair(1, 2)}, {true});
  EXPECT_EQ(text(out[0]), text(pair(1, 2)));
  EXPECT_EQ(text(out[1]), text(pair(1, 2)));
  EXPECT_EQ(text(out[2]), text(pair(-1, -2)));
  EXPECT_NE(out[0].data(), out[1].data());
}

TEST(Runner, TheReportSaysWhatBecomesOfEachInput) {
  const Program p = import_stablehlo(R"(
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  Arrays in{pair(1, 2), Array({1.f, 2.f, 3.f})};
  const void* memory = in[0].data();
  std::string report;
  const Arrays out = run_program(p, std::move(in), {true, true}, &report);
  EXPECT_EQ(out[0].data(), memory);
  EXPECT_EQ(report.substr(0, report.find("peak")),
            "in.0 f32[2]: its memory is reused by out.0, 8 bytes\n"
            "in.1 f32[3]: not usable: no output of type f32[3] is left, 12 bytes\n");
}

}  // namespace
}  // namespace baton
