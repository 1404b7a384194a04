// steady: a call that has run before takes nothing of the allocator, and a first one what its Plan says.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "baton/baton.h"
#include "engines/cpu/blas.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/pool.h"
#include "fuzz/function.h"
#include "memory/checks.h"
#include "on_cpu.h"
#include "program/primitive.h"
#include "trace/node.h"

namespace baton {
namespace {

using testing::Allocated;
using testing::Count;
using testing::steady;

class Steady : public testing::OnCpu {
 protected:
  void SetUp() override {
    if (!testing::counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
    OnCpu::SetUp();
  }
};

struct Layer {
  Array w, m;
};
struct State {
  std::vector<Layer> layers;
  Array step;
};
struct Out {
  State state;
  Array loss;
};
/// All of it elementwise, so that nothing is run by an evaluation that takes memory.
Out descend(State s, const Array& rate) {
  for (Layer& l : s.layers) {
    l.m = lax::mul(l.m, l.m) + l.w;
    l.w = l.w - lax::mul(l.m, l.w);
  }
  s.step = s.step + 1;
  return {s, lax::mul(rate, 2.f)};
}
State state_of(int layers, std::int64_t n) {
  State s{{}, Array(0)};
  for (int i = 0; i < layers; ++i) s.layers.push_back({lax::full({n}, 1.f), lax::full({n}, 0.f)});
  return s;
}

TEST_F(Steady, ATrainingStepAllocatesNothing) {
  for (int threads : {0, 1, 2}) {
    const auto step = jit(descend, {.threads = threads});
    State state = state_of(3, 1000);
    const Array rate(0.5f);
    float loss = 0;
    EXPECT_EQ(steady([&] { loss = step.update(state, rate).item(); }).calls, 0) << threads << " threads";
    EXPECT_EQ(loss, 1.f);
    EXPECT_EQ(state.step.item<int>(), 1003);
  }
}

struct Net {
  Array w1, b1, w2, b2;
};
struct Trained {
  Net net, momentum;
};
struct TrainOut {
  Trained state;
  Array loss;
};
Array loss_of(const Net& n, const Array& x, const Array& y) {
  const Array logits = matmul(tanh(matmul(x, n.w1) + n.b1), n.w2) + n.b2;
  const Array log_p = logits - log(sum(exp(logits), -1, {.keepdims = true}));
  return -mean(sum(log_p * y, -1));
}
TrainOut train(Trained s, const Array& x, const Array& y) {
  auto [loss, g] = value_and_grad(loss_of)(s.net, x, y);
  s.momentum = tree_map([](const Array& m, const Array& d) { return 0.9f * m + d; }, s.momentum, g);
  s.net = tree_map([](const Array& w, const Array& m) { return w - 0.01f * m; }, s.net, s.momentum);
  return {s, loss};
}

/// A real step: products, a softmax, a gradient, an update.
TEST_F(Steady, AGradientStepAllocatesNothing) {
  for (int threads : {1, 2}) {
    const auto step = jit(train, {.threads = threads});
    const Net net{lax::full({20, 300}, 0.01f), zeros({300}), lax::full({300, 10}, 0.02f), zeros({10})};
    Trained state{clone(net), tree_map([](const Array& a) { return zeros_like(a); }, net)};
    const Array x = lax::full({64, 20}, 0.5f), y = lax::full({64, 10}, 0.1f);
    EXPECT_EQ(step.plan(Trained{clone(net), clone(net)}, x, y).evaluated, std::vector<std::string>());
    for (int i = 0; i < 100; ++i) step.update(state, x, y);  // until all threads have come by
    EXPECT_EQ(testing::taken_when_steady([&] { step.update(state, x, y); }, 300), "")
        << threads << " threads";
  }
}

/// A step on the caller's thread alone waits for nobody, and asks the system for nothing.
struct Controlled {
  std::int64_t batch = 32, inputs = 48, hidden = 64;
  Trained state{controller(0.01f), controller(0.f)};
  const Array x = lax::full({batch, inputs}, 0.5f), y = lax::full({batch, 12}, 0.1f);

