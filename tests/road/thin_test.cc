// thin: one function down the whole road, from trace to result.
#include <gtest/gtest.h>

#include "baton/lax.h"
#include "trace/executor.h"
#include "trace/trace.h"

namespace baton {
namespace {

TEST(Thin, TracesPrintsParsesRuns) {
  const Closed closed = trace_body("f", Where::here(), {{f32, {2}}}, [](const Arrays& in) -> Arrays {
    return {lax::add(lax::mul(lax::sin(in[0]), 2.0f), in[0])};
  });
  check(closed.program);
  EXPECT_EQ(closed.program.text(),
            "{ a:f32[2] ->\n"
            "  b:f32[2] = sin a\n"
            "  c:f32[2] = broadcast_in_dim 2.0:f32 {shape=[2], dimensions=[]}\n"
            "  d:f32[2] = mul b c\n"
            "  e:f32[2] = add d a\n"
            "  return e }");
  EXPECT_EQ(Program::parse(closed.program.text()).hash(), closed.program.hash());
  const Array x({0.f, 1.f});
  const Array y = execute(closed.program, {x}, {})[0];
  EXPECT_FLOAT_EQ(y.read<float>()[1], 2 * std::sin(1.f) + 1);
}

TEST(Thin, EagerEqualsTraced) {
  const Array x({0.5f, 1.f});
  EXPECT_FLOAT_EQ(lax::reduce_sum(lax::mul(x, x), {0}).item(), 1.25f);
}

}  // namespace
}  // namespace baton
