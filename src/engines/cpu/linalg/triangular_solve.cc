// triangular_solve: of the transposes that LAPACK reads: the other side, the other triangle.
#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class TriangularSolveKernel final : public MatrixKernel {
 public:
  TriangularSolveKernel(const Type& b, const ops::TriangularSolve& p)
      : MatrixKernel(b), p_(p), n_(p.left_side ? rows_ : columns_) {
    // No routine conjugates alone: then a copy of a is.
    copies_ = is_complex_v<T> && p_.conjugate_a && !p_.transpose_a;
    if (copies_) a_at_ = room<T>(square());
  }
  bool in_place(std::size_t operand, std::size_t) const override { return operand == 1; }

 private:
  std::size_t square() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_); }
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const override {
    const std::size_t which = static_cast<std::size_t>(matrix);
    const T* a = static_cast<const T*>(in[0]) + which * square();
    const T* const b = static_cast<const T*>(in[1]) + which * size();
    T* const x = static_cast<T*>(out[0]) + which * size();
    if (size() == 0) return;
    copy_bytes(x, b, size() * sizeof(T));
    if (copies_) {
      T* const copy = in_slot<T>(slot, a_at_);
      std::transform(a, a + square(), copy, ops::conjugate<T>);
      a = copy;
    }
    const char* const transpose = !p_.transpose_a ? "N" : p_.conjugate_a && is_complex_v<T> ? "C" : "T";
    const T one(1);
    lapack<T>().trsm(p_.left_side ? "R" : "L", p_.lower ? "U" : "L", transpose, p_.unit_diagonal ? "U" : "N",
                     &columns_, &rows_, &one, a, &n_, x, &columns_, 1, 1, 1, 1);
  }

  const ops::TriangularSolve p_;
  const int n_;
  bool copies_ = false;
  std::int64_t a_at_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> triangular_solve_kernel(const ProgramData& p, const Equation& e) {
  const Type& b = p.type(e.inputs[1]);
  return matrix_kernel<TriangularSolveKernel>(b, e.params.as<ops::TriangularSolve>());
}

}  // namespace baton::cpu
