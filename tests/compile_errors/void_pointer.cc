// expect: baton: this type is not a tree. Make it an aggregate of arrays
#include "baton/baton.h"
void test(const std::vector<void*>& handles) { baton::leaves(handles); }
