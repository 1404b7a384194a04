// expect: baton: a tree cannot hold a std::vector<bool>
#include "baton/baton.h"
struct State {
  baton::Array w;
  std::vector<bool> frozen;
};
void test(const State& s) { baton::leaves(s); }
