// expect: baton::value_and_grad: the function has no such argument to differentiate
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::value_and_grad<1>([](const baton::Array& v) { return v; })(x);
}
