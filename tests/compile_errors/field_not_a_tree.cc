// expect: baton: this field is not a tree. Make it an aggregate of arrays, or list the other fields
#include "baton/baton.h"
struct State {
  baton::Array w;
  void* handle = nullptr;
};
void test(State s) {
  baton::jit([](const State& x) { return x.w; })(s);
}
