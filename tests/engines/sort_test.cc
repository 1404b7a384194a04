// sort, sort_by and top_k: the reference's bits, whoever does the work.
#include "engines/threads.h"
#include "ops/order.h"

namespace baton {
namespace {

using testing::Random;

constexpr Dtype every_dtype[] = {boolean, s8,  s16,  s32, s64, u8,  u16, u32,
                                 u64,     f16, bf16, f32, f64, c64, c128};

/// Numbers with ties; a few are NaN, infinite, -0 or extreme.
Array with_ties(const Type& type, Random& random) {
  std::vector<std::complex<long double>> values = testing::elements(testing::specials(type, random));
  for (auto& v : values)
    if (random.bits() % 4)
      v = {static_cast<long double>(random.bits() % 9), static_cast<long double>(random.bits() % 3)};
  return testing::from_elements(type, values);
}

void expect_bits_of_the_reference(const Primitive& primitive, const Types& types, const Params& params,
                                  Random& random, Array (*draw)(const Type&, Random&) = with_ties) {
  const Program program = testing::program_of(primitive, types, params);
  SCOPED_TRACE(program.text());
  Arrays operands;
  for (const Type& t : types) operands.push_back(draw(t, random));
  testing::expect_bits_of_the_reference(program, operands);
}

TEST(Sort, AnyDtypeAlongAnyAxis) {
  for (Dtype dtype : every_dtype) {
    Random random("sort " + std::string(name_of(dtype)));
    for (std::int64_t axis : {0, 1, 2})
      for (const Shape& shape : {Shape{2, 3, 5}, Shape{3, 70, 1}, Shape{90, 2, 66}, Shape{0, 3, 2}})
        expect_bits_of_the_reference(ops::sort, {{dtype, shape}}, ops::Sort{axis, true, 1}, random);
  }
}

TEST(Sort, SeveralOperandsFollowOneOrMoreKeys) {
  for (Dtype key : every_dtype) {
    Random random("keys " + std::string(name_of(key)));
    for (std::int64_t keys : {1, 2, 3})
      for (const Shape& shape : {Shape{2, 7}, Shape{2, 100}, Shape{2, 0}})
        for (std::int64_t axis : {0, 1})
          expect_bits_of_the_reference(ops::sort,
                                       {{key, shape}, {f32, shape}, {s64, shape}, {boolean, shape}},
                                       ops::Sort{axis, true, keys}, random);
  }
}

/// Threads share the one lane; digits that all keys share are skipped.
TEST(Sort, OneLongLane) {
  Random random("long");
  const Type type{f32, {150'000}};
  for (bool alike : {false, true}) {
    Array x = testing::draw_direction(type, random);
    if (alike) x = lax::convert_element_type(lax::mul(x, 100), s32);
    const Program program = testing::program_of(ops::sort, {x.type()}, ops::Sort{0, true, 1});
    const auto kernel = testing::own_kernel_of(program);
    testing::Threads two(2);
    EXPECT_TRUE(
        testing::same_bits(testing::run_kernel(*kernel, program, {x}, two), testing::run(program, {x})[0]));
    testing::expect_same_bits_by_any_workers(*kernel, program, {x});
  }
}

TEST(TopK, TheFirstOfEqualsInAnyDtype) {
  for (Dtype dtype : every_dtype) {
    if (dtype == boolean || is_complex(dtype)) continue;
    Random random("top " + std::string(name_of(dtype)));
    for (const Shape& shape : {Shape{5}, Shape{3, 90}, Shape{2, 2, 1}, Shape{0, 4}})
      for (std::int64_t k : {std::int64_t{0}, std::int64_t{1}, shape.back() / 9, shape.back()})
        expect_bits_of_the_reference(ops::top_k, {{dtype, shape}}, ops::TopK{k}, random);
  }
}

/// A comparator that orders no NaN says nothing about an array that holds one.
Array numbers_with_ties(const Type& type, Random& random) {
  return lax::convert_element_type(
      lax::floor(lax::mul(testing::draw_direction({f32, type.shape}, random), 9)), type.dtype);
}

TEST(SortBy, AnyComparatorOverAnyAxis) {
  const Type x{f32, {}}, k{s32, {}};
  const Program falling =
      make_program("falling", {x, x}, [](const Arrays& in) -> Arrays { return {lax::gt(in[0], in[1])}; });
  const Program by_size = make_program("by_size", {k, k, x, x}, [](const Arrays& in) -> Arrays {
    return {lax::lt(lax::abs(in[0]), lax::abs(in[1]))};
  });
  Random random("by");
  for (std::int64_t axis : {0, 1})
    for (const Shape& shape : {Shape{2, 3}, Shape{33, 40}, Shape{1, 1}, Shape{0, 2}}) {
      expect_bits_of_the_reference(ops::sort_by, {{f32, shape}}, ops::SortBy{axis, true, falling}, random,
                                   numbers_with_ties);
      expect_bits_of_the_reference(ops::sort_by, {{s32, shape}, {f32, shape}},
                                   ops::SortBy{axis, true, by_size}, random, numbers_with_ties);
    }
}

}  // namespace
}  // namespace baton
