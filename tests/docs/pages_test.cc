// pages: the code of docs/*.md, compiled and run. tools/check_docs.py compares the two.
#include <gtest/gtest.h>

#include <iostream>
#include <regex>
#include <sstream>

#include "baton/baton.h"
#include "baton/load_jit.h"
#include "baton/safetensors.h"
#include "baton/stablehlo.h"
#include "program/primitive.h"
#include "trace/executor.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

std::string without_lines(const std::string& text) {  // LINE for lines of this file
  return std::regex_replace(text, std::regex("(pages_test.cc:)\\d+"), "$1LINE");
}
/// The message of the UsageError that f throws.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const UsageError& e) {
    return without_lines(e.what());
  }
  return "no error";
}

/// What is written to standard output while it lives.
class Output {
 public:
  Output() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~Output() { std::cout.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

// ---- arrays.md
// ----------------------------------------------------------------------------------------------------

TEST(Arrays, MemoryIn) {
  const Output output;
  std::vector<float> samples = {1, 2, 3, 4, 5, 6};
  const Array rows = Array::borrow({f32, {2, 3}}, samples.data());
  const std::int64_t strides[] = {4, 12};  // bytes from row to row, from column to column
  const Array columns = Array::copy({f32, {3, 2}}, samples.data(), strides);
  std::cout << lax::mul(rows, 10.0) << '\n' << columns << '\n';
  EXPECT_EQ(output.text(), R"([[10. 20. 30.]
 [40. 50. 60.]]
[[1. 4.]
 [2. 5.]
 [3. 6.]]
)");
}

TEST(Arrays, Sharing) {
  Array batch({0.f, 0.f});
  const void* memory = batch.data();
  batch.write(std::vector<float>{1, 2});  // the only owner: in place
  const bool in_place = batch.data() == memory;
  const Array kept = batch;
  batch.write(std::vector<float>{3, 4});  // `kept` has the old memory and its values
  EXPECT_TRUE(in_place);
  EXPECT_EQ(kept.data(), memory);
  EXPECT_EQ(kept.read<float>().vector(), (std::vector<float>{1, 2}));
}

TEST(Arrays, Donation) {
  Array x({1.f, 2.f});
  const void* memory = x.data();
  auto twice = jit([](const Array& v) { return lax::mul(v, 2.0); });
  Array y = twice(std::move(x));
  const bool same_memory = y.data() == memory, gone = x.empty();
  EXPECT_TRUE(same_memory && gone);
}

// ---- trees.md
// -----------------------------------------------------------------------------------------------------

namespace trees {

struct Dense {
  Array weight, bias;
};
struct Model {
  Dense hidden;
  std::vector<Dense> more;
  Stat mean;      // carried and saved, not differentiated
  int heads = 2;  // a constant of the Program
};

class Counter {
 public:
  explicit Counter(int start) : count_(start) {}
  BATON_TREE(count_)

 private:
  Array count_;
};

TEST(Trees, LeavesAndPaths) {
  const Model model = {
      .hidden = {Array({1.f, 2.f}), Array(0.f)}, .more = {{Array({3.f}), Array(4.f)}}, .mean = {Array(5.f)}};
  const std::vector<std::string> paths = leaf_paths(model);
  const Model halved = tree_map([](const Array& leaf) { return lax::mul(leaf, 0.5); }, model);
  EXPECT_EQ(paths, (std::vector<std::string>{"hidden.weight", "hidden.bias", "more[0].weight", "more[0].bias",
                                             "mean"}));
  EXPECT_EQ(halved.mean.value.item(), 2.5f);
  EXPECT_EQ(leaf_roles(model).back(), Role::statistic);
  EXPECT_EQ(leaf_paths(Counter(1)), std::vector<std::string>{"count_"});
  EXPECT_EQ(jit([](Counter c) { return leaves(c)[0]; })(Counter(3)).item<int>(), 3);
}

}  // namespace trees

// ---- programs.md
// --------------------------------------------------------------------------------------------------

TEST(Programs, PrintAndParse) {
  const Output output;
  const auto f = [](const Array& x) { return lax::add(lax::mul(lax::sin(x), 2.0), x); };
  const Program program = trace(f, abstract({f32, {2}}));
  std::cout << program << '\n';
  EXPECT_EQ(output.text(), R"({ a:f32[2] ->
  b:f32[2] = sin a
  c:f32[2] = broadcast_in_dim 2.0:f32 {shape=[2], dimensions=[]}
  d:f32[2] = mul b c
  e:f32[2] = add d a
  return e }
)");
  const Program again = Program::parse(program.text());
  const bool equal = again == program && again.text() == program.text();
  EXPECT_TRUE(equal);
}

