// qr: reflections of a transposed copy; what lies on and above its diagonal is r, and q is made of the rest.
#include "engines/cpu/linalg/matrices.h"

namespace baton::cpu {
namespace {

template <class T>
class QrKernel final : public MatrixKernel {
 public:
  QrKernel(const Type& x, const ops::Qr& p)
      : MatrixKernel(x),
        steps_(std::min(rows_, columns_)),
        k_(p.full_matrices ? rows_ : steps_),
        copy_at_(room<T>(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(std::max(columns_, k_)))),
        tau_at_(room<T>(static_cast<std::size_t>(steps_))) {
    if (steps_ == 0) return;
    T factor(0), make(0), none(0);
    const int asked = -1;
    int info = 0;
    lapack<T>().geqrf(&rows_, &columns_, &none, &rows_, &none, &factor, &asked, &info);
    lapack<T>().orgqr(&rows_, &k_, &steps_, &none, &rows_, &none, &make, &asked, &info);
    work_ = std::max(work_size(factor), work_size(make));
    work_at_ = room<T>(static_cast<std::size_t>(work_));
  }

 private:
  void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const override {
    const std::ptrdiff_t m = rows_, n = columns_, k = k_;
    T* const a = in_slot<T>(slot, copy_at_);
    T* const tau = in_slot<T>(slot, tau_at_);
    T* const work = in_slot<T>(slot, work_at_);
    T* const q = static_cast<T*>(out[0]) + matrix * m * k;
    T* const r = static_cast<T*>(out[1]) + matrix * k * n;
    transpose_into(a, static_cast<const T*>(in[0]) + matrix * m * n, rows_, columns_);
    int info = 0;
    if (steps_) lapack<T>().geqrf(&rows_, &columns_, a, &rows_, tau, work, &work_, &info);
    for (std::ptrdiff_t i = 0; i < k; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) r[i * n + j] = i <= j ? a[j * m + i] : T(0);
    if (steps_) {
      lapack<T>().orgqr(&rows_, &k_, &steps_, a, &rows_, tau, work, &work_, &info);
    } else {  // no reflection
      set_identity(a, k_, rows_);
    }
    transpose_into(q, a, k_, rows_);
  }

  const int steps_, k_;  // reflections, columns of q
  const std::int64_t copy_at_, tau_at_;
  std::int64_t work_at_ = 0;
  int work_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> qr_kernel(const ProgramData& p, const Equation& e) {
  return matrix_kernel<QrKernel>(p.type(e.inputs[0]), e.params.as<ops::Qr>());
}

}  // namespace baton::cpu
