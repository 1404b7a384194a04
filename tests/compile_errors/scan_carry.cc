// expect: baton::scan: the body must return Step{carry, y} whose carry has the type of `init`
#include "baton/baton.h"
struct Carry {
  baton::Array a;
};
void test(const baton::Array& xs) {
  baton::scan([](Carry c, baton::Array x) { return baton::Step{c.a, x}; }, Carry{}, xs);
}
