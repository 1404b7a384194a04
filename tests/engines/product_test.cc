// product: every layout that dot_general can ask for, in every dtype, beside the reference; and the same bits
// whoever does the work.
#include "engines/cpu/strided_product.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "baton/baton.h"
#include "child.h"
#include "engines/cpu/blas.h"
#include "engines/cpu/instructions.h"
#include "engines/threads.h"
#include "ops/dot_general.h"
#include "ops/row.h"

namespace baton {
namespace {

using testing::Random;
using testing::run_kernel;

/// A product with its operands.
struct Case {
  Types inputs;
  ops::DotGeneral dims;
  std::string text() const { return show(inputs[0]) + " " + show(inputs[1]) + " " + show(Params(dims)); }
};

Case random_case(Random& random, Dtype dtype, const std::string& preferred,
                 std::vector<std::int64_t> extents) {
  const auto any = [&](std::size_t n) { return static_cast<std::size_t>(random.bits() % n); };
  Case c;
  c.dims.preferred = preferred;
  struct Axis {
    std::int64_t extent;
    int kind, pair;  // 0: free, 1: contracted, 2: batch
  };
  std::vector<Axis> lhs, rhs;
  int pairs = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (std::size_t n = any(3); n > 0; --n) {
      const std::int64_t extent = extents[any(extents.size())];
      if (kind == 3)
        rhs.push_back({extent, 0, -1});
      else
        lhs.push_back({extent, kind, kind ? pairs : -1});
      if (kind == 1 || kind == 2) rhs.push_back({extent, kind, pairs++});
    }
  for (auto* axes : {&lhs, &rhs})
    for (std::size_t i = axes->size(); i > 1; --i) std::swap((*axes)[i - 1], (*axes)[any(i)]);
  c.inputs = {{dtype, {}}, {dtype, {}}};
  for (const Axis& a : lhs) c.inputs[0].shape.push_back(a.extent);
  for (const Axis& a : rhs) c.inputs[1].shape.push_back(a.extent);
  for (int pair = 0; pair < pairs; ++pair)
    for (std::size_t i = 0; i < lhs.size(); ++i)
      for (std::size_t j = 0; j < rhs.size(); ++j)
        if (lhs[i].pair == pair && rhs[j].pair == pair) {
          (lhs[i].kind == 1 ? c.dims.lhs_contract : c.dims.lhs_batch).push_back(static_cast<std::int64_t>(i));
          (lhs[i].kind == 1 ? c.dims.rhs_contract : c.dims.rhs_batch).push_back(static_cast<std::int64_t>(j));
        }
  return c;
}

Program program_of(const Case& c) { return testing::program_of(ops::dot_general, c.inputs, c.dims); }
std::unique_ptr<cpu::Kernel> kernel_of(const Program& program) {
  return cpu::product_kernel(*program, program->equations[0], 4);
}
Arrays operands_of(const Case& c, Random& random) {
  Arrays operands;
  for (const Type& t : c.inputs)
    operands.push_back(is_inexact(t.dtype) ? testing::draw_direction(t, random)
                                           : testing::specials(t, random));
  return operands;
}

void expect_what_the_reference_gives(const Case& c, Random& random, double slack) {
  SCOPED_TRACE(c.text());
  const Program program = program_of(c);
  const Arrays operands = operands_of(c, random);
  cpu::Alone alone;
  const Array found = run_kernel(*kernel_of(program), program, operands, alone);
  EXPECT_EQ(testing::difference(found, testing::run(program, operands)[0], slack), "");
}

TEST(Product, AnyLayoutInAnyDtype) {
  const std::vector<std::pair<Dtype, std::string>> dtypes = {
      {f32, ""},     {f64, ""},    {bf16, ""},   {f16, ""},    {c64, ""},     {c128, ""},    {s8, ""},
      {s16, ""},     {s32, ""},    {s64, ""},    {u8, ""},     {u16, ""},     {u32, ""},     {u64, ""},
      {bf16, "f32"}, {f16, "f32"}, {f32, "f64"}, {f64, "f32"}, {bf16, "f64"}, {c64, "c128"}, {s8, "s32"},
      {u8, "s32"},   {s8, "f32"},  {u8, "bf16"}, {s64, "f64"}, {u64, "f32"},  {s32, "s8"},   {f32, "bf16"}};
  for (const auto& [dtype, preferred] : dtypes) {
    Random random("layouts " + std::string(name_of(dtype)) + preferred);
    for (int i = 0; i < 60; ++i)
      expect_what_the_reference_gives(random_case(random, dtype, preferred, {1, 2, 3, 5, 7}), random, 16);
    for (int i = 0; i < 10; ++i)
      expect_what_the_reference_gives(random_case(random, dtype, preferred, {0, 1, 2, 3}), random, 16);
  }
}

void expect_same_bits_by_any_workers(const std::vector<Case>& cases, const char* seed) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text());
    Random random(seed);
    const Program program = program_of(c);
    testing::expect_same_bits_by_any_workers(*kernel_of(program), program, operands_of(c, random));
  }
}

