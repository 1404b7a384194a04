// expect: State::handle|value.handle
#include "baton/baton.h"
struct State {
  baton::Array w;
  void* handle = nullptr;
};
void test(State s) {
  baton::jit([](const State& x) { return x.w; })(s);
}
