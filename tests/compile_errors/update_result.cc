// expect: baton::update: the first member of the result must have the type of the first argument
#include "baton/baton.h"
struct State {
  baton::Array w;
};
struct Out {
  baton::Array loss;
  State state;
};
void test(State s) {
  auto step = baton::jit([](const State& x) { return Out{x.w, x}; });
  step.update(s);
}
