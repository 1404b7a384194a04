// fused: it gives what its body gives, equation by equation.
#include "ops/fused.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "trace/trace.h"

namespace baton {
namespace {

TEST(Fused, GivesWhatItsBodyGives) {
  const Type row{f32, {2, 3}};
  const Program body = make_program("body", {row, row}, [](const Arrays& in) -> Arrays {
    const Array product = lax::mul(in[0], in[1]);
    return {lax::neg(product), lax::reduce_sum(product, {1})};
  });
  const Array x({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}}), y({{2.f, 0.f, 1.f}, {-1.f, 1.f, 3.f}});
  const Arrays found = bind(ops::fused, {x, y}, ops::Fused{body}, {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].read<float>().vector(), (std::vector<float>{-2, 0, -3, 4, -5, -18}));
  EXPECT_EQ(found[1].read<float>().vector(), (std::vector<float>{5, 19}));
}

TEST(Fused, RefusesOperandsThatItsBodyDoesNotTake) {
  const Program body =
      make_program("body", {{f32, {2}}}, [](const Arrays& in) -> Arrays { return {lax::neg(in[0])}; });
  try {
    bind(ops::fused, {Array({1.f, 2.f, 3.f})}, ops::Fused{body}, {});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("fused: operand 0 must be f32[2], found f32[3]."), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace baton
