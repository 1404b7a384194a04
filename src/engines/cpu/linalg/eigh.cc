// eigh: LAPACK reads the conjugate of a Hermitian matrix, so its vectors are conjugates too. As the reference
// has it, the largest element of each is positive, and where an element is not finite, or no vectors are
// found, all is NaN.
#include <cstring>

#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class EighKernel final : public MatrixKernel {
 public:
  using R = RealOf<T>;
  static constexpr std::int64_t most = 32000;  // extent: 1 + 6 n + 2 n^2, its workspace, fits an int
  EighKernel(const Type& x, const ops::EighParams& p)
      : MatrixKernel(x), uplo_(p.lower ? "U" : "L"), vectors_at_(room<T>(size())) {
    if (rows_ == 0) return;
    T work(0), none(0);
    R rwork(0), no_value(0);
    int iwork = 0;
    work_ = rwork_ = iwork_ = -1;  // asks
    call(&none, &no_value, &work, &rwork, &iwork);
    work_ = work_size(work), rwork_ = work_size(rwork), iwork_ = iwork;
    work_at_ = room<T>(static_cast<std::size_t>(work_));
    rwork_at_ = room<R>(static_cast<std::size_t>(is_complex_v<T> ? rwork_ : 0));
    iwork_at_ = room<int>(static_cast<std::size_t>(iwork_));
  }

 private:
  int call(T* a, R* values, T* work, [[maybe_unused]] R* rwork, int* iwork) const {
    int info = 0;
    if constexpr (is_complex_v<T>)
      lapack<T>().eigh("V", uplo_, &rows_, a, &rows_, values, work, &work_, rwork, &rwork_, iwork, &iwork_,
                       &info, 1, 1);
    else
      lapack<T>().eigh("V", uplo_, &rows_, a, &rows_, values, work, &work_, iwork, &iwork_, &info, 1, 1);
    return info;
  }
  /// Of the triangle that is read.
  bool is_finite_there(const T* x) const {
    const std::size_t n = static_cast<std::size_t>(rows_);
    for (std::size_t i = 0; i < n; ++i)
      if (*uplo_ == 'U' ? !all_finite(x + i * n, i + 1) : !all_finite(x + i * n + i, n - i)) return false;
    return true;
  }
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const override {
    const std::ptrdiff_t n = rows_;
    const T* const x = static_cast<const T*>(in[0]) + matrix * n * n;
    T* const vectors = static_cast<T*>(out[0]) + matrix * n * n;
    R* const values = static_cast<R*>(out[1]) + matrix * n;
    T* const found = in_slot<T>(slot, vectors_at_);
    if (n == 0) return;
    std::memcpy(static_cast<void*>(found), x, size() * sizeof(T));
    if (!is_finite_there(x) || call(found, values, in_slot<T>(slot, work_at_), in_slot<R>(slot, rwork_at_),
                                    in_slot<int>(slot, iwork_at_))) {
      fill_with_nan(vectors, size());
      return fill_with_nan(values, static_cast<std::size_t>(n));
    }
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      T* const vector = found + k * n;
      const T turn = turn_of(vector, 1, rows_);
      for (std::ptrdiff_t i = 0; i < n; ++i) vector[i] = ops::conjugate(vector[i] * turn);
    }
    transpose_into(vectors, found, rows_, rows_);
  }

  const char* const uplo_;
  const std::int64_t vectors_at_;
  std::int64_t work_at_ = 0, rwork_at_ = 0, iwork_at_ = 0;
  int work_ = 0, rwork_ = 0, iwork_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> eigh_kernel(const ProgramData& p, const Equation& e) {
  return matrix_kernel<EighKernel>(p.type(e.inputs[0]), e.params.as<ops::EighParams>());
}

}  // namespace baton::cpu
