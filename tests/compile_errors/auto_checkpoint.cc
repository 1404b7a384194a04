// expect: baton::checkpoint: write the parameter types of the function (no `auto` parameters)
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::checkpoint([](const auto& v) { return v; })(x);
}
