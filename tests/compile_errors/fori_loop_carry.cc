// expect: baton::fori_loop: the body must return the type of `init`
#include "baton/baton.h"
struct Carry {
  baton::Array a;
};
void test(const Carry& init) {
  baton::fori_loop(
      0, 3, [](const baton::Array& i, const Carry& c) { return i; }, init);
}
