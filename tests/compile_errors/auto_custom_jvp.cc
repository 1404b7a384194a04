// expect: baton::custom_jvp: write the parameter types of the function (no `auto` parameters)
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::custom_jvp([](const auto& v) { return v; }, [](const auto& v, const auto& dv) { return v; })(x);
}
