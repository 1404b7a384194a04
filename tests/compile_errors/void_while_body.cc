// expect: baton::while_loop: the body must return the type of `init`
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::while_loop([](const baton::Array& c) { return c > 0; }, [](const baton::Array& c) { (void)c; }, x);
}
