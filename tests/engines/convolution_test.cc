// convolution: every row that the primitive has, random ones, and the gradients that training asks for,
// beside the reference; and the same bits whoever does the work.
#include "engines/cpu/convolution.h"

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/threads.h"
#include "ops/convolution.h"
#include "ops/row.h"
#include "passes/passes.h"

namespace baton {
namespace {

using testing::Random;
using testing::run_kernel;

struct Case {
  Types inputs;
  ops::Convolution params;
  std::string text() const { return show(inputs[0]) + " " + show(inputs[1]) + " " + show(Params(params)); }
};

Program program_of(const Case& c) {
  return testing::program_of(ops::conv_general_dilated, c.inputs, c.params);
}
std::unique_ptr<cpu::Kernel> kernel_of(const Program& program) {
  return cpu::convolution_kernel(*program, program->equations[0]);
}
Arrays operands_of(const Case& c, Random& random) {
  return {testing::draw_direction(c.inputs[0], random), testing::draw_direction(c.inputs[1], random)};
}

void expect_what_the_reference_gives(const Case& c, Random& random, double slack) {
  SCOPED_TRACE(c.text());
  const Program program = program_of(c);
  const auto kernel = kernel_of(program);
  if (program->type(program->outputs[0]).size() == 0) return;
  ASSERT_TRUE(kernel);
  const Arrays operands = operands_of(c, random);
  cpu::Alone alone;
  EXPECT_EQ(testing::difference(run_kernel(*kernel, program, operands, alone),
                                testing::run(program, operands)[0], slack),
            "");
}

/// Any axes in any order, padding of either sign, dilations, strides, groups and reversals.
Case random_case(Random& random, Dtype dtype, const std::string& preferred) {
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(high - low + 1));
  };
  const auto n = static_cast<std::size_t>(between(0, 3));
  const auto shuffled = [&] {
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(n) + 2; ++i) axes.push_back(i);
    for (std::size_t i = axes.size(); i > 1; --i) std::swap(axes[i - 1], axes[random.bits() % i]);
    return axes;
  };
  Case c;
  ops::Convolution& p = c.params;
  p.lhs = shuffled(), p.rhs = shuffled(), p.out = shuffled(), p.preferred = preferred;
  const std::int64_t groups = between(1, 2) * between(1, 2), batch = between(1, 3), features = between(0, 5);
  const bool by_batch = between(0, 1);
  (by_batch ? p.batch_group_count : p.feature_group_count) = groups;
  Shape lhs(n + 2), rhs(n + 2);
  const auto set = [](Shape& shape, std::int64_t axis, std::int64_t extent) {
    shape[static_cast<std::size_t>(axis)] = extent;
  };
  set(lhs, p.lhs[0], by_batch ? batch * groups : batch);
  set(lhs, p.lhs[1], by_batch ? features : features * groups);
  set(rhs, p.rhs[0], groups * between(1, 20)), set(rhs, p.rhs[1], features);
  for (std::size_t d = 0; d < n; ++d) {
    set(lhs, p.lhs[d + 2], between(1, 9)), set(rhs, p.rhs[d + 2], between(1, 4));
    p.strides.push_back(between(1, 3)), p.lhs_dilation.push_back(between(1, 3)),
        p.rhs_dilation.push_back(between(1, 3));
    const std::int64_t most_cut = (lhs[static_cast<std::size_t>(p.lhs[d + 2])] - 1) / 2;
    p.padding.push_back(between(-most_cut, 5)), p.padding.push_back(between(-most_cut, 5));
    p.window_reversal.push_back(between(0, 1));
  }
  c.inputs = {{dtype, lhs}, {dtype, rhs}};
  return c;
}

TEST(Convolution, AnyKindInAnyDtype) {
  const std::vector<std::pair<Dtype, std::string>> dtypes = {
      {f32, ""}, {f64, ""}, {bf16, ""}, {f16, ""}, {bf16, "f32"}, {f32, "f64"}, {f64, "f32"}, {f32, "bf16"}};
  for (const auto& [dtype, preferred] : dtypes) {
    Random random("convolutions " + std::string(name_of(dtype)) + preferred);
    for (int i = 0; i < 150; ++i)
      expect_what_the_reference_gives(random_case(random, dtype, preferred), random, 8);
  }
}

