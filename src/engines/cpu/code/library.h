#pragma once
// library: the functions that kernels call, lane after lane: those of f64.
#include "program/element.h"

namespace baton::cpu {

struct LibraryFunction {
  Do what;
  double (*one)(double);  // of one argument
  double (*two)(double, double);
};
const LibraryFunction& library_function(Do);

}  // namespace baton::cpu
