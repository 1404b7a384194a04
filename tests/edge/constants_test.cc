// constants: numbers, strings and sizes in trees are constants of a Program; a function that changes one
// where only leaves come back is refused, since the change would be lost.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

void expect_change(const std::string& error, std::string_view change) {
  EXPECT_NE(error.find(change), std::string::npos) << error;
}

struct Counted {
  Array x;
  int steps = 0;
};
Counted counts(Counted c) {
  c.x = lax::mul(c.x, 2.f);
  c.steps += 1;
  return c;
}
struct Names {
  Array x;
  std::string phase = "warm";
  std::map<std::string, Array> slots;
  std::optional<Array> best;
};

TEST(Constants, OfALoopMayNotChange) {
  const Counted init{Array(1.f)};
  const std::string change = "carry.steps was 0 and became 1.";
  expect_change(
      error_of([&] {
        scan([](Counted c, Nothing) { return Step{counts(c), Nothing{}}; }, init, Nothing{}, {.length = 10});
      }),
      "scan: the body must return the carry as it was given; " + change);
  const auto below = [](const Counted& c) { return lax::lt(c.x, 9.f); };
  expect_change(error_of([&] { while_loop(below, counts, init); }), change);
  expect_change(error_of([&] { while_loop(below, counts, init, {.max_steps = 3}); }), change);
  expect_change(error_of([&] {
                  fori_loop(
                      0, 3, [](const Array&, const Counted& c) { return counts(c); }, init);
                }),
                change);
}

TEST(Constants, OfACarryIncludeStringsKeysAndSizes) {
  const auto loop = [](void (*change)(Names&)) {
    return error_of([&] {
      scan(
          [&](Names c, Nothing) {
            change(c);
            return Step{c, Nothing{}};
          },
          Names{Array(1.f), "warm", {{"a", Array(1.f)}}, {}}, Nothing{}, {.length = 2});
    });
  };
  expect_change(loop([](Names& c) { c.phase = "cold"; }), "carry.phase was \"warm\" and became \"cold\".");
  expect_change(loop([](Names& c) { c.slots["b"] = c.x; }), "carry.slots (size) was 1 and became 2.");
  expect_change(loop([](Names& c) { c.slots = {{"b", c.x}}; }), "carry.slots was \"a\" and became \"b\".");
  expect_change(loop([](Names& c) { c.best = c.x; }), "carry.best (size) was 0 and became 1.");
  expect_change(loop([](Names& c) { c.slots["a"] = Array(); }), "carry.slots.a was f32[] and became empty.");
  EXPECT_EQ(loop([](Names& c) { c.x = c.slots["a"]; }), "no error");
}

TEST(Constants, ACarryMayNotGrow) {
  const std::vector<Array> init = {Array(1.f)};
  const auto grow = [](std::vector<Array> c) {
    c.push_back(c[0]);
    return c;
  };
  const std::string change = "carry (size) was 1 and became 2.";
  expect_change(error_of([&] {
                  scan(
                      [&](std::vector<Array> c, Nothing) {
                        return Step{grow(c), Nothing{}};
                      },
                      init, Nothing{}, {.length = 3});
                }),
                change);
  expect_change(error_of([&] {
                  while_loop([](const std::vector<Array>& c) { return lax::lt(c[0], 0.f); }, grow, init);
                }),
                change);
  expect_change(error_of([&] {
                  fori_loop(
                      0, 3, [&](const Array&, const std::vector<Array>& c) { return grow(c); }, init);
                }),
                change);
}

TEST(Constants, OfBranchesMustAgree) {
  const auto with = [](int steps) { return [steps](const Array& x) { return Counted{x, steps}; }; };
  expect_change(
      error_of([&] { cond(Array(true), with(1), with(2), Array(1.f)); }),
      "cond: all branches must return the same constants; result.steps is 1 when true and 2 when false.");
  const std::vector branches = {with(3), with(3), with(4)};
  expect_change(error_of([&] { switch_case(Array(0), branches, Array(1.f)); }),
                "result.steps is 3 in branch 0 and 4 in branch 2.");
  const auto lists = [](std::size_t n) { return [n](const Array& x) { return std::vector<Array>(n, x); }; };
  expect_change(error_of([&] { cond(Array(true), lists(1), lists(2), Array(1.f)); }),
                "result (size) is 1 when true and 2 when false.");
  EXPECT_EQ(cond(Array(true), with(5), with(5), Array(1.f)).steps, 5);
}

struct Named {
  Array loss;
  std::string text;
};
TEST(Constants, OfAStateMayNotChangeInUpdate) {
  auto step = jit(counts, {.name = "step"});
  Counted s{Array(1.f)};
  for (int i = 0; i < 2; ++i) {
    expect_change(error_of([&] { step.update(s); }),
                  "update must get back the state that it gave; args[0].steps was 0 and became 1.");
    EXPECT_EQ(s.x.item(), 1.f);
  }
  s = step(std::move(s));  // the value form has room for it
  EXPECT_EQ(s.steps, 1);
  // What is returned besides the state may be anything.
  auto both = jit([](Counted c) {
    c.x = lax::neg(c.x);
    return std::pair<Counted, Named>(c, {c.x, "negated"});
  });
  EXPECT_EQ(both.update(s).text, "negated");
  auto pair = jit([](const Counted& c) { return std::pair<Counted, Array>(counts(c), c.x); });
  expect_change(error_of([&] { pair.update(s); }), "args[0].steps was 1 and became 2.");
}

TEST(Constants, AStateMayNotGrowOrShrinkInUpdate) {
  auto grow = jit([](std::vector<Array> s) {
    s.push_back(lax::mul(s[0], 2.f));
    return s;
  });
  std::vector<Array> s = {Array(1.f)};
  expect_change(error_of([&] { grow.update(s); }), "args[0] (size) was 1 and became 2.");
  EXPECT_EQ(s.size(), 1u);
  auto pair = jit([](const std::vector<Array>& v) {
    return std::pair<std::vector<Array>, Array>({v[0], v[0]}, v[0]);
  });
  expect_change(error_of([&] { pair.update(s); }), "args[0] (size) was 1 and became 2.");
  EXPECT_EQ(s[0].item(), 1.f);
  auto shrink = jit([](const std::vector<Array>&) { return std::vector<Array>(); });
  expect_change(error_of([&] { shrink.update(s); }), "args[0] (size) was 1 and became 0.");
}

TEST(Constants, OfALinearSolveMayNotChange) {
  const auto same = [](const Counted& c) { return c; };
  const Counted b{Array(1.f)};
  expect_change(error_of([&] { custom_linear_solve(counts, b, same, same); }),
                "custom_linear_solve: matvec must return what it is given; x.steps was 0 and became 1.");
  expect_change(error_of([&] { custom_linear_solve(same, b, counts, same); }),
                "solve must return what it is given; b.steps was 0 and became 1.");
}

}  // namespace
}  // namespace baton
