// lu: of a transposed copy, since the rows that LAPACK swaps are ours.
#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class LuKernel final : public MatrixKernel {
 public:
  explicit LuKernel(const Type& x) : MatrixKernel(x), copy_at_(room<T>(size())) {}

 private:
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const override {
    const std::ptrdiff_t which = matrix, first = which * static_cast<std::ptrdiff_t>(size());
    const int steps = std::min(rows_, columns_);
    int* const pivots = static_cast<int*>(out[1]) + which * steps;
    int* const permutation = static_cast<int*>(out[2]) + which * rows_;
    T* const copy = in_slot<T>(slot, copy_at_);
    transpose_into(copy, static_cast<const T*>(in[0]) + first, rows_, columns_);
    int info = 0;  // a singular matrix keeps its zero
    if (steps) lapack<T>().getrf(&rows_, &columns_, copy, &rows_, pivots, &info);
    transpose_into(static_cast<T*>(out[0]) + first, copy, columns_, rows_);
    std::iota(permutation, permutation + rows_, 0);
    for (int s = 0; s < steps; ++s)
      std::swap(permutation[s], permutation[--pivots[s]]);  // Fortran's are from 1
  }

  const std::int64_t copy_at_;
};

}  // namespace

std::unique_ptr<Kernel> lu_kernel(const ProgramData& p, const Equation& e) {
  return matrix_kernel<LuKernel>(p.type(e.inputs[0]));
}

}  // namespace baton::cpu
