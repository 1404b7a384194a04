// expect: baton::while_loop: the body must return the type of `init`
#include "baton/baton.h"
struct Carry {
  baton::Array a;
};
void test(const Carry& init) {
  baton::while_loop([](const Carry& c) { return c.a; }, [](const Carry& c) { return c.a; }, init);
}
