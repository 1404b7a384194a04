// expect: baton: a tree cannot hold a long double, some of whose bytes have no meaning. Use double
#include "baton/baton.h"
struct State {
  baton::Array w;
  long double rate;
};
void test(const State& s) { baton::leaves(s); }
