// pipeline: the passes that every Program of a compiling engine goes through, in order.
#include "passes/passes.h"

namespace baton {

Program optimize(const Program& program, PassWatch watch) {
  Program p = program;
  const auto run = [&](std::string_view name, Program (*pass)(const Program&)) {
    p = pass(p);
    watch(name, p);
  };
  run("inline_calls", inline_calls);  // first: the others see one flat Program
  run("simplify", simplify);
  run("merge_equal", merge_equal);  // behind simplify: what it takes away stood between equal equations
  run("drop_unused", drop_unused);  // last: the others leave equations behind that nobody reads
  return p;
}

Program optimize(const Program& program) {
  return optimize(program, [](std::string_view, const Program&) {});
}

}  // namespace baton
