#pragma once
// library: the functions that kernels call, lane after lane: those of f64.
#include <span>

#include "program/element.h"

namespace baton::cpu {

struct LibraryFunction {
  Do what;
  const char* name;
  double (*one)(double);  // of one argument
  double (*two)(double, double);
};
std::span<const LibraryFunction> library();
const LibraryFunction& library_function(Do);

}  // namespace baton::cpu
