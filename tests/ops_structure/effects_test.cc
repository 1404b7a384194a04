// effects: code with effects inside of loops, branches and solves is found, kept, and refused where it cannot
// run as often as it should; a number that is no function is not called.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "ops_structure/numbers.h"
#include "trace/executor.h"
#include "trace/trace.h"

namespace baton {
namespace {

/// Counts its calls.
struct Sensor {
  int calls = 0;
  HostKind kind = HostKind::io;
  Array operator()(const Array& x) {
    host_function([this](std::span<const HostArray>, std::span<const HostArray>) { ++calls; }, {}, {x},
                  {.kind = kind, .name = "sensor"});
    return x;
  }
};

TEST(Effects, InTheConditionOfALoopWhoseResultIsUnused) {
  Sensor sensor;
  jit([&](const Array& x) {
    while_loop([&](const Array& k) { return lax::lt(sensor(k), 3); },
               [](const Array& k) { return lax::add(k, 1); }, Array(0));
    return x;
  })(Array(1.f));
  EXPECT_EQ(sensor.calls, 4);
}

TEST(Effects, InASolveWhoseResultIsUnused) {
  Sensor sensor;
  jit([&](const Array& x) {
    custom_linear_solve([](const Array& v) { return lax::mul(v, 2.f); }, x,
                        [&](const Array& b) { return lax::div(sensor(b), 2.f); },
                        [](const Array& b) { return lax::div(b, 2.f); });
    return x;
  })(Array(1.f));
  EXPECT_EQ(sensor.calls, 1);
}

TEST(Effects, AreRefusedWhereverTheyStand) {
  Sensor sensor;
  const Array x({1.f, 2.f});
  // What it is given has no lanes and no tangent.
  auto apart = [&](const Array& a) {
    sensor(Array(1.f));
    return lax::reduce_sum(a, {0});
  };
  auto in_loop = [&](const Array& a) {
    return fori_loop(
        0, 3, [&](const Array&, const Array& c) { return sensor(Array(1.f)), lax::mul(c, 2.f); }, a);
  };
  auto branch = [&](const Array& a) {
    return cond(
        Array(true), [&](const Array& c) { return sensor(Array(1.f)), c; }, [](const Array& c) { return c; },
        a);
  };
  auto sum_of = [](auto f) { return [f](const Array& a) { return sum(f(a)); }; };
  const std::string vmapped =
      "host_function `sensor`: code with effects runs once for each call, so vmap cannot repeat it over "
      "lanes.\n"
      "  Call it outside the vmapped function, or declare it HostKind::pure.";
  const std::string differentiated =
      "host_function `sensor`: code with effects runs once for each call, so a function that calls it cannot "
      "be "
      "differentiated.\n"
      "  Call it outside the differentiated function, or declare it HostKind::pure.";
  const std::string checkpointed =
      "host_function `sensor`: code with effects runs once for each call, so checkpoint cannot run it again "
      "in the "
      "backward pass.\n"
      "  Call it outside the checkpointed function, or declare it HostKind::pure.";
  auto all = [&](auto f) {
    const Array rows({1.f, 2.f, 3.f, 4.f}, {2, 2});
    EXPECT_EQ(error([&] { vmap(f)(rows); }), vmapped);
    EXPECT_EQ(error([&] { vmap(jit(f))(rows); }), vmapped);
    EXPECT_EQ(error([&] { grad(sum_of(f))(x); }), differentiated);
    EXPECT_EQ(error([&] { grad(sum_of(jit(f)))(x); }), differentiated);
    EXPECT_EQ(error([&] { jvp(f, std::tuple(x), std::tuple(x)); }), differentiated);
    EXPECT_EQ(error([&] { checkpoint(f)(x); }), checkpointed);
    EXPECT_EQ(error([&] { jit(checkpoint(f))(x); }), checkpointed);
  };
  all(apart);
  all(in_loop);
  all(branch);
  EXPECT_EQ(sensor.calls, 0);
}

TEST(Effects, PureCodeIsNotRefused) {
  Sensor sensor{.kind = HostKind::pure};
  auto f = [&](const Array& a) {
    return sum(lax::mul(a, host_function(
                               [&](std::span<const HostArray>, std::span<const HostArray> out) {
                                 ++sensor.calls;
                                 out[0].as<float>()[0] = 3;
                               },
                               {{f32, {}}}, {Array(1.f)})[0]));
  };
  EXPECT_EQ(numbers(grad(checkpoint([&](const Array& a) { return f(a); }))(Array(2.f))), Numbers{3});
}

TEST(HostFunction, ANumberIsNoFunction) {
  Sensor sensor;
  const Program p = trace([&](const Array& x) { return sensor(x); }, abstract({f32, {}}));
  ASSERT_EQ(p.inputs(), (Types{{f32, {}}, {u64, {}}}));
  EXPECT_EQ(
      error([&] {
        execute(p, {Array(1.f), Array(std::uint64_t{4096})}, {});
      }),
      "host_function `sensor`: the first operand must be a function that is alive, found the number 4096.\n"
      "  Only the array that host_function made holds one; a copy of its number does not.\n"
      "(no line)");
  EXPECT_EQ(sensor.calls, 0);
}

}  // namespace
}  // namespace baton
