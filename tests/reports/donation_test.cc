// donation: what users of other libraries met when memory was reused, restated. Each test names the public
// thread.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
std::vector<float> values(const Array& a) { return a.read<float>().vector(); }

// jax-ml/jax #1733: the natural loop w = step(w) keeps two copies of the weights.
TEST(Reports, R3_MovingInALoopReusesTheMemory) {
  auto half = jit([](const Array& x) { return lax::mul(x, 0.5f); });
  Array x = lax::full({1 << 20}, 1024.f);
  const void* memory = x.data();
  const Counters before = counters();
  reset_peak();
  for (int i = 0; i < 10; ++i) {
    x = half(std::move(x));
    EXPECT_EQ(half.donation().reused_bytes, std::size_t{4} << 20);
  }
  if (default_engine() == Engine::cpu) EXPECT_EQ(counters().peak_bytes, before.live_bytes);  // the one copy
  EXPECT_EQ(x.data(), memory);
  EXPECT_EQ(values(x)[77], 1.f);
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
  EXPECT_EQ(counters().denied_donations, before.denied_donations);
}

// jax-ml/jax #9675: a donation that cannot be used is only a warning.
TEST(Reports, R4_RequiredDonationThatNoResultCanUseIsAnError) {
  auto narrow = [](const Array& x) { return lax::slice_in_dim(x, 0, 4, 1, 1); };
  auto strict = jit(narrow, {.donation = Donation::required, .name = "narrow"});
  Array x = lax::zeros({f32, {8, 8}});
  const std::string error = error_of([&] { strict(std::move(x)); });
  EXPECT_TRUE(contains(
      error, "donation is required, and args[0] f32[8,8] cannot be donated: no output of type f32[8,8]."))
      << error;
  EXPECT_EQ(x.size(), 64);  // NOLINT(bugprone-use-after-move): nothing was taken
  auto lenient = jit(narrow);
  lenient(std::move(x));
  EXPECT_TRUE(
      contains(lenient.donation().text(), "args[0] f32[8,8]: not usable: no output of type f32[8,8]"));
}

// jax-ml/jax #12627: a donated input that shares memory with another one hangs the program.
TEST(Reports, R6_ADonatedInputThatIsAnotherInputToo) {
  auto update = jit([](const Array& x, const Array& b) { return lax::add(x, b); });
  Array x = lax::full({1024}, 1.f);
  for (int i = 0; i < 10; ++i) {
    const Array b = x;
    x = update(std::move(x), b);
    EXPECT_TRUE(contains(update.donation().text(),
                         "args[0] f32[1024]: not reused: it shares its memory with args[1]"));
  }
  EXPECT_EQ(values(x), std::vector<float>(1024, 1024.f));
  // The same variable twice, moved and not, and moved twice.
  Array y = lax::full({1024}, 1.f);
  y = update(std::move(y), y);  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(values(y), std::vector<float>(1024, 2.f));
  auto both = jit([](const Array& a, const Array& b) {
    return std::pair<Array, Array>(lax::add(a, 1.f), lax::mul(b, 3.f));
  });
  const auto [sum, product] = both(std::move(y), std::move(y));  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(values(sum)[0], 3.f);
  EXPECT_EQ(values(product)[0], 6.f);
  auto step = jit([](const Array& a, const Array& b) { return lax::add(lax::mul(a, 2.f), b); });
  Array state = lax::full({8}, 1.f);
  step.update(state, state);
  EXPECT_EQ(values(state)[0], 3.f);
  auto strict =
      jit([](const Array& a, const Array& b) { return lax::add(a, b); }, {.donation = Donation::required});
  EXPECT_TRUE(contains(error_of([&] { strict(std::move(state), state); }),
                       "it shares its memory with args[1]"));  // NOLINT
}

// openxla/xla #22604: donating the same array twice crashes.
TEST(Reports, R7_AnArrayDonatedTwiceNamesTheFirstCall) {
  auto next = jit([](const Array& x) { return lax::add(x, 1); });
  Array b(1);
  next(std::move(b));
  const int line = __LINE__ - 1;
  const std::string error = error_of([&] { next(std::move(b)); });  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(contains(error, "leaf args[0] is empty: it was donated at donation_test.cc:" +
                                  std::to_string(line) + " and not replaced."))
      << error;
  EXPECT_EQ(next(Array(5)).item<int>(), 6);
}

struct Net {
  Array w;
};

