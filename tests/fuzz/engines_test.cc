// engines: random Programs under transforms, the same on the cpu engine as on the reference.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/cpu/cpu.h"
#include "engines/reference/reference.h"
#include "fuzz/function.h"

namespace baton::testing {
namespace {

TEST(Engines, RandomProgramsGiveTheSame) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto f = [seed](const Array& x, const Array& y) { return random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    SeededNumbers random(seed);
    const Array x = random_array({f64, {3}}, random), y = random_array({f64, {2, 3}}, random);
    for (const Program& p : {trace(f, x, y), trace(grad(loss), x, y), trace(grad(checkpoint(loss)), x, y)}) {
      const Arrays want = reference::compile(p, {})->run({x, y}), found = cpu::compile(p, {})->run({x, y});
      ASSERT_EQ(found.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k) {
        ASSERT_EQ(found[k].type(), want[k].type());
        const auto x = found[k].read<double>().vector(), y = want[k].read<double>().vector();
        double scale = 1;  // sums of such terms may cancel
        for (double v : y) scale = std::max(scale, std::fabs(v));
        for (std::size_t i = 0; i < x.size(); ++i)
          EXPECT_NEAR(x[i], y[i], 1e-12 * scale) << "element " << i << " of " << k << "\n" << p;
      }
    }
  }
}

}  // namespace
}  // namespace baton::testing
