#pragma once
// matrices: what the files of linalg share: operands that must be matrices.
#include "baton/linalg.h"
#include "numpy/common.h"

namespace baton::linalg {

inline std::string full_name(std::string_view name) { return "linalg::" + std::string(name); }
/// A floating or complex matrix, or a batch of them.
inline Array matrix(std::string_view name, Operand a) {
  const Array x = numpy::floating(a);
  if (x.rank() < 2)
    type_error(full_name(name), "a matrix, or a batch of them, is required, found " + show(x.type()) + ".");
  return x;
}
inline Array square_matrix(std::string_view name, Operand a) {
  const Array x = matrix(name, a);
  if (x.dim(-1) != x.dim(-2))
    type_error(full_name(name), "square matrices are required, found " + show(x.type()) + ".");
  return x;
}

}  // namespace baton::linalg
