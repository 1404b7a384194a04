// use_after_move: a state that is read after it was donated, which clang-tidy must see:
// bugprone-use-after-move.
#include "baton/baton.h"

struct State {
  baton::Array w;
};

State trained(State state, const baton::Array& x) {
  auto step = baton::jit([](State s, const baton::Array& g) { return State{baton::lax::sub(s.w, g)}; });
  const State next = step(std::move(state), x);
  return state;
}
