// expect: baton: the function returns nothing; it must return what it computes
#include "baton/baton.h"
void test(const baton::Array& x) {
  baton::while_loop([](const baton::Array& c) { (void)(c > 0); }, [](const baton::Array& c) { return c; }, x);
}
