// pages: the code of docs/*.md, but for those with a file of their own, compiled and run. tools/check_docs.py
// compares the two.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "baton/load_jit.h"
#include "baton/safetensors.h"
#include "baton/stablehlo.h"
#include "pages.h"
#include "program/primitive.h"
#include "trace/executor.h"

namespace baton {
namespace {

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

TEST(Tracing, HostFunction) {
  const Output output;
  const auto measured = jit([](const Array& x) {
    const auto device = [](std::span<const HostArray> in, std::span<const HostArray> out) {
      out[0].as<float>()[0] = 2 * in[0].as<float>()[0];  // any C++
    };
    return host_function(device, {x.type()}, {x})[0];
  });
  std::cout << measured(Array(1.5f)) << '\n';
  EXPECT_EQ(output.text(), "3.0\n");
}

TEST(Tracing, Lines) {
  const std::string message = error_of([] { lax::add(Array({1.f, 2.f}), Array({1.f})); });
  EXPECT_EQ(without_lines(message), R"(add: operands must have one shape, found f32[2] and f32[1].
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
      without_lines(message),
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
  s.w = s.w - 0.5 * x;
  s.step = s.step + 1;
  return {s, sum(s.w)};
}

TEST(Jit, TracesOnceForEachSignature) {
  const Counters before = counters();
  const auto norm = jit([](const Array& v) { return sqrt(sum(v * v)); });
  norm(Array({3.f, 4.f}));       // traces, compiles and runs
  norm(Array({6.f, 8.f}));       // runs
  norm(Array({1.f, 2.f, 2.f}));  // another shape: traces, compiles and runs
  EXPECT_EQ(counters().traces - before.traces, 2);
  EXPECT_EQ(counters().compiles - before.compiles, 2);
  EXPECT_EQ(norm(Array({1.f, 2.f, 2.f})).item(), 3.f);
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
  e:f32[2] = mul d c
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
    EXPECT_EQ(without_lines(message),
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
      without_lines(message),
      R"(`halve` (jit at pages_test.cc:LINE): leaf args[0].w is empty: it was donated at pages_test.cc:LINE and not replaced.
  called at pages_test.cc:LINE
  Go on with what that call returned, or give the state to `update`, which puts it back.)");
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

TEST(Interop, KerasModel) {  // tests/golden/make_keras.py prints the same numbers
  const Output output;
  const std::string folder = BATON_TEST_DATA "/docs/";
  const Array x({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}, {3, 2}), y = zeros({3, 1});
  const auto predict = load_jit<Array(NamedArrays, NamedArrays, Array)>(folder + "predict.mlir");
  NamedArrays weights = load_safetensors(folder + "trainable.safetensors");
  const NamedArrays others = load_safetensors(folder + "others.safetensors");
  std::cout << predict(weights, others, x) << '\n';
  const auto loss = [predict, others](const NamedArrays& weights, const Array& x, const Array& y) {
    return mean(square(predict(weights, others, x) - y));
  };
  const auto step = jit([loss](const NamedArrays& weights, const Array& x, const Array& y) {
    const auto [value, gradient] = value_and_grad(loss)(weights, x, y);
    return std::pair(tree_map([](Array w, Array g) { return w - 0.01 * g; }, weights, gradient), value);
  });
  for (int i = 0; i < 2; ++i) std::cout << "loss " << step.update(weights, x, y) << '\n';
  EXPECT_EQ(output.text(), R"([[0.191671  ]
 [0.87122554]
 [1.1108862 ]]
loss 0.6766133
loss 0.30391368
)");
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