/// With the vectors of this processor, and with narrower ones that it has too.
class ProductWith : public ::testing::TestWithParam<cpu::Instructions> {
 protected:
  void SetUp() override {
    if (cpu::instructions_of_processor() < GetParam()) GTEST_SKIP() << "this processor has none";
  }

 private:
  const cpu::NoWiderThan narrow_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Instructions, ProductWith,
                         ::testing::Values(cpu::Instructions::avx512, cpu::Instructions::avx2,
                                           cpu::Instructions::plain));

TEST_P(ProductWith, LargerLayouts) {
  for (Dtype dtype : {f32, f64, bf16, c64}) {
    Random random("larger " + std::string(name_of(dtype)));
    for (int i = 0; i < 60; ++i) {
      const Case c = random_case(random, dtype, "", {3, 17, 40});
      const Program program = program_of(c);
      std::int64_t work = program->type(program->outputs[0]).size();
      for (std::int64_t axis : c.dims.lhs_contract) work *= c.inputs[0].shape[static_cast<std::size_t>(axis)];
      if (work < 500'000) expect_what_the_reference_gives(c, random, 64);
    }
  }
}

/// a[m, k] b[k, n], with each operand as it is or transposed.
std::vector<Case> matrices(Dtype dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<Case> cases;
  for (int way = 0; way < 4; ++way) {
    const bool a = way & 1, b = way & 2;
    cases.push_back({{{dtype, a ? Shape{k, m} : Shape{m, k}}, {dtype, b ? Shape{n, k} : Shape{k, n}}},
                     {{a ? 0 : 1}, {b ? 1 : 0}, {}, {}, {}}});
  }
  return cases;
}

TEST_P(ProductWith, MatricesOfEverySize) {
  for (Dtype dtype : {f32, f64}) {
    Random random("sizes");
    for (std::int64_t m : {1, 7, 13, 48, 130})
      for (std::int64_t n : {1, 5, 16, 33, 300})
        for (std::int64_t k : {1, 3, 70})
          for (const Case& c : matrices(dtype, m, n, k)) expect_what_the_reference_gives(c, random, 64);
  }
}

/// More columns than are copied together, deeper than a stretch of the sum, and few columns, rows far apart
/// or near.
TEST_P(ProductWith, MatricesThatAreCopiedInPieces) {
  for (Dtype dtype : {f32, f64}) {
    Random random("pieces");
    for (const Shape& size :
         {Shape{33, 530, 270}, Shape{900, 10, 300}, Shape{29, 1030, 90}, Shape{50, 90, 1024}})
      for (const Case& c : matrices(dtype, size[0], size[1], size[2]))
        expect_what_the_reference_gives(c, random, 256);
  }
}

/// Matrices in each layout, and a batch of them.
std::vector<Case> layouts(Dtype dtype, const Shape& size) {
  std::vector<Case> cases = matrices(dtype, size[0], size[1], size[2]);
  cases.push_back({{{dtype, {12, 64, size[0] / 8 + 40}}, {dtype, {12, 64, 70}}}, {{1}, {1}, {0}, {0}, {}}});
  return cases;
}
const std::vector<Shape> sizes = {{300, 250, 120}, {65, 1100, 70}, {1, 1500, 400}, {1500, 1, 400}};

TEST_P(ProductWith, AnyNumberOfWorkersGivesTheSameBits) {
  for (Dtype dtype : {f32, f64, bf16}) {
    for (const Shape& size : sizes) expect_same_bits_by_any_workers(layouts(dtype, size), "workers");
    for (const Shape& size : {Shape{200, 300, 600}, Shape{5, 1200, 800}})  // deeper than a stretch of the sum
      expect_same_bits_by_any_workers(matrices(dtype, size[0], size[1], size[2]), "deep");
  }
}
TEST(Product, AnyNumberOfWorkersGivesTheSameBits) {
  for (Dtype dtype : {c64, s32})
    for (const Shape& size : sizes) expect_same_bits_by_any_workers(layouts(dtype, size), "workers");
}

/// Two contracted axes that lie apart, so that there is one product for each index of one; and rows whose
/// smallest part would be small: OpenBLAS, which complex matrices go to, has other kernels for what is small.
TEST(Product, PartsStayLargeEnoughForTheSameBits) {
  std::vector<Case> cases = {{{{c64, {16, 512, 128}}, {c64, {16, 8, 128}}}, {{0, 2}, {0, 2}, {}, {}, {}}},
                             {{{c64, {32, 264, 83}}, {c64, {32, 6, 83}}}, {{0, 2}, {0, 2}, {}, {}, {}}}};
  for (const Shape& size : {Shape{191, 130, 170}, Shape{287, 120, 190}, Shape{191, 800, 140}})
    for (const Case& c : matrices(c64, size[0], size[1], size[2])) cases.push_back(c);
  expect_same_bits_by_any_workers(cases, "parts");
}

Array matmul_of(const Array& a, const Array& b) { return matmul(a, b); }

/// Each worker has memory of its own for what it copies, and there is no more than there are workers.
TEST(Product, ScratchIsForTheThreadsThatRunIt) {
  const Program program = program_of(matrices(f32, 300, 600, 512)[0]);
  const auto scratch = [&](int threads) {
    return cpu::product_kernel(*program, program->equations[0], threads)->scratch();
  };
  EXPECT_GT(scratch(1), 512 * 256 * 4);
  EXPECT_LT(scratch(1), 550 * 256 * 4);
  EXPECT_EQ(scratch(3), 3 * scratch(1));
  EXPECT_EQ(
      jit(matmul_of, {.threads = 3}).plan(lax::full({300, 512}, 1.f), lax::full({512, 600}, 1.f)).arena_bytes,
      static_cast<std::size_t>(3 * scratch(1)));
}

/// However few rows there are, a long sum does not lose what is small beside it, and a row has the same bits
/// in any number of them.
TEST_P(ProductWith, LongSumsKeepWhatIsSmall) {
  constexpr std::int64_t depth = 300'000;
  std::vector<float> of_one;
  for (std::int64_t rows : {1, 2, 8, 9, 20}) {
    const Case c = matrices(f32, rows, 2, depth)[0];
    const Program program = program_of(c);
    cpu::Alone alone;
    const Array found = run_kernel(*kernel_of(program), program,
                                   {lax::full({rows, depth}, 0.1f), lax::full({depth, 2}, 1.f)}, alone);
    const std::vector<float> sums = found.read<float>().vector();
    EXPECT_NEAR(sums[0], 30'000, 3) << rows << " rows";
    if (of_one.empty()) of_one = sums;
    EXPECT_EQ(sums[1], of_one[1]) << rows << " rows";
  }
}

/// 0 * inf is NaN, wherever it stands, and no other element is touched.
TEST_P(ProductWith, NotANumberStaysInItsRowAndColumn) {
  for (const Shape& size : {Shape{5, 6, 7}, Shape{1, 40, 30}, Shape{40, 1, 30}, Shape{150, 170, 190}})
    for (const Case& c : matrices(f32, size[0], size[1], size[2])) {
      SCOPED_TRACE(c.text());
      const Program program = program_of(c);
      const std::int64_t row = size[0] / 2, k = size[2] / 3;
      Array a = lax::full(c.inputs[0].shape, 0.f), b = lax::full(c.inputs[1].shape, 1.f);
      const bool turned = c.dims.lhs_contract[0] == 0;
      static_cast<float*>(data_of(a))[turned ? k * size[0] + row : row * size[2] + k] =
          std::numeric_limits<float>::infinity();
      b = lax::mul(b, 0.f);
      cpu::Alone alone;
      const Array found = run_kernel(*kernel_of(program), program, {a, b}, alone);
      const auto* x = static_cast<const float*>(data_of(found));
      for (std::int64_t i = 0; i < size[0]; ++i)
        for (std::int64_t j = 0; j < size[1]; ++j) EXPECT_EQ(std::isnan(x[i * size[1] + j]), i == row);
    }
}

/// Rows far apart, and vectors whose elements are: nothing is copied.
TEST(Product, WhatLiesFarApartIsNotCopied) {
  cpu::Product p;
  p.axes = {{3, 100'000, 0, 4}, {4, 0, 50'000, 1}, {5, 1, 1, 0}};
  p.lhs_offset = 7, p.rhs_offset = 9;
  const auto kernel = cpu::product_kernel(p, 1);
  EXPECT_EQ(kernel->scratch(), 0);
  std::vector<float> a(300'020), b(200'020), c(12);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 13);
  void *in[] = {a.data(), b.data()}, *out[] = {c.data()};
  cpu::Alone alone;
  kernel->run(in, out, nullptr, alone);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += a[7 + i * 100'000 + k] * b[9 + j * 50'000 + k];
      EXPECT_EQ(c[i * 4 + j], sum);
    }
}