/// The layers of a small network, batch [n, h, w, c], with the gradients that a step makes of them.
std::vector<Case> layers() {
  const auto layer = [](Shape lhs, Shape rhs, std::int64_t stride, std::int64_t pad) {
    return Case{{{f32, std::move(lhs)}, {f32, std::move(rhs)}},
                ops::convolution_of({.strides = {stride, stride},
                                     .padding = {{pad, pad}, {pad, pad}},
                                     .dims = {{0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}}},
                                    4)};
  };
  return {layer({2, 12, 13, 1}, {3, 3, 1, 32}, 1, 0),  layer({2, 11, 9, 32}, {3, 3, 32, 64}, 1, 0),
          layer({2, 11, 9, 16}, {3, 3, 16, 40}, 1, 1), layer({3, 12, 8, 20}, {5, 3, 20, 33}, 2, 2),
          layer({2, 9, 9, 70}, {1, 1, 70, 48}, 1, 0),  layer({2, 9, 9, 70}, {1, 1, 70, 48}, 2, 0)};
}

/// The convolutions in the gradient of the layer.
std::vector<Case> gradients(const Case& c) {
  const auto weighed = [&](const Array& x, const Array& w) {
    const Array y = bind_one(ops::conv_general_dilated, {x, w}, c.params, {});
    return lax::reduce_sum(lax::mul(y, y), {0, 1, 2, 3});
  };
  std::vector<Case> found;
  const Array x = lax::full(c.inputs[0].shape, 1.f), w = lax::full(c.inputs[1].shape, 1.f);
  for (bool of_window : {false, true}) {
    const auto loss = [&](const Array& v) { return of_window ? weighed(x, v) : weighed(v, w); };
    const Program program = optimize(trace(grad(loss), abstract(c.inputs[of_window ? 1 : 0])));
    for (const Equation& e : program->equations)
      if (e.primitive == &ops::conv_general_dilated)
        found.push_back(
            {{program->type(e.inputs[0]), program->type(e.inputs[1])}, e.params.as<ops::Convolution>()});
  }
  return found;
}

TEST(Convolution, LayersAndTheirGradients) {
  Random random("layers");
  std::size_t count = 0;
  for (const Case& layer : layers())
    for (const Case& c : gradients(layer)) expect_what_the_reference_gives(c, random, 32), ++count;
  EXPECT_EQ(count, 4 * layers().size());
}

TEST(Convolution, AnyNumberOfWorkersGivesTheSameBits) {
  Random random("workers");
  for (const Case& layer : layers())
    for (Case c : gradients(layer)) {
      c.inputs[0].shape[static_cast<std::size_t>(c.params.lhs[0])] *= 12;  // enough for several parts
      SCOPED_TRACE(c.text());
      const Program program = program_of(c);
      testing::expect_same_bits_by_any_workers(*kernel_of(program), program, operands_of(c, random));
    }
}

/// Channels last: no array is copied, but for the window in the gradient of the input, whose features lie the
/// other way.
TEST(Convolution, ChannelsLastNeedNoCopies) {
  const Case layer = layers()[1];
  const auto scratch = [](const Case& c) { return kernel_of(program_of(c))->scratch(); };
  EXPECT_EQ(scratch(layer), 0);
  std::vector<std::int64_t> of_gradients;
  for (const Case& c : gradients(layer)) of_gradients.push_back(scratch(c));
  const auto window = static_cast<std::int64_t>(layer.inputs[1].bytes());
  EXPECT_EQ(of_gradients, (std::vector<std::int64_t>{0, window, 0, 0}));
}

/// Holes of any size take no time to count.
TEST(Convolution, HugeDilations) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  for (std::int64_t dilation : {std::int64_t{1} << 20, huge}) {
    Case c;
    c.inputs = {{f32, {1, 1, 1}}, {f32, {1, 1, 1}}};
    c.params.strides = {1}, c.params.padding = {0, 0};
    c.params.lhs_dilation = c.params.rhs_dilation = {dilation};
    c.params.lhs = c.params.rhs = c.params.out = {0, 1, 2};
    c.params.window_reversal = {0};
    const Program program = program_of(c);
    const Array two = lax::full({1, 1, 1}, 2.f);
    EXPECT_EQ(cpu::compile(program, {})->run({two, two})[0].read<float>()[0], 4.f);
    EXPECT_EQ(kernel_of(program) == nullptr, dilation == huge);
  }
}

}  // namespace
}  // namespace baton
