// expect: baton::update: the state must not be const: the new one is written back into it
#include "baton/baton.h"
void test(const baton::Array& x) {
  auto step = baton::jit([](const baton::Array& v) { return v; });
  step.update(x);
}