// google/flax #5461: a clone shares its buffers, so that donating it kills the original.
TEST(Reports, R9_ACloneHasMemoryOfItsOwn) {
  Net net{lax::full({3, 3}, 1.f)};
  Net target = clone(net);
  EXPECT_NE(net.w.data(), target.w.data());
  auto step =
      jit([](const Net& a,
             const Net& b) { return std::pair<Net, Net>({lax::add(a.w, 1.f)}, {lax::mul(b.w, 0.5f)}); },
          {.donation = Donation::required});
  auto [n, t] = step(std::move(net), std::move(target));
  EXPECT_EQ(values(n.w)[8], 2.f);
  EXPECT_EQ(values(t.w)[8], 0.5f);
}

// jax-ml/jax #3412: an explicit copy was none, and died with the original.
TEST(Reports, R10_ACopySurvivesTheDonationOfTheOriginal) {
  Array x({0.f, 1.f});
  const Array c = clone(x);
  auto set = jit([](const Array& a) { return lax::dynamic_update_slice(a, Array({77.f}), {Array(0)}); });
  const Array y = set(std::move(x));
  EXPECT_EQ(values(c), (std::vector<float>{0, 1}));
  EXPECT_EQ(values(y), (std::vector<float>{77, 1}));
}

// jax-ml/jax #37830: memory of the host is aliased without being asked for.
TEST(Reports, R11_ImportsCopyUnlessTheyBorrow) {
  std::vector<float> h(100, 0.f);
  const Array a(h, {100});
  h[0] = -1;
  EXPECT_EQ(values(a)[0], 0.f);
  Array borrowed = Array::borrow({f32, {100}}, h.data());
  EXPECT_EQ(values(borrowed)[0], -1.f);
  auto f = jit([](const Array& x) { return lax::add(x, 1.f); }, {.donation = Donation::required});
  EXPECT_TRUE(
      contains(error_of([&] { f(std::move(borrowed)); }), "it shares its memory with borrowed memory"));
  EXPECT_EQ(h[0], -1.f);
}

// jax-ml/jax #26216: reading an array keeps a copy on the host, which blocks donation.
TEST(Reports, R13_ReadingLeavesNothingBehind) {
  Array a = lax::full({1 << 16}, 1.f);
  const Counters before = counters();
  EXPECT_EQ(a.read<float>()[5], 1.f);
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
  EXPECT_EQ(counters().allocations, before.allocations);
  const void* memory = a.data();
  auto f = jit([](const Array& x) { return lax::add(x, 1.f); }, {.donation = Donation::required});
  EXPECT_EQ(f(std::move(a)).data(), memory);
}

struct State {
  Array w, step;
};

// jax-ml/jax #7144: train and evaluation cannot share a donated state.
TEST(Reports, R17_EvaluationBorrowsWhatTrainingConsumes) {
  auto train = jit(
      [](const State& s, const Array& b) {
        return State{lax::sub(s.w, b), lax::add(s.step, 1)};
      },
      {.donation = Donation::required});
  auto evaluate = jit([](const State& s, const Array& b) { return lax::reduce_sum(lax::mul(s.w, b), {0}); });
  State state{lax::full({1 << 14}, 1.f), Array(0)};
  const Array b = lax::full({1 << 14}, 0.5f);
  const void* memory = state.w.data();
  const Counters before = counters();
  reset_peak();
  for (int i = 1; i <= 3; ++i) {
    state = train(std::move(state), b);
    EXPECT_EQ(evaluate(state, b).item(), 0.5f * (1 << 14) * (1 - 0.5f * static_cast<float>(i)));
  }
  EXPECT_EQ(state.w.data(), memory);
  EXPECT_EQ(counters().copies, before.copies);
  EXPECT_EQ(counters().denied_donations, before.denied_donations);
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
  // Beside the state and the batch: what evaluation gives.
  if (default_engine() == Engine::cpu) EXPECT_LE(counters().peak_bytes - before.live_bytes, 64);
}

