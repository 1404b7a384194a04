// expect: could not convert|no viable conversion|not contextually convertible|is not convertible
// The value of an array is not known while a function is traced: use cond or select.
#include "baton/baton.h"
baton::Array test(const baton::Array& x) {
  if (x) return x;
  return baton::lax::neg(x);
}
