// expect: baton::update: the function must return {state, more}, or the state alone
#include "baton/baton.h"
struct State {
  baton::Array w;
};
struct Out {
  State state;
  baton::Array loss, accuracy;
};
void test(State s) {
  auto step = baton::jit([](const State& x) { return Out{x, x.w, x.w}; });
  step.update(s);
}
