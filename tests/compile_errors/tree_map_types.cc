// expect: baton::tree_map: all trees must have the same type
#include "baton/baton.h"
struct A {
  baton::Array x;
};
struct B {
  baton::Array x;
};
void test(const A& a, const B& b) {
  baton::tree_map([](const baton::Array& x, const baton::Array&) { return x; }, a, b);
}
