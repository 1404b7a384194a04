// scatter: every kind in every dtype beside the reference, with windows that threads share.
#include "ops/scatter.h"

#include "engines/threads.h"

namespace baton {
namespace {

using testing::Random;

/// Rows of the operand by index; some indices lie outside, some are named twice.
const ops::Scatter rows{{1}, {0}, {0}, {}, {}};

Arrays operands_of(Dtype dtype, std::int64_t columns, Random& random) {
  const auto values = [&](const Shape& shape) {
    const Type type{dtype, shape};
    return is_inexact(dtype) ? testing::draw_direction(type, random) : testing::specials(type, random);
  };
  const Array indices = testing::from_elements({s32, {9, 1}}, {3, 0, 12, 3, 5, -1, 3, 10, 0});
  return {values({11, columns}), indices, values({9, columns})};
}

void expect_what_the_reference_gives(const Primitive& primitive, Dtype dtype, double slack) {
  Random random(std::string(primitive.name) + std::string(name_of(dtype)));
  const Arrays operands = operands_of(dtype, 37, random);
  const Program program =
      testing::program_of(primitive, {operands[0].type(), operands[1].type(), operands[2].type()}, rows);
  SCOPED_TRACE(program.text());
  cpu::Alone alone;
  const Array found = testing::run_kernel(*testing::own_kernel_of(program), program, operands, alone);
  EXPECT_EQ(testing::difference(found, testing::run(program, operands)[0], slack), "");
}

TEST(Scatter, EveryKindInEveryDtype) {
  for (int d = 0; d < dtype_count; ++d) {
    const Dtype dtype = static_cast<Dtype>(d);
    expect_what_the_reference_gives(ops::scatter, dtype, 0);
    if (dtype == boolean) continue;
    for (const Primitive* p : {&ops::scatter_add, &ops::scatter_mul, &ops::scatter_sub})
      expect_what_the_reference_gives(*p, dtype, 4);
    if (is_complex(dtype)) continue;
    for (const Primitive* p : {&ops::scatter_max, &ops::scatter_min})
      expect_what_the_reference_gives(*p, dtype, 0);
  }
}

TEST(Scatter, AnyNumberOfWorkersGivesTheSameBits) {
  Random random("workers");
  for (Dtype dtype : {f32, bf16}) {
    const Arrays operands = operands_of(dtype, 9000, random);
    for (const Primitive* p : {&ops::scatter, &ops::scatter_add}) {
      const Program program =
          testing::program_of(*p, {operands[0].type(), operands[1].type(), operands[2].type()}, rows);
      testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(program), program, operands);
    }
  }
}

}  // namespace
}  // namespace baton
