// reduce: any combiner of several operands, over any axes.
#include <gtest/gtest.h>

#include "engines/threads.h"
#include "ops/combiner.h"

namespace baton {
namespace {

/// The largest value and where it stands; of equals the first.
Program largest() {
  const Type x{f32, {}}, k{s32, {}};
  return make_program("largest", {x, k, x, k}, [](const Arrays& in) -> Arrays {
    const Array stays = lax::ge(in[0], in[2]);
    return {lax::select(stays, in[0], in[2]), lax::select(stays, in[1], in[3])};
  });
}

TEST(Reduce, SeveralOperandsOverAnyAxes) {
  testing::Random random("reduce");
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{40, 30, 1}, Shape{2, 0, 3}, Shape{0, 2, 2}})
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}, {}}) {
      const Types types = {{f32, shape}, {s32, shape}, {f32, {}}, {s32, {}}};
      const Program program = testing::program_of(ops::reduce, types, ops::Reduce{axes, largest()});
      SCOPED_TRACE(program.text());
      Array values = testing::draw_direction(types[0], random);
      values = lax::floor(lax::mul(values, 4));  // some are equal
      const Array places = lax::reshape(lax::iota({s32, {types[0].size()}}, 0, {}), shape);
      const Arrays operands = {values, places, Array(-std::numeric_limits<float>::infinity()), Array(-1)};
      testing::expect_bits_of_the_reference(program, operands);
    }
}

}  // namespace
}  // namespace baton
