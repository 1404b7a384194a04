// engines: random Programs under transforms, the same on the cpu engine as on the reference.
#include <gtest/gtest.h>

#include <cstring>

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
    Random random(seed);
    const Array x = random_array({f64, {3}}, random), y = random_array({f64, {2, 3}}, random);
    for (const Program& p : {trace(f, x, y), trace(grad(loss), x, y), trace(grad(checkpoint(loss)), x, y)}) {
      const Arrays want = reference::compile(p, {})->run({x, y}), found = cpu::compile(p, {})->run({x, y});
      ASSERT_EQ(found.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k) {
        ASSERT_EQ(found[k].type(), want[k].type());
        EXPECT_EQ(std::memcmp(found[k].data(), want[k].data(), want[k].type().bytes()), 0) << k << "\n" << p;
      }
    }
  }
}

}  // namespace
}  // namespace baton::testing
