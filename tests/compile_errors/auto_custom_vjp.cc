// expect: baton::custom_vjp: write the parameter types of the function (no `auto` parameters)
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::custom_vjp([](const auto& v) { return v; }, [](const auto& v) { return std::pair(v, v); },
                    [](const auto& r, const auto& ct) { return ct; })(x);
}
