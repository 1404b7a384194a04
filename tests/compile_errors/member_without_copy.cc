// expect: baton: an argument cannot be copied, since it has a member that cannot be
#include <memory>

#include "baton/baton.h"
struct State {
  baton::Array w;
  std::unique_ptr<int> file;
  BATON_TREE(w)
};
void test(const State& s) {
  baton::vjp([](const State& x) { return x.w; }, s);
}