// pytorch/pytorch PR #130580: saved activations are reused, and a second backward pass fails or is wrong.
TEST(Reports, R22_APullbackIsCallableAgainAndConsumedByChoice) {
  auto f = [](const Array& x) { return lax::mul(lax::sin(x), lax::exp(x)); };
  const Array x({0.5f, 1.f});
  auto [y, pull] = vjp(f, x);
  const Array one = lax::full({2}, 1.f), two = lax::full({2}, 2.f);
  const std::vector<float> first = values(pull(one)), second = values(pull(two)), again = values(pull(one));
  EXPECT_EQ(first, again);
  EXPECT_EQ(second[1], 2 * first[1]);
  const Counters held = counters();
  EXPECT_EQ(values(std::move(pull)(one)), first);
  EXPECT_LT(counters().live_bytes, held.live_bytes);
  EXPECT_TRUE(
      contains(error_of([&] { pull(one); }),
               "vjp: the residuals of this function were given back at donation_test.cc:"));  // NOLINT
}
TEST(Reports, R22_APullbackThatIsConsumedHoldsLess) {
  auto f = [](const Array& x) { return lax::mul(lax::sin(x), lax::exp(x)); };
  const Array x = lax::full({1 << 16}, 0.5f), one = lax::full({1 << 16}, 1.f);
  const auto peak = [&](bool consumed) {
    const std::int64_t before = counters().live_bytes;
    reset_peak();
    {
      auto [y, pull] = vjp(f, x);
      const Array first = pull(one), second = consumed ? std::move(pull)(one) : pull(one);
    }
    return counters().peak_bytes - before;
  };
  if (default_engine() == Engine::cpu)
    EXPECT_EQ(peak(false) - peak(true), 4 << 16);  // the cotangent lies in the memory of a residual
  else
    EXPECT_LE(peak(true), peak(false));
}

// iree-org/iree #16168: an input that is also a result is overwritten by another result.
TEST(Reports, R23_AnInputThatIsReturnedKeepsItsValue) {
  auto f = [](const Array& a, const Array& b, const Array& acc) {
    return std::pair<Array, Array>(lax::add(lax::mul(a, b), acc), acc);
  };
  auto compiled = jit(f);
  const Array a = lax::full({2, 2}, 2.f), b = lax::full({2, 2}, 3.f);
  for (const bool donate : {false, true}) {
    Array acc = lax::full({2, 2}, 10.f);
    const auto [sum, same] = donate ? compiled(a, b, std::move(acc)) : compiled(a, b, acc);
    EXPECT_EQ(values(sum), std::vector<float>(4, 16.f));
    EXPECT_EQ(values(same), std::vector<float>(4, 10.f));
    EXPECT_NE(sum.data(), same.data());
  }
  // Both results the same value: two buffers.
  auto twice = jit([](const Array& x) { return std::pair<Array, Array>(x, x); });
  const auto [p, q] = twice(lax::full({2}, 1.f));
  EXPECT_NE(p.data(), q.data());
}

// tinygrad/tinygrad #16571: an assignment to what is not returned is lost when the compiled function runs
// again.
TEST(Reports, R25_AnAssignmentToAnOutsideArrayIsAnErrorNotLost) {
  Array w({1.f, 2.f});
  auto step = jit(
      [&w](const Array& x) {
        const Array loss = lax::reduce_sum(lax::mul(w, x), {0});
        w = lax::sub(w, lax::mul(x, 0.1f));
        return loss;
      },
      {.name = "step"});
  const Array x({1.f, 1.f});
  step(x);
  EXPECT_TRUE(
      contains(error_of([&] { w.read<float>(); }), "the value of a traced array f32[2] was asked for"));
  EXPECT_TRUE(
      contains(error_of([&] { step(x); }), "the function reads an array f32[2] at donation_test.cc:"));
}

// tinygrad/tinygrad #15698: gradients differ between compiled and not, for a convolution of a view.
TEST(Reports, R25_GradientsOfAConvolutionOfAViewAreBitEqual) {
  std::vector<float> numbers(2 * 3 * 5 * 5);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7919) % 101) / 50 - 1;
  const Array x(numbers, {5, 5, 3, 2});
  const Array w(std::span<const float>(numbers.data(), 4 * 3 * 2 * 2), {4, 3, 2, 2});
  auto loss = [](const Array& k, const Array& image) {
    const Array y = lax::conv_general_dilated(lax::transpose(image, {3, 2, 1, 0}), k);
    return lax::reduce_sum(lax::mul(lax::tanh(y), y), {0, 1, 2, 3});
  };
  EXPECT_EQ(values(grad(loss)(w, x)),
            values(jit([loss](const Array& k, const Array& i) { return grad(loss)(k, i); })(w, x)));
}

}  // namespace
}  // namespace baton
