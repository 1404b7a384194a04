// expect: baton::cond: both branches must return the same type
#include "baton/baton.h"
struct Pair {
  baton::Array a, b;
};
void test(const baton::Array& p, const baton::Array& x) {
  baton::cond(
      p, [](const baton::Array& v) { return v; },
      [](const baton::Array& v) {
        return Pair{v, v};
      },
      x);
}