// ---- tracing.md
// ---------------------------------------------------------------------------------------------------

TEST(Tracing, Captures) {
  const Output output;
  const Array scale({10.f, 100.f});
  const auto f = [scale](const Array& x) {
    Array y = lax::add(x, 1.0);
    for (int i = 0; i < 2; ++i) y = lax::mul(y, scale);
    return y;
  };
  std::cout << trace(f, abstract({f32, {2}})) << '\n';
  EXPECT_EQ(output.text(), R"({ a:f32[2], b:f32[2] ->
  c:f32[2] = broadcast_in_dim 1.0:f32 {shape=[2], dimensions=[]}
  d:f32[2] = add a c
  e:f32[2] = mul d b
  f:f32[2] = mul e b
  return f }
)");
}

TEST(Tracing, Lines) {
  const std::string message = error_of([] { lax::add(Array({1.f, 2.f}), Array({1.f})); });
  EXPECT_EQ(message, R"(add: operands must have one shape, found f32[2] and f32[1].
  called at pages_test.cc:LINE
  Broadcast or reshape one of them.)");
}

TEST(Tracing, Listing) {
  const Output output;
  const auto wave = jit([](const Array& x) {
    const NameScope scope("wave");
    return lax::sin(x);
  });
  std::cout << wave.listing(Array({1.f, 2.f})) << '\n';
  EXPECT_EQ(without_lines(output.text()), R"({ a:f32[2] ->
  b:f32[2] = sin a    # pages_test.cc:LINE wave
  return b }
)");
}

TEST(Tracing, Escapes) {
  Array escaped;
  trace([&escaped](const Array& x) { return escaped = lax::sin(x); }, abstract({f32, {}}));
  const std::string message = error_of([&escaped] { lax::cos(escaped); });
  EXPECT_EQ(
      message,
      R"(cos: a traced value f32[] that was made at pages_test.cc:LINE while `trace` was traced has escaped: its trace has ended.
  called at pages_test.cc:LINE
  Return the value from `trace` instead of keeping it in a variable outside.)");
}

TEST(Tracing, ConstantsAreConstructedInside) {
  const std::vector<float> samples = {1, 2};
  const auto f = [&samples](const Array& x) {
    return lax::add(lax::add(x, Array({1.f, 2.f})), Array::borrow({f32, {2}}, samples.data()));
  };
  const Program program = trace(f, abstract({f32, {2}}));
  EXPECT_EQ(program.inputs().size(), 2u);
  EXPECT_NE(program.text().find("constant {type=f32[2], bytes=0x0000803f00000040}"), std::string::npos);
}

// ---- primitives.md
// ------------------------------------------------------------------------------------------------

TEST(Primitives, Batch) {
  const auto flip = [](const Array& x) { return lax::transpose(x, {1, 0}); };
  const Program one = trace(flip, abstract({f32, {2, 3}}));
  const Program lanes = trace(vmap(flip), abstract({f32, {5, 2, 3}}));
  EXPECT_EQ(one.text(), R"({ a:f32[2,3] ->
  b:f32[3,2] = transpose a {permutation=[1,0]}
  return b })");
  EXPECT_EQ(lanes.text(), R"({ a:f32[5,2,3] ->
  b:f32[5,3,2] = transpose a {permutation=[0,2,1]}
  return b })");
}

// ---- transforms.md
// ------------------------------------------------------------------------------------------------

