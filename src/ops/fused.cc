// fused: a Program that an engine runs as one kernel. It means its body; engines make it when all transforms
// are done.
#include "ops/fused.h"

#include "ops/wrapper.h"

namespace baton {
namespace ops {
namespace {

using Rules = Wrapper<fused, Fused>;

std::vector<Example> examples() {
  const Type row{f32, {2, 3}};
  const Program body = make_program("body", {row, row}, [](const Arrays& in) -> Arrays {
    const Array product = lax::mul(in[0], in[1]);
    return {lax::exp(product), lax::reduce_sum(product, {1})};
  });
  return {{.inputs = {row, row}, .params = Fused{body}, .order = 0}};
}
}  // namespace

const Primitive fused = {.name = "fused",
                         .params = Fused{},
                         .type = Rules::type,
                         .evaluate = Rules::evaluate,
                         .batch = Rules::batch,
                         .meaning = Rules::meaning,
                         .program_examples = examples};
}  // namespace ops
}  // namespace baton
