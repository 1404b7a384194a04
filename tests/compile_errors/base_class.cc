// expect: baton: a struct with base classes is no tree by itself. List its fields
#include "baton/baton.h"
struct Layer {
  baton::Array weight;
};
struct Dense : Layer {
  baton::Array bias;
};
void test(const Dense& dense) { baton::leaves(dense); }
