// expect: baton::scan: the body must return Step{carry, y}
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::scan([](const baton::Array& c, const baton::Array& row) { (void)(c + row); }, x, x);
}
