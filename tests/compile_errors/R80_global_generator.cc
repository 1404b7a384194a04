// expect: has not been declared|no member named|is not a member
// jax-ml/jax #21061: a global configuration of random numbers is ignored inside compiled functions; there is
// none.
#include "baton/random.h"
void test() { baton::random::seed(0); }
