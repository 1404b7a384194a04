// slice_update: which updates run by themselves, that they give the reference's bits, and that they write
// their slice alone.
#include "engines/cpu/slice_update.h"

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/threads.h"
#include "ops/indexing.h"

namespace baton {
namespace {

using testing::Random;

bool stands_apart(const Program& program) {
  const Program apart = cpu::set_updates_apart(program);
  return std::any_of(apart->equations.begin(), apart->equations.end(),
                     [](const Equation& e) { return e.primitive == &cpu::slice_update; });
}

TEST(SliceUpdate, StandsApartWhereItsResultLiesInMemoryAndItsSliceIsSmall) {
  const auto update = [](const Array& x, const Array& row, const Array& i) {
    return lax::dynamic_update_slice(x, row, {i, Array(0)});
  };
  const auto traced = [](const auto& f, std::int64_t rows, std::int64_t written) {
    return trace(f, abstract({f32, {rows, 64}}), abstract({f32, {written, 64}}), abstract({s32, {}}));
  };
  const auto then_reshaped = [&](const Array& x, const Array& row, const Array& i) {
    return lax::reshape(update(x, row, i), {x.size()});
  };
  const auto then_sorted = [&](const Array& x, const Array& row, const Array& i) {
    return lax::sort({update(x, row, i)}, {.dimension = 0})[0];
  };
  const auto then_added = [&](const Array& x, const Array& row, const Array& i) {
    return lax::add(x, update(x, row, i));
  };
  const auto twice = [&](const Array& x, const Array& row, const Array& i) {
    return update(update(x, row, i), lax::neg(row), lax::add(i, 1));
  };
  EXPECT_TRUE(stands_apart(traced(update, 100, 1)));
  EXPECT_TRUE(stands_apart(traced(then_reshaped, 100, 1)));
  EXPECT_TRUE(stands_apart(traced(then_sorted, 100, 1)));
  EXPECT_TRUE(stands_apart(traced(twice, 100, 1)));
  EXPECT_FALSE(stands_apart(traced(then_added, 100, 1)));  // a loop reads it
  EXPECT_FALSE(stands_apart(traced(update, 100, 51)));
  EXPECT_FALSE(stands_apart(traced(update, 8, 1)));  // 2 KiB
}

TEST(SliceUpdate, TheReferencesBitsInAnyDtypeAtAnyPlace) {
  struct Case {
    Shape array, slice;
  };
  Random random("slices");
  for (const Case& c : {Case{{6, 5, 4}, {2, 5, 4}}, Case{{6, 5, 4}, {1, 2, 4}}, Case{{6, 5, 4}, {6, 5, 1}},
                        Case{{6, 5, 4}, {3, 1, 2}}, Case{{7}, {3}}, Case{{3, 2}, {0, 2}}, Case{{}, {}},
                        Case{{2, 0}, {1, 0}}, Case{{1, 1}, {1, 1}}})
    for (Dtype dtype : {boolean, u8, bf16, s32, f64, c128})
      for (Dtype index : {u8, s32, s64})
        for (double start : {-3.0, 0.0, 2.0, 100.0}) {
          Types types = {{dtype, c.array}, {dtype, c.slice}};
          types.resize(2 + c.array.size(), {index, {}});
          const Program program = testing::program_of(ops::dynamic_update_slice, types, None{});
          SCOPED_TRACE(program.text());
          Arrays operands = {testing::specials(types[0], random), testing::specials(types[1], random)};
          for (std::size_t i = 2; i < types.size(); ++i)
            operands.push_back(testing::from_elements(types[i], {index == u8 ? std::abs(start) : start}));
          const auto kernel = testing::own_kernel_of(program);
          cpu::Alone alone;
          EXPECT_TRUE(testing::same_bits(testing::run_kernel(*kernel, program, operands, alone),
                                         testing::run(program, operands)[0]));
        }
}

TEST(SliceUpdate, ThreadsShareLargeCopies) {
  Random random("large");
  const Types types = {{f32, {900, 300}}, {f32, {400, 200}}, {s32, {}}, {s32, {}}};
  const Program program = testing::program_of(ops::dynamic_update_slice, types, None{});
  const Arrays operands = {testing::draw_direction(types[0], random),
                           testing::draw_direction(types[1], random), Array(17), Array(31)};
  testing::expect_same_bits_by_any_workers(*testing::own_kernel_of(program), program, operands);
}

/// A carry that is written row by row lies in the donated memory, and no step holds a second one.
TEST(SliceUpdate, AScanWritesRowsIntoTheDonatedState) {
  const Type state{f32, {500, 64}}, row{f32, {64}};
  const auto step = [](Array x, const Array& y) {
    const auto body = [&y](Array carry, const Array& i) {
      const Array values = lax::add(lax::dynamic_index_in_dim(carry, lax::sub(i, 1)), y);
      return Step{lax::dynamic_update_index_in_dim(carry, values, i, 0), Nothing{}};
    };
    return scan(body, x, lax::iota({s32, {500}}, 0, {})).carry;
  };
  const Program program = trace(step, abstract(state), abstract(row));
  const ExecutablePtr compiled = cpu::compile(program, {0, -1});
  const PlanReport report = compiled->report({});
  EXPECT_LT(report.arena_bytes, 16'384u);
  EXPECT_EQ(report.result_bytes, 0u);
  EXPECT_EQ(report.evaluated, std::vector<std::string>());
}

}  // namespace
}  // namespace baton
