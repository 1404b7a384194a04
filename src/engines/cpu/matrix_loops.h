#pragma once
// matrix_loops: products of matrices and of vectors by loops of our own: no lock, no memory, and the same
// bits (those of NaN aside) wherever rows and columns are cut, since each element is summed by itself, in one
// order for all but a single column.
#include "engines/cpu/layout.h"

namespace baton::cpu {

/// All but `dots` sum in rising order of k within stretches of `deep`, and stretch after stretch. `adds`: to
/// what c holds.
template <class T>
struct MatrixLoops {
  /// Reads operands as they lie; the columns of b and c are dense.
  void (*as_they_lie)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
  /// As `is_small` allows; the rows of b are dense instead.
  void (*turned)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
  /// One column; the rows of a and the column of b are dense, and summed in chains, four vectors of them.
  void (*dots)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
  /// Copies pieces of the operands to where they lie near: for what is large. The columns of c are dense.
  void (*packed)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds, T* scratch);
  /// The elements that `packed` needs there, at the start of a cache line.
  std::int64_t (*scratch)(const MatrixProduct&);

  /// How many elements of the sum are added up before they are added to c.
  static constexpr std::int64_t deep = 256;
};
/// Whether `as_they_lie` or `turned` are the fastest way.
bool is_small(const MatrixProduct&);
/// For this processor, in f32 and f64.
template <class T>
const MatrixLoops<T>& matrix_loops();

}  // namespace baton::cpu
