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
/// An input of the file.
Array golden_input(const std::string& name);
/// Compares values, dtype, shape, and the signs of zeros.
void check_golden_edge(const std::string& name, FunctionRef<Array()> f);

}  // namespace baton