TEST(Transforms, StepByStep) {
  const auto f = [](const Array& x) { return lax::mul(lax::sin(x), x); };
  const Program before = trace(f, abstract({f32, {}}));
  EXPECT_EQ(before.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = mul b a
  return c })");
  const JvpProgram derivative = jvp(before, {true}, {true});
  EXPECT_EQ(derivative.program.text(), R"({ a:f32[], b:f32[] ->
  c:f32[] = sin a
  d:f32[] = cos a
  e:f32[] = mul b d
  f:f32[] = mul c a
  g:f32[] = mul e a
  h:f32[] = mul c b
  i:f32[] = add g h
  return f, i })");
  const PartialProgram cut = partial(derivative.program, {false, true}, {false, true}, {});
  EXPECT_EQ(cut.known.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = cos a
  d:f32[] = mul b a
  return d, c, a, b })");
  EXPECT_EQ(cut.unknown.text(), R"({ a:f32[], b:f32[], c:f32[], d:f32[] ->
  e:f32[] = mul a b
  f:f32[] = mul e c
  g:f32[] = mul d a
  h:f32[] = add f g
  return h })");
  const Mask tangent = {true, false, false, false};
  EXPECT_EQ(transpose(cut.unknown, tangent, {true}, tangent).program.text(),
            R"({ a:f32[], b:f32[], c:f32[], d:f32[] ->
  e:f32[] = mul c d
  f:f32[] = mul d b
  g:f32[] = mul f a
  h:f32[] = add e g
  return h })");
  const Program gradient_of_f = trace(grad(f), abstract({f32, {}}));
  EXPECT_EQ(gradient_of_f.text(), R"({ a:f32[] ->
  b:f32[] = sin a
  c:f32[] = cos a
  d:f32[] = mul b 1.0:f32
  e:f32[] = mul 1.0:f32 a
  f:f32[] = mul e c
  g:f32[] = add d f
  return g })");
}

TEST(Transforms, Lanes) {
  const auto g = [](const Array& x, const Array& w) { return lax::reduce_sum(lax::mul(x, w), {0}); };
  const auto lanes = vmap(g, {.in = {axis(0), whole}});
  const Program over_lanes = trace(lanes, abstract({f32, {3, 2}}), abstract({f32, {2}}));
  EXPECT_EQ(over_lanes.text(), R"({ a:f32[3,2], b:f32[2] ->
  c:f32[3,2] = broadcast_in_dim b {shape=[3,2], dimensions=[1]}
  d:f32[3,2] = mul a c
  e:f32[3] = reduce_sum d {axes=[1]}
  return e })");
}

TEST(Transforms, Checkpoint) {
  const auto twice = [](const Array& x) { return lax::sin(lax::sin(x)); };
  const Program recomputed = trace(grad(checkpoint(twice)), abstract({f32, {}}));
  EXPECT_EQ(recomputed.text(), R"({ a:f32[] ->
  b:f32[], c:f32[] = optimization_barrier a 1.0:f32
  d:f32[] = checkpoint b c {body={ a:f32[], b:f32[] ->
    c:f32[] = cos a
    d:f32[] = sin a
    e:f32[] = cos d
    f:f32[] = mul b e
    g:f32[] = mul f c
    return g }, save=nothing, names=[]}
  return d })");
}

struct Kept {
  Array out, residual;
};

TEST(Transforms, LoopsAndRules) {
  const auto power = [](const Array& w) {
    return fori_loop(
        0, 3, [w](const Array&, const Array& c) { return lax::mul(c, w); }, Array(1.f));
  };
  const float slope = grad(power)(Array(2.f)).item();  // 3 w^2
  EXPECT_EQ(slope, 12.f);
  const auto clipped = custom_vjp([](const Array& x) { return x; },  // the identity,
                                  [](const Array& x) {
                                    return Kept{x, Array()};
                                  },  // nothing to keep,
                                  [](const Array&, const Array& ct) { return lax::clamp(-1.0, ct, 1.0); });
  const float at_most_one =
      grad([clipped](const Array& x) { return lax::mul(clipped(x), 7.0); })(Array(2.f)).item();
  EXPECT_EQ(at_most_one, 1.f);
  EXPECT_NE(error_of([&] { jvp(clipped, Array(1.f), Array(1.f)); }), "no error");
  EXPECT_EQ(
      grad(grad([clipped](const Array& x) { return lax::mul(clipped(x), clipped(x)); }))(Array(.25f)).item(),
      2.f);
}

// ---- jit.md
// -------------------------------------------------------------------------------------------------------

