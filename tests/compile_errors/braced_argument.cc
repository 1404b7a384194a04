// expect: baton::jit: an argument in braces has no type of its own: name it, as in State{w, b}
#include "baton/baton.h"
struct State {
  baton::Array w, b;
};
void test(const baton::Array& a) {
  auto step = baton::jit([](const State& s) { return s.w; });
  step({a, a});
}
