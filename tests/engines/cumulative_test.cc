// cumulative: running combinations beside the reference, along any axis and from both ends.
#include "ops/cumulative.h"

#include "engines/threads.h"

namespace baton {
namespace {

using testing::Random;

/// A row of elements between which a running product neither grows nor vanishes, with some that are special.
Array operand_of(const Type& type, bool special, Random& random) {
  if (special || !is_inexact(type.dtype)) return testing::specials(type, random);
  std::vector<std::complex<long double>> values = testing::elements(testing::draw_direction(type, random));
  for (auto& v : values) v = std::polar(1 + std::abs(v) / 8, is_complex(type.dtype) ? std::arg(v) : 0);
  return testing::from_elements(type, values);
}

void expect_what_the_reference_gives(const Primitive& primitive, ops::Domain domain) {
  for (int d = 0; d < dtype_count; ++d) {
    const Dtype dtype = static_cast<Dtype>(d);
    if (!ops::contains(domain, dtype)) continue;
    Random random(std::string(primitive.name) + std::string(name_of(dtype)));
    for (const Shape& shape :
         {Shape{5}, Shape{3, 2, 7}, Shape{2, 19, 150}, Shape{20, 33, 1}, Shape{2, 0}, Shape{0, 3}})
      for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(shape.size()); ++axis)
        for (bool reverse : {false, true}) {
          const Program program =
              testing::program_of(primitive, {{dtype, shape}}, ops::Cumulative{axis, reverse});
          SCOPED_TRACE(program.text());
          const auto kernel = testing::own_kernel_of(program);
          for (bool special : {false, true}) {
            const Arrays operands = {operand_of({dtype, shape}, special, random)};
            cpu::Alone alone;
            const Array found = testing::run_kernel(*kernel, program, operands, alone);
            EXPECT_EQ(testing::difference(found, testing::run(program, operands)[0]), "");
          }
        }
  }
}

TEST(Cumulative, SumsAndProducts) {
  expect_what_the_reference_gives(ops::cumsum, ops::Domain::number);
  expect_what_the_reference_gives(ops::cumprod, ops::Domain::number);
}
TEST(Cumulative, Extremes) {
  expect_what_the_reference_gives(ops::cummax, ops::Domain::any);
  expect_what_the_reference_gives(ops::cummin, ops::Domain::any);
}
TEST(Cumulative, LogarithmsOfSums) {
  expect_what_the_reference_gives(ops::cumlogsumexp, ops::Domain::inexact);
}

TEST(Cumulative, AnyNumberOfWorkersGivesTheSameBits) {
  Random random("workers");
  for (const Shape& shape : {Shape{700, 90}, Shape{90, 700}, Shape{3, 100, 130}})
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(shape.size()); ++axis) {
      const Program program = testing::program_of(ops::cumsum, {{f32, shape}}, ops::Cumulative{axis, false});
      testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(program), program,
                                               {testing::draw_direction({f32, shape}, random)});
    }
}

}  // namespace
}  // namespace baton
