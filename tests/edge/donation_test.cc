// donation: one memory at several leaves, leaves that change places, leaves that come back twice, memory of
// others.
#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton {
namespace {

struct Two {
  Array a, b;
};
struct Three {
  Array a, b, c;
};
std::vector<float> values(const Array& a) { return a.read<float>().vector(); }
using Floats = std::vector<float>;

TEST(Donation, OneArrayMovedTwiceIsSharedAndNotOverwritten) {
  auto f = jit([](const Array& a, const Array& b) { return Two{lax::add(a, 1.f), lax::mul(b, 10.f)}; });
  Array x({1.f, 2.f});
  const std::int64_t before = counters().denied_donations;
  const Two r = f(std::move(x),
                  std::move(x));  // NOLINT(bugprone-use-after-move): the same object twice is what is tested
  EXPECT_EQ(values(r.a), (Floats{2, 3}));
  EXPECT_EQ(values(r.b), (Floats{10, 20}));
  EXPECT_EQ(counters().denied_donations - before, 2);
}

TEST(Donation, AnArrayMovedAndBorrowedInOneCallComesBackWhole) {
  auto f = jit([](const Array& a, const Array& b) { return Two{lax::add(a, 1.f), b}; });
  Array x({1.f, 2.f});
  const Two r = f(std::move(x), x);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(values(r.a), (Floats{2, 3}));
  EXPECT_EQ(values(r.b), (Floats{1, 2}));
}

TEST(Donation, ALeafOfTheStateMayBeTheBatchToo) {
  auto step = jit([](const Array& w, const Array& x) { return Two{lax::add(w, 1.f), x}; });
  Array w({1.f, 2.f});
  const Array x = step.update(w, w);
  EXPECT_EQ(values(w), (Floats{2, 3}));
  EXPECT_EQ(values(x), (Floats{1, 2}));
}

TEST(Donation, OneArrayAtSeveralLeavesBecomesSeparateOnes) {
  auto step = jit([](const Three& s) { return Three{s.b, lax::add(s.a, 1.f), lax::add(s.b, s.c)}; });
  Array x({1.f});
  Three s{x, x, x};
  x = Array();
  for (int i = 0; i < 2; ++i) step.update(s);
  EXPECT_EQ(values(s.a), Floats{2});
  EXPECT_EQ(values(s.b), Floats{2});
  EXPECT_EQ(values(s.c), Floats{4});
}

TEST(Donation, CyclesOfLeavesArePermuted) {
  auto turn = jit([](const Three& s) { return Three{s.b, s.c, s.a}; });
  Three s{Array({1.f}), Array({2.f}), Array({3.f})};
  turn.update(s);
  EXPECT_EQ(values(s.a), Floats{2});
  EXPECT_EQ(values(s.c), Floats{1});
  turn.update(s);
  EXPECT_EQ(values(s.a), Floats{3});
  EXPECT_EQ(values(s.b), Floats{1});
}

TEST(Donation, ALeafReturnedTwiceGetsAMemoryForEach) {
  auto step = jit([](const Two& s) { return Two{s.a, s.a}; });
  Two s{Array({1.f, 2.f}), Array({3.f, 4.f})};
  step.update(s);
  EXPECT_NE(s.a.data(), s.b.data());
  EXPECT_EQ(values(s.b), (Floats{1, 2}));
}

TEST(Donation, BorrowedAndCapturedMemoryIsNeverWritten) {
  float memory[] = {1, 2};
  auto step = jit([](const Two& s) { return Two{lax::add(s.b, s.a), lax::mul(s.a, 2.f)}; });
  Two s{Array::borrow({f32, {2}}, memory), Array({3.f, 4.f})};
  step.update(s);
  step.update(s);
  EXPECT_EQ(values(s.a), (Floats{6, 10}));
  EXPECT_EQ(memory[0], 1);
  const Array kept({1.f, 1.f});
  constexpr int line = __LINE__ + 1;
  auto captured = jit([kept](const Array& w) { return lax::add(w, kept); });
  Array w = kept;
  for (int i = 0; i < 2; ++i) {
    captured.update(w);
    if (i == 0)
      EXPECT_NE(
          captured.donation().text().find(
              "args[0] f32[2]: not reused: it shares its memory with an array that the function captures "
              "at donation_test.cc:" +
              std::to_string(line) +
              "\nTo have its memory reused, an array must have one owner: let the other go before the "
              "call, or move it too.\n"),
          std::string::npos)
          << captured.donation().text();
  }
  EXPECT_EQ(values(w), (Floats{3, 3}));
  EXPECT_EQ(values(kept), (Floats{1, 1}));
}

TEST(Donation, EmptyAxesAndConstMovesChangeNothing) {
  auto step = jit([](const Two& s) { return Two{s.b, lax::add(s.a, 1.f)}; });
  Two s{lax::zeros({f32, {0, 3}}), lax::zeros({f32, {0, 3}})};
  step.update(s);
  EXPECT_EQ(s.a.shape(), (Shape{0, 3}));
  const Two fixed{Array({1.f}), Array({2.f})};
  const Two r = step(std::move(fixed));  // NOLINT(performance-move-const-arg): what is tested
  EXPECT_EQ(values(r.b), Floats{2});
  EXPECT_EQ(values(fixed.a), Floats{1});
}

}  // namespace
}  // namespace baton