/// What layers and attention ask for is multiplied as it lies.
TEST(Product, UsualLayoutsNeedNoCopies) {
  const std::vector<Case> cases = {
      {{{f32, {8, 16, 64}}, {f32, {64, 32}}}, {{2}, {0}, {}, {}, {}}},  // a dense layer
      {{{f32, {8, 16, 64}}, {f32, {8, 16, 32}}},
       {{0, 1}, {0, 1}, {}, {}, {}}},                                   // the gradient of its weights
      {{{f32, {8, 16, 32}}, {f32, {64, 32}}}, {{2}, {1}, {}, {}, {}}},  // and of its input
      {{{f32, {2, 16, 4, 8}}, {f32, {2, 16, 4, 8}}}, {{3}, {3}, {0, 2}, {0, 2}, {}}},   // heads within rows
      {{{f32, {2, 4, 16, 16}}, {f32, {2, 16, 4, 8}}}, {{3}, {1}, {0, 1}, {0, 2}, {}}},  // what they look up
  };
  for (const Case& c : cases) EXPECT_EQ(kernel_of(program_of(c))->scratch(), 0) << c.text();
}

/// OpenBLAS works on the threads that call it. In a process that has not opened it yet.
TEST(Product, OpeningBlasMakesNoThread) {
  if (!testing::is_child()) {
    EXPECT_EQ(testing::status_of_child("Product.OpeningBlasMakesNoThread", "BATON_THREADS=4"), 0);
    return;
  }
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         std::filesystem::directory_iterator());
  };
  const auto before = threads();
  cpu::blas();
  EXPECT_EQ(threads(), before);
}

TEST(Product, WithoutOpenBlasTheErrorSaysWhatToDo) {
  const auto error = [](const char* file) -> std::string {
    try {
      cpu::open_blas(file);
    } catch (const DeviceError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("/nowhere/blas.so")
                .find("cpu: products of complex matrices and linear algebra need OpenBLAS in the file "
                      "`/nowhere/blas.so`, found: "),
            0u);
  EXPECT_EQ(
      error("libm.so.6"),
      "cpu: products of complex matrices and linear algebra need OpenBLAS in the file `libm.so.6`, found: no "
      "function "
      "`openblas_set_num_threads` in it\n"
      "  It is installed beside libbaton; put it back, or choose the engine `reference`.");
}

}  // namespace
}  // namespace baton
