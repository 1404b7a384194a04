// recompute: what is computed twice, what is not, and that no bit changes.
#include "plan/recompute.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/reference/reference.h"
#include "ops/fused.h"
#include "trace/trace.h"

namespace baton {
namespace {

constexpr std::int64_t n = 1 << 16;  // 256 KiB of f32

Array fused(const Arrays& in, FunctionRef<Arrays(const Arrays&)> body) {
  return bind_one(ops::fused, in, ops::Fused{make_program("body", types_of(in), body)}, {});
}
Array sine(const Array& x) {
  return fused({x}, [](const Arrays& in) -> Arrays { return {lax::sin(in[0])}; });
}
Array sorted(const Array& x) { return lax::sort({x}, {.dimension = 0})[0]; }

int count(const Program& p, std::string_view primitive) {
  int found = 0;
  for (const Equation& e : p->equations) found += e.primitive->name == primitive;
  return found;
}

/// A value that waits, beside two that are sorted, for a product at the end. `again`: x is read there too.
Program waiting(bool again) {
  return make_program("waiting", {{f32, {n}}}, [again](const Arrays& in) -> Arrays {
    const Array a = sine(in[0]);
    const Array b = sorted(lax::add(in[0], a)), c = sorted(b);
    const Array d = lax::mul(lax::add(b, c), lax::reshape(lax::reshape(a, {256, 256}), {n}));
    return {again ? lax::add(d, in[0]) : d};
  });
}

TEST(Recompute, AValueThatWaitsIsComputedAgain) {
  const Program before = waiting(true), after = recompute(before, 1);
  check(after);
  EXPECT_EQ(count(before, "fused"), 1);
  EXPECT_EQ(count(after, "fused"), 2);
  EXPECT_EQ(count(after, "sort"), 2);
  std::vector<float> values(n);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000) * 0.01f;
  const Array x(values, {n});
  EXPECT_EQ(reference::compile(after, {})->run({x})[0].read<float>().vector(),
            reference::compile(before, {})->run({x})[0].read<float>().vector());
}

TEST(Recompute, NothingIsKeptLongerForIt) {
  const Program before = waiting(false);
  EXPECT_EQ(recompute(before, 1), before);
}

TEST(Recompute, WhatFitsStaysAsItIs) {
  const Program before = waiting(true);
  EXPECT_EQ(recompute(before, std::int64_t{1} << 30), before);
}

}  // namespace
}  // namespace baton
