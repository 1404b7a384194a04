// expect nothing: this one compiles.
#include "baton/baton.h"
#include "baton/random.h"
struct State {
  baton::Array w;
};
baton::Array test(State s) {
  auto step = baton::jit(
      [](const State& x) { return std::pair(x, baton::grad([](const State& y) { return y.w; })(x)); });
  return step.update(s).w;
}
