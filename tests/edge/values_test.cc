// Values that a call cannot take, and objects that were moved from.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <thread>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

Array twice(const Array& x) { return x + x; }

TEST(Values, OfAnotherTraceAreRefusedAsArguments) {
  Array kept;
  grad([&](const Array& x) {
    kept = x * x;
    return sum(x);
  })(Array({1.f, 2.f}));
  const Array typed = abstract({f32, {2}});
  struct State {
    Array w;
  };
  for (const Array& a : {kept, typed}) {
    const auto refused = [&](FunctionRef<void()> f) {
      const std::string error = error_of(f);
      EXPECT_TRUE(error.find("has escaped") != error.npos ||
                  error.find("has a type and no value") != error.npos)
          << error;
    };
    refused([&] { jit(twice)(a); });
    refused([&] { jit([](const Array& x) { return x; })(a); });
    refused([&] { vmap(twice)(a); });
    refused([&] { checkpoint(twice)(a); });
    refused([&] { grad([](const Array& x) { return sum(x); })(a); });
    refused([&] { jvp(twice, a, a); });
    refused([&] { jvp(twice, Array({1.f, 2.f}), a); });
    refused([&] { vjp(twice, a); });
    refused([&] { vjp(twice, Array({1.f, 2.f})).pullback(a); });
    refused([&] { linearize(twice, a); });
    refused([&] { jacrev(twice)(a); });
    refused([&] {
      fori_loop(
          0, 2, [](const Array&, const Array& c) { return c + c; }, a);
    });
    refused([&] { cond(Array(true), twice, twice, a); });
    refused([&] {
      scan([](const Array& c, const Array& x) { return Step{c + x, Nothing{}}; }, Array(0.f), a);
    });
    State s{a};
    const auto step = jit([](State t) { return State{t.w + t.w}; });
    refused([&] { step.update(s); });
    refused([&] { clone(a); });
  }
  std::string elsewhere;
  jit([&](const Array& x) {
    std::thread([&] { elsewhere = error_of([&] { jit(twice)(x); }); }).join();
    return x;
  })(Array(1.f));
  EXPECT_NE(elsewhere.find("is used in another thread"), std::string::npos) << elsewhere;
}

TEST(Values, MovesOfFunctionsAndProgramsAreCopies) {
  auto f = jit(twice);
  const auto g = std::move(f);
  EXPECT_EQ(f(Array(1.f)).item(), g(Array(1.f)).item());
  Program p = trace(twice, Array(1.f));
  const Program q = std::move(p);
  EXPECT_EQ(p, q);
  auto [out, pullback] = vjp(twice, Array(1.f));
  const auto moved = std::move(pullback);
  EXPECT_EQ(pullback(Array(1.f)).item(), 2.f);
  auto [value, linear] = linearize(twice, Array(1.f));
  const auto other = std::move(linear);
  EXPECT_EQ(linear(Array(1.f)).item(), 2.f);
}

struct AtExit {  // destroyed after what its thread made later
  ~AtExit() {
    const NameScope scope("a name that is too long for the string itself");
    EXPECT_EQ(vmap(twice, {.axis_name = "lanes"})(Array({1.f, 2.f})).read<float>()[1], 4.f);
  }
};
TEST(Values, ThreadsMayTraceWhileTheyEnd) {
  std::thread([] {
    thread_local AtExit at_exit;
    (void)&at_exit;
    const NameScope scope("another name that is too long for the string itself");
    vmap(twice, {.axis_name = "lanes"})(Array({1.f}));
  }).join();
}

TEST(Values, ThatAreNotThereAreRefused) {
  EXPECT_NE(error_of([] { Array({f32, {3}}, nullptr); }).find("found a null pointer"), std::string::npos);
  const std::int64_t strides[] = {4};
  EXPECT_NE(error_of([&] {
              Array::copy({f32, {3}}, nullptr, strides);
            }).find("found a null pointer"),
            std::string::npos);
  EXPECT_NE(error_of([] { lax::reshape(Array(1.f), Shape(5000, 1)); }).find("at most 1000"),
            std::string::npos);
}

TEST(Values, PatternsOfManyStarsEnd) {
  struct Model {
    Array aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
  };
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  const auto loss = [](const Model& m) { return m.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; };
  EXPECT_NE(
      error_of([&] { grad(loss, {.trainable = {stars + "*b"}})(Model{Array(1.f)}); }).find("matches no leaf"),
      std::string::npos);
  EXPECT_EQ(
      grad(loss, {.trainable = {stars}})(Model{Array(1.f)}).aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.item(),
      1.f);
}

/// Runs f where there is room for it: frames are large under a sanitizer.
void on_a_large_stack(FunctionRef<void()> f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{256} << 20);
  pthread_t thread;
  const auto run = [](void* g) -> void* {
    (*static_cast<FunctionRef<void()>*>(g))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(Values, TracesNestedTooDeeplyEnd) {
  std::function<Array(const Array&, int)> nest = [&](const Array& x, int depth) -> Array {
    if (depth == 0) return x + 1.f;
    return jit([&nest, depth](const Array& y) { return nest(y, depth - 1); })(x);
  };
  float found = 0;
  std::string error;
  on_a_large_stack([&] {
    found = nest(Array(1.f), 300).item();
    error = error_of([&] { nest(Array(1.f), 3000); });
  });
  EXPECT_EQ(found, 2.f);
  EXPECT_NE(error.find("traces are nested more than 500 deep"), std::string::npos) << error;
}

}  // namespace
}  // namespace baton