  Net controller(float value) const {
    return {lax::full({inputs, hidden}, value), zeros({hidden}), lax::full({hidden, 12}, value), zeros({12})};
  }
};
TEST_F(Steady, AStepOfOneThreadTakesNoLock) {
  const auto step = jit(train, {.threads = 1});
  Controlled c;
  const Allocated seen = steady([&] { step.update(c.state, c.x, c.y); });
  EXPECT_EQ(seen.locks, 0);
  EXPECT_EQ(seen.calls, 0);
  Controlled large{160, 200, 300};  // products that are copied in pieces
  const Allocated of_large = steady([&] { step.update(large.state, large.x, large.y); }, 30);
  EXPECT_EQ(of_large.locks, 0);
  EXPECT_EQ(of_large.calls, 0);
  const Count count;
  step.program(c.state, c.x, c.y);
  EXPECT_GT(count.so_far().locks, 0);  // so locks are seen
}
TEST_F(Steady, AStepOfOneThreadMakesNoSystemCall) {
  const pid_t child = fork();
  if (child == 0) {
    const auto step = jit(train, {.threads = 1}), large_step = jit(train, {.threads = 1});
    Controlled c, large{160, 200, 300};
    const auto update = [](const auto& f, Controlled& of) { f.update(of.state, of.x, of.y); };
    for (int i = 0; i < 3; ++i) update(step, c), update(large_step, large);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) syscall(SYS_exit, 2);
    for (int i = 0; i < 1000; ++i) update(step, c);  // any system call kills the process
    for (int i = 0; i < 30; ++i) update(large_step, large);
    syscall(SYS_exit, 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Steady, AScalarSumAndAStateOfManyLeavesAllocateNothing) {
  const auto add = jit([](const Array& a, const Array& b) { return a + b; });
  const Array a(1.f), b(2.f);
  Array c;
  EXPECT_EQ(steady([&] { c = add(a, b); }).calls, 0);
  EXPECT_EQ(c.item(), 3.f);
  const auto step = jit(descend);
  State state = state_of(150, 8);
  EXPECT_EQ(steady([&] { step.update(state, a); }).calls, 0);
}

/// An arena above the size that is kept by each function alone.
TEST_F(Steady, ALargeArenaIsKept) {
  const auto f = jit([](const Array& x) {
    const Array a = lax::sort({x}, {.dimension = 0})[0], b = lax::sort({lax::cos(a)}, {.dimension = 0})[0];
    return lax::slice(b, {0}, {4}) + lax::slice(a, {0}, {4});
  });
  const Array x = lax::full({1 << 18}, 1.f);
  EXPECT_GE(f.plan(x).arena_bytes, std::size_t{1} << 20);
  Array last = f(x);
  EXPECT_EQ(steady([&] { last = f(x); }, 3).buffer_bytes, 0);
}

/// Functions that run one after the other share their large arena, and the last one that needs it frees it.
TEST_F(Steady, FunctionsShareLargeArenas) {
  clear_caches();
  const auto make = [] {
    return jit([](const Array& x) { return lax::slice(lax::sort({x}, {.dimension = 0})[0], {0}, {4}); });
  };
  const auto f = make(), g = make();
  const Array large = lax::full({1 << 19}, 1.f), small = lax::full({1 << 18}, 1.f);
  EXPECT_GE(g.plan(small).arena_bytes, std::size_t{1} << 20);
  Array a = f(large), b = g(small);
  a = f(large), b = g(small);
  const Count count;
  a = f(large), b = g(small);
  EXPECT_EQ(count.so_far().buffer_bytes, 0);
}

TEST_F(Steady, AFirstCallTakesWhatItsPlanSays) {
  const std::vector<Program> programs = {Program::parse(R"({ a:f32[100,30], b:f32[30,50] ->
        c:f32[100,50] = dot_general a b {lhs_contract=[1], rhs_contract=[0], lhs_batch=[], rhs_batch=[], preferred=""}
        d:f32[100,50] = tanh c
        e:f32[50] = reduce_sum d {axes=[0]}
        f:f32[100,30] = sin a
        return e, f, b })"),
                                         Program::parse(R"({ a:f32[64,64] ->
        b:f32[64,64] = sin a
        c:f32[64,64] = sort b {dimension=0, is_stable=true, num_keys=1}
        d:f32[64,64] = mul b c
        return d, a, d })")};
  for (const Program& program : programs) {
    Arrays inputs;
    for (const Type& t : program.inputs()) inputs.push_back(lax::full(t.shape, 0.5f));
    const ExecutablePtr executable = cpu::compile(program, {});
    const std::unique_ptr<Workspace> space = executable->workspace(1);
    Arrays results(executable->result_count());
    EXPECT_EQ(testing::beyond_plan(executable->report({}), [&] { executable->run(*space, inputs, results); }),
              "");
  }
}

/// What a run takes of the allocator, and what the counters say of it, is what its Plan says, to the byte,
/// beside the handles of its results. BATON_FUZZ_ROUNDS=N tries N
/// Programs instead of the few of the fast suite.
TEST_F(Steady, RandomProgramsTakeWhatTheirPlansSay) {
  cpu::blas();  // which is opened once in a process
  const char* n = std::getenv("BATON_FUZZ_ROUNDS");
  const std::uint64_t rounds = n ? std::strtoull(n, nullptr, 10) : 120;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    const auto f = [seed](const Array& x, const Array& y) { return testing::random_function(seed, x, y); };
    const auto loss = [f](const Array& x, const Array& y) { return lax::reduce_sum(f(x, y), {0}); };
    const auto step = [loss](const Array& a, const Array& b) {
      auto [value, g] = value_and_grad(loss)(a, b);
      return std::tuple(lax::sub(a, g), b, value);
    };
    const Type x{f64, {3}}, y{f64, {2, 3}};
    const Program program = seed % 3
                                ? trace([f](const Array& a, const Array& b) { return std::pair(f(a, b), b); },
                                        abstract(x), abstract(y))
                                : trace(step, abstract(x), abstract(y));  // which takes longer to compile
    const std::vector<int> take = seed % 2 ? std::vector<int>{0, -1} : std::vector<int>{};
    const ExecutablePtr executable = cpu::compile(program, take);
    const PlanReport report = executable->report({});
    if (!report.evaluated.empty()) continue;  // an evaluation takes memory of its own
    Arrays inputs = {clone(lax::full(x.shape, 0.5)), clone(lax::full(y.shape, 0.25))};
    Arrays results(executable->result_count());
    const std::unique_ptr<Workspace> space = executable->workspace(1);
    std::int64_t counted = 0;
    const Allocated taken = testing::taken_by_first([&] {
      const std::int64_t before = counters().live_bytes;
      reset_peak();
      executable->run(*space, inputs, results);
      counted = counters().peak_bytes - before;
    });
    const auto planned = static_cast<std::int64_t>(report.result_bytes + report.arena_bytes);
    EXPECT_EQ(taken.most_buffers, planned) << "seed " << seed << "\n" << program.text();
    EXPECT_EQ(counted, planned) << "seed " << seed;
    EXPECT_LE(taken.other_bytes, static_cast<std::int64_t>(results.size() * (sizeof(Node) + sizeof(Buffer))))
        << "seed " << seed;
    ++compared;
  }
  EXPECT_GE(compared, rounds * 5 / 6);
}

/// An operation whose kernel takes 4 KiB beside its result, or does not.
enum class Plants { nothing, by_malloc, by_aligned_alloc };
Plants plants = Plants::nothing;
const Primitive planting = {
    .name = "planting",
    .elementwise = true,
    .type = [](std::span<const Type> in, const Params&) { return Types{in[0]}; },
    .evaluate =
        [](std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
          void* volatile memory = plants == Plants::by_malloc          ? std::malloc(4096)
                                  : plants == Plants::by_aligned_alloc ? std::aligned_alloc(64, 4096)
                                                                       : nullptr;
          if (out[0].data != in[0].data) std::memcpy(out[0].data, in[0].data, in[0].type->bytes());
          std::free(memory);
        }};

/// The checks are worth something: what a kernel takes is seen by them.
TEST_F(Steady, AnAllocationPlantedInAKernelIsSeen) {
  const auto f = [](const Array& x) {
    return lax::slice(lax::sin(bind_one(planting, {lax::cos(x)}, None{}, Where::here())), {0}, {4});
  };
  const Array x = lax::full({256}, 1.f);
  const auto when_steady = [&](Plants how) {
    plants = how;
    const auto step = jit(f);
    EXPECT_EQ(step.plan(x).evaluated, std::vector<std::string>{"planting"});
    Array y;
    return testing::taken_when_steady([&] { y = step(x); });
  };
  EXPECT_EQ(when_steady(Plants::nothing), "");
  EXPECT_EQ(when_steady(Plants::by_malloc),
            "1000 calls of the allocator in 1000 steps, for 0 bytes of buffers and 4096000 of other memory");
  EXPECT_EQ(when_steady(Plants::by_aligned_alloc),
            "1000 calls of the allocator in 1000 steps, for 4096000 bytes of buffers and 0 of other memory");
  const auto first = [&](Plants how) {
    plants = how;
    const auto step = jit(f);
    const PlanReport plan = step.plan(x);
    EXPECT_EQ(plan.result_bytes, 64u);
    EXPECT_EQ(plan.arena_bytes, 1024u);
    return testing::beyond_plan(plan, [&] { step(x); });
  };
  EXPECT_EQ(first(Plants::nothing), "");
  EXPECT_EQ(first(Plants::by_aligned_alloc), "planned 1088 bytes, taken 5184");
}

/// A server that sees many shapes: what they took does not stay with the process, and what comes again is at
/// hand.
TEST_F(Steady, LargeMemoryLeavesTheProcess) {
  constexpr std::int64_t mebibyte = 1 << 20, kept_at_most = 32 * mebibyte;
  clear_caches();
  const Count count;
  for (std::int64_t n = 1; n <= 64; ++n) {
    const Array x = lax::full({n, mebibyte / 4}, 1.f);
    lax::neg(x + x);
  }
  EXPECT_GE(count.so_far().most_buffers, 128 * mebibyte);
  EXPECT_LE(count.so_far().buffers_held, kept_at_most + mebibyte);  // small buffers of this thread among them
  const Array x = lax::full({4, mebibyte / 4}, 1.f);
  const auto twice = [&] { lax::neg(x + x); };
  EXPECT_LT(steady(twice, 10).buffer_bytes, mebibyte);
  const std::int64_t held = count.so_far().buffers_held;
  clear_caches();
  EXPECT_LE(count.so_far().buffers_held, held - 8 * mebibyte);
  EXPECT_LE(count.so_far().buffers_held, 5 * mebibyte);
}

TEST_F(Steady, PartsAllocateNothing) {
  cpu::Pool pool(2);
  std::vector<int> ran(16);
  const auto region = [&] { pool.run(16, [&](std::int64_t i) { ++ran[static_cast<std::size_t>(i)]; }); };
  for (int i = 0; i < 1000; ++i) region();  // until all threads have come by
  EXPECT_EQ(testing::taken_when_steady(region, 100), "");
}

}  // namespace
}  // namespace baton
