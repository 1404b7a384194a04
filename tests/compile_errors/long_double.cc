// expect: baton: a tree cannot hold a long double
#include "baton/baton.h"
struct State {
  baton::Array w;
  long double rate;
};
void test(const State& s) { baton::leaves(s); }
