// pipeline: the passes that every Program of a compiling engine goes through, in order.
#include "passes/passes.h"

namespace baton {

Program optimize(const Program& program) {
  Program p = inline_calls(program);  // first: the others see one flat Program
  p = simplify(p);
  p = merge_equal(p);     // behind simplify: what it takes away stood between equal equations
  return drop_unused(p);  // last: the others leave equations behind that nobody reads
}

}  // namespace baton
