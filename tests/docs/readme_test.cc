// readme: the program of README.md, run, and the error that it shows: its lines count from #line on.
#line 1 "train.cc"
#include <baton/baton.h>
#include <iostream>
using namespace baton;

struct Dense {
  Array weight, bias;
  Array operator()(const Array& x) const { return matmul(x, weight) + bias; }
};
struct Mlp {
  Dense hidden, out;
  Array operator()(const Array& x) const { return out(relu(hidden(x))); }
};
struct Batch {
  Array x, label;
};

Array loss(const Mlp& model, const Batch& batch) {
  return -mean(sum(one_hot(batch.label, 10) * log_softmax(model(batch.x)), -1));
}
std::pair<Mlp, Array> sgd(const Mlp& model, const Batch& batch) {
  auto [value, gradient] = value_and_grad(loss)(model, batch);
  return {tree_map([](const Array& p, const Array& g) { return p - 0.1f * g; }, model, gradient), value};
}
void train(Mlp& model, const std::vector<Batch>& batches) {
  const auto step = jit(sgd, {.allow_retrace = false, .name = "sgd"});  // one Program for all batches
  for (const Batch& batch : batches)
    std::cout << step.update(model, batch) << '\n';  // model: donated and replaced
}
#line 32 "readme_test.cc"

#include <gtest/gtest.h>

namespace {

Dense dense(const random::Key& key, std::int64_t in, std::int64_t out) {
  return {initializers::glorot_uniform()(key, {in, out}), zeros({out})};
}

TEST(Readme, TrainsInPlace) {
  const auto [hidden, out, data] = random::split<3>(random::key(0));
  Mlp model{dense(hidden, 16, 8), dense(out, 8, 10)};
  const Batch batch{random::normal(data, {20, 16}),
                    Array({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9})};
  const float before = loss(model, batch).item();
  const void* memory = model.hidden.weight.data();
  const Counters start = counters();
  testing::internal::CaptureStdout();
  train(model, std::vector<Batch>(20, batch));
  EXPECT_FALSE(testing::internal::GetCapturedStdout().empty());
  EXPECT_LT(loss(model, batch).item(), before);
  EXPECT_EQ(model.hidden.weight.data(), memory);
  EXPECT_EQ(counters().compiles - start.compiles, 1);
}

TEST(Readme, ShortLastBatch) {
  const auto [hidden, out] = random::split<2>(random::key(0));
  Mlp model{dense(hidden, 64, 8), dense(out, 8, 10)};
  const auto batch = [](std::int64_t rows) { return Batch{zeros({rows, 64}), zeros({rows}, s32)}; };
  testing::internal::CaptureStdout();
  std::string message;
  try {
    train(model, {batch(32), batch(32), batch(17)});
  } catch (const UsageError& e) {
    message = e.what();
  }
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(message, R"(`sgd` (jit at train.cc:25): a second signature, and retracing is not allowed.
  called at train.cc:27
  It differs from the closest earlier call in:
  args[1].x    f32[32,64] -> f32[17,64]
  args[1].label    s32[32] -> s32[17]
  Keep the types and constants of the arguments as they were, or allow_retrace.)");
}

}  // namespace
