// expect: baton::Array::at: indices are integers, range, all, newaxis, ellipsis or arrays of integers
#include "baton/baton.h"
void test(const baton::Array& x) { x.at("row"); }
