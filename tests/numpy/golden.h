#pragma once
// golden: cases whose values and gradients are in tests/data/numpy.json, made by tests/golden/make_numpy.py.
#include <string>
#include <vector>

#include "baton/activations.h"
#include "baton/indexing.h"
#include "baton/linalg.h"

namespace baton {

/// A name of numpy.json, the names of its inputs, and our form of the same expression.
struct GoldenCase {
  const char* name;
  const char* inputs;
  Array (*f)(const Arrays&);
};
/// Compares values, dtype, shape, and the gradients that the file has.
void check_golden(const std::vector<GoldenCase>& cases);

}  // namespace baton
