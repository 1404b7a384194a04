#pragma once
// small_product: products of small matrices and of vectors by loops of our own: no lock, no memory, and the
// same bits wherever a product is cut into parts, since each element is summed by itself in rising order of
// k.
#include "engines/cpu/layout.h"

namespace baton::cpu {

template <class T>
struct SmallProducts {
  /// The columns of b and c are dense. `adds`: to what c holds.
  void (*matrices)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
  /// As `is_small` allows; the rows of b are dense instead.
  void (*turned_matrices)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
  /// One column; the rows of a and the column of b are dense, and summed 16 chains at a time.
  void (*dots)(const MatrixProduct&, const T* a, const T* b, T* c, bool adds);
};
/// Whether `matrices` or `turned_matrices` are the fastest way.
bool is_small(const MatrixProduct&);
/// For this processor, in f32 and f64.
template <class T>
const SmallProducts<T>& small_products();

}  // namespace baton::cpu
