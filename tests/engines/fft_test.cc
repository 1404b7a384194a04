// fft: every kind and many lengths beside the reference, along one axis and several.
#include "ops/fft.h"

#include "engines/threads.h"

namespace baton {
namespace {

using lax::FftType;
using testing::Random;

struct Case {
  FftType kind;
  Shape signal;  // of the whole array, before a real one is halved
  std::vector<std::int64_t> lengths;
};

Type operand_of(const Case& c, Dtype real) {
  Shape shape = c.signal;
  if (c.kind == FftType::irfft) shape.back() = shape.back() / 2 + 1;
  return {c.kind == FftType::rfft ? real : complex_of(real), shape};
}
Program program_of(const Case& c, Dtype real) {
  return testing::program_of(ops::fft, {operand_of(c, real)}, ops::Fft{c.kind, c.lengths});
}
void expect_what_the_reference_gives(const Case& c, Dtype real, Random& random) {
  const Program program = program_of(c, real);
  SCOPED_TRACE(program.text());
  const Arrays operands = {testing::draw_direction(operand_of(c, real), random)};
  cpu::Alone alone;
  const Array found = testing::run_kernel(*testing::own_kernel_of(program), program, operands, alone);
  EXPECT_EQ(testing::difference(found, testing::run(program, operands)[0], 16), "");
}

constexpr FftType kinds[] = {FftType::fft, FftType::ifft, FftType::rfft, FftType::irfft};

TEST(Fft, AnyLength) {
  for (Dtype real : {f32, f64})
    for (FftType kind : kinds) {
      Random random("lengths");
      for (std::int64_t n :
           {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 31, 32, 37, 49, 60, 74, 97, 143, 210, 256, 360})
        for (std::int64_t lanes : {1, 3, 11})
          expect_what_the_reference_gives({kind, {lanes, n}, {n}}, real, random);
    }
}

TEST(Fft, LongLanesAreMatrices) {
  for (Dtype real : {f32, f64})
    for (FftType kind : kinds) {
      Random random("long");
      for (std::int64_t n : {1024, 1155, 4096, 3 * 37 * 16})
        expect_what_the_reference_gives({kind, {2, n}, {n}}, real, random);
    }
}

TEST(Fft, SeveralAxes) {
  for (Dtype real : {f32, f64})
    for (FftType kind : kinds) {
      Random random("axes");
      expect_what_the_reference_gives({kind, {4, 6}, {4, 6}}, real, random);
      expect_what_the_reference_gives({kind, {3, 70, 9}, {70, 9}}, real, random);
      expect_what_the_reference_gives({kind, {2, 5, 3, 8}, {5, 3, 8}}, real, random);
      expect_what_the_reference_gives({kind, {2, 1, 4}, {1, 4}}, real, random);
    }
}

TEST(Fft, WithoutElements) {
  for (FftType kind : kinds) {
    Random random("empty");
    expect_what_the_reference_gives({kind, {0, 4}, {4}}, f32, random);
    expect_what_the_reference_gives({kind, {0, 4}, {0, 4}}, f32, random);
  }
}

TEST(Fft, AnyNumberOfWorkersGivesTheSameBits) {
  Random random("workers");
  for (FftType kind : kinds)
    for (const Case& c :
         {Case{kind, {8192}, {8192}}, Case{kind, {100, 96}, {100, 96}}, Case{kind, {9, 1009}, {1009}}}) {
      const Program program = program_of(c, f32);
      testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(program), program,
                                               {testing::draw_direction(operand_of(c, f32), random)});
    }
}

}  // namespace
}  // namespace baton
