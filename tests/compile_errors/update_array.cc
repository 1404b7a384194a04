// expect: baton::update: the function must return {state, more}, or the state alone
#include "baton/baton.h"
struct State {
  baton::Array w;
};
void test(State s) {
  auto step = baton::jit([](const State& x) { return x.w; });
  step.update(s);
}
