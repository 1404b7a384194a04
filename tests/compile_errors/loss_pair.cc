// expect: baton::value_and_grad: the function must return a scalar Array, or WithAux{loss, aux}
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::value_and_grad([](const baton::Array& v) { return std::pair(v, v); })(x);
}
