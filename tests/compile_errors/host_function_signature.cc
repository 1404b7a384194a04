// expect: baton::host_function: the function must take (std::span<const HostArray> operands
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::host_function([](float v) { return v; }, {x.type()}, {x});
}
