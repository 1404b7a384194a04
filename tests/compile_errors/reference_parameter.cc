// expect: baton: a parameter of the function is a non-const reference; take it by value or by const
#include "baton/baton.h"
void test(baton::Array x) {
  baton::jit([](baton::Array& v) { return v; })(x);
}
