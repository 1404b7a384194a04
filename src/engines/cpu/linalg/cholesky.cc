// cholesky: the upper factor of what LAPACK reads as the transpose is the lower factor as we read it.
#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class CholeskyKernel final : public MatrixKernel {
 public:
  using MatrixKernel::MatrixKernel;
  bool in_place(std::size_t, std::size_t) const override { return true; }

 private:
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char*) const override {
    const std::size_t n = static_cast<std::size_t>(rows_), first = static_cast<std::size_t>(matrix) * size();
    const T* const x = static_cast<const T*>(in[0]) + first;
    T* const l = static_cast<T*>(out[0]) + first;
    for (std::size_t i = 0; i < n; ++i) {
      copy_bytes(l + i * n, x + i * n, (i + 1) * sizeof(T));
      std::fill(l + i * n + i + 1, l + (i + 1) * n, T(0));
    }
    int info = 0;
    if (n) lapack<T>().potrf("U", &rows_, l, &rows_, &info, 1);
    // LAPACK does not look for NaN everywhere; each reaches a diagonal element.
    for (std::size_t i = 0; i < n; ++i) info |= std::isnan(ops::real_part(l[i * n + i]));
    if (info == 0) return;
    for (std::size_t i = 0; i < n; ++i) fill_with_nan(l + i * n, i + 1);
  }
};

}  // namespace

std::unique_ptr<Kernel> cholesky_kernel(const ProgramData& p, const Equation& e) {
  return matrix_kernel<CholeskyKernel>(p.type(e.inputs[0]));
}

}  // namespace baton::cpu
