// expect: baton::value_and_grad: write the parameter types of the function (no `auto` parameters)
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::value_and_grad([](const auto& v) { return v; })(x);
}
