// expect: baton::update: the state must be a variable: the new one is written back into it
#include "baton/baton.h"
struct State {
  baton::Array w;
};
void test(State state) {
  auto step = baton::jit([](State s) { return s; });
  step.update(std::move(state));
}
