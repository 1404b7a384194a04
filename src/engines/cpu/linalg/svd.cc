// svd: LAPACK reads the transpose, so that its left vectors are our right ones, already where they shall lie.
// As the reference has it, the largest element of each left vector is positive, and where an element is not
// finite, or no vectors are found, all is NaN.
#include <cstring>

#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class SvdKernel final : public MatrixKernel {
 public:
  using R = RealOf<T>;
  static constexpr std::int64_t most = 20000;  // extent: 5 n^2 + 7 n, its largest workspace, fits an int
  SvdKernel(const Type& x, const ops::SvdParams& p)
      : MatrixKernel(x),
        full_(p.full_matrices),
        k_(std::min(rows_, columns_)),
        left_(full_ ? rows_ : k_),
        right_(full_ ? columns_ : k_),
        copy_at_(room<T>(size())),
        iwork_at_(room<int>(8 * static_cast<std::size_t>(k_))) {
    if (k_ == 0) return;
    const std::size_t few = static_cast<std::size_t>(k_),
                      many = static_cast<std::size_t>(std::max(rows_, columns_));
    if constexpr (is_complex_v<T>)  // as LAPACK's manual says
      rwork_at_ = room<R>(few * std::max(5 * few + 7, 2 * many + 2 * few + 1));
    T work(0), none(0);
    R no_value(0);
    int no_place = 0;
    work_ = -1;  // asks
    call(&none, &no_value, &none, &none, &work, &no_value, &no_place);
    work_ = work_size(work);
    work_at_ = room<T>(static_cast<std::size_t>(work_));
  }

 private:
  int call(T* a, R* values, T* left, T* right, T* work, [[maybe_unused]] R* rwork, int* iwork) const {
    int info = 0;
    const char* const job = full_ ? "A" : "S";
    if constexpr (is_complex_v<T>)
      lapack<T>().svd(job, &columns_, &rows_, a, &columns_, values, right, &columns_, left, &left_, work,
                      &work_, rwork, iwork, &info, 1);
    else
      lapack<T>().svd(job, &columns_, &rows_, a, &columns_, values, right, &columns_, left, &left_, work,
                      &work_, iwork, &info, 1);
    return info;
  }
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const override {
    const std::ptrdiff_t m = rows_, n = columns_, k = k_;
    const T* const x = static_cast<const T*>(in[0]) + matrix * m * n;
    T* const left = static_cast<T*>(out[0]) + matrix * m * left_;  // [m, left]
    R* const values = static_cast<R*>(out[1]) + matrix * k;
    T* const right = static_cast<T*>(out[2]) + matrix * right_ * n;  // [right, n]
    if (k == 0) return set_identity(left, rows_, left_), set_identity(right, right_, columns_);
    T* const copy = in_slot<T>(slot, copy_at_);
    std::memcpy(static_cast<void*>(copy), x, size() * sizeof(T));
    if (!all_finite(x, size()) || call(copy, values, left, right, in_slot<T>(slot, work_at_),
                                       in_slot<R>(slot, rwork_at_), in_slot<int>(slot, iwork_at_))) {
      fill_with_nan(left, static_cast<std::size_t>(m * left_));
      fill_with_nan(values, static_cast<std::size_t>(k));
      return fill_with_nan(right, static_cast<std::size_t>(right_ * n));
    }
    for (std::ptrdiff_t j = 0; j < k; ++j) {
      const T turn = turn_of(left + j, left_, rows_);
      for (std::ptrdiff_t i = 0; i < m; ++i) left[i * left_ + j] *= turn;
      for (std::ptrdiff_t i = 0; i < n; ++i) right[j * n + i] *= ops::conjugate(turn);
    }
  }

  const bool full_;
  const int k_, left_, right_;  // values, and vectors on each side
  const std::int64_t copy_at_, iwork_at_;
  std::int64_t work_at_ = 0, rwork_at_ = 0;
  int work_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> svd_kernel(const ProgramData& p, const Equation& e) {
  return matrix_kernel<SvdKernel>(p.type(e.inputs[0]), e.params.as<ops::SvdParams>());
}

}  // namespace baton::cpu