struct State {
  Array w, step;
};
struct Out {
  State state;
  Array loss;
};
Out descend(State s, const Array& x) {
  s.w = lax::sub(s.w, lax::mul(x, 0.5));
  s.step = lax::add(s.step, 1);
  return {s, lax::reduce_sum(s.w, {0})};
}

TEST(Jit, StepByStep) {
  const Output output;
  auto step = jit(descend, {.name = "step"});
  State state{Array({1.f, 2.f}), Array(0)};
  const Array x({1.f, 1.f});
  const Array first = step.update(state, x);  // donates `state`, writes the new one in its place
  Out out = step(std::move(state), x);        // the same by value: `state` is empty now
  std::cout << step.program(out.state, x) << '\n' << step.donation().text();
  EXPECT_EQ(first.item(), 2.f);
  EXPECT_EQ(output.text(), R"({ a:f32[2], b:s32[], c:f32[2] ->
  d:f32[2] = broadcast_in_dim 0.5:f32 {shape=[2], dimensions=[]}
  e:f32[2] = mul c d
  f:f32[2] = sub a e
  g:s32[] = add b 1:s32
  h:f32[] = reduce_sum f {axes=[0]}
  return f, g, h }
donated 12 B in 2 leaves, reused 12 B
  args[0].w f32[2]: reused by result.state.w
  args[0].step s32[]: reused by result.state.step
)");
  const Counters before = counters();
  for (int i = 0; i < 5; ++i) step.update(out.state, x);
  const Counters after = counters();
  const bool steady = after.traces == before.traces && after.compiles == before.compiles;
  EXPECT_TRUE(steady);
}

TEST(Jit, Messages) {
  {
    auto once = jit([](const Array& v) { return lax::sin(v); }, {.allow_retrace = false, .name = "once"});
    once(Array({1.f, 2.f}));
    const std::string message = error_of([&once] { once(Array({1.f, 2.f, 3.f})); });
    EXPECT_EQ(message,
              R"(`once` (jit at pages_test.cc:LINE): a second signature, and retracing is not allowed.
  called at pages_test.cc:LINE
  It differs from the closest earlier call in:
  args[0]    f32[2] -> f32[3]
  Keep the types and constants of the arguments as they were, or allow_retrace.)");
  }
  auto halve = jit([](State s) { return lax::mul(s.w, 0.5); }, {.name = "halve"});
  State given{Array({1.f, 2.f}), Array(0)};
  halve(std::move(given));
  const std::string message = error_of([&] { halve(given); });
  EXPECT_EQ(
      message,
      R"(`halve` (jit at pages_test.cc:LINE): leaf args[0].w is empty: it was donated at pages_test.cc:LINE and not replaced.
  called at pages_test.cc:LINE)");
}

// ---- engines.md, interop.md
// ---------------------------------------------------------------------------------------

TEST(Engines, Execute) {
  const Program cubed =
      Program::parse("{ a:f32[2] ->\n  b:f32[2] = mul a a\n  c:f32[2] = mul b a\n  return c, a }");
  const Arrays results = execute(cubed, {Array({2.f, 3.f})}, {});
  EXPECT_EQ(results[0].read<float>().vector(), (std::vector<float>{8, 27}));
}

TEST(Interop, LoadJit) {
  const std::string path = BATON_TEST_DATA "/docs/step.mlir";
  auto step = load_jit<Out(State, Array)>(path);
  State state{Array({5.f, 6.f}), Array(0)};
  const Array loss = step.update(state, Array({1.f, 2.f}));
  EXPECT_EQ(loss.item(), 8.f);
  EXPECT_EQ(state.step.item<int>(), 1);
}

TEST(Interop, ImportsText) {
  const Program program = import_stablehlo(R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  EXPECT_EQ(program.text(), R"({ a:f32[2] ->
  b:f32[2] = sin a
  return b })");
}

TEST(Interop, ArrayFiles) {
  const std::string path = testing::TempDir() + "docs.safetensors";
  save_safetensors(path, {{"w", Array({1.f, 2.f})}, {"b", Array(0.5f)}}, {{"step", "100"}});
  const Safetensors file(path);
  const Array w = file.array("w");
  const std::string saved_at = file.metadata().at("step");
  EXPECT_EQ(w.type(), (Type{f32, {2}}));
  EXPECT_EQ(saved_at, "100");
}

}  // namespace
}  // namespace baton
