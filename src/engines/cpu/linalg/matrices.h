#pragma once
// matrices: what the kernels of linear algebra share. LAPACK reads a matrix of ours, which lies row by row,
// as its transpose.
#include <cmath>
#include <limits>

#include "base/cache_line.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/lanes.h"
#include "engines/cpu/linalg/lapack.h"
#include "engines/cpu/packing.h"

namespace baton::cpu {

/// A kernel of a batch of matrices. Those of a batch go side by side, each alone in its slot of scratch.
class MatrixKernel : public Kernel {
 public:
  explicit MatrixKernel(const Type& matrices)
      : count_(ops::matrix_count(matrices.shape)),
        rows_(static_cast<int>(matrices.shape[matrices.shape.size() - 2])),
        columns_(static_cast<int>(matrices.shape.back())) {}
  std::int64_t scratch() const override { return slots().scratch(); }
  bool in_place(std::size_t, std::size_t) const override { return false; }
  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    const double each = static_cast<double>(rows_) * columns_ * std::max(rows_, columns_);  // nanoseconds
    slots().run(each * static_cast<double>(count_), scratch, workers,
                [&](std::int64_t matrix, char* slot) { run_one(in, out, matrix, slot); });
  }

  static constexpr std::int64_t most = 1 << 15;  // extent: workspaces of some rows or columns fit an int

 protected:
  virtual void run_one(void* const* in, void* const* out, std::int64_t matrix, char* slot) const = 0;

  std::size_t size() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_); }
  /// Room in the slot for so many of T: where it begins.
  template <class T>
  std::int64_t room(std::size_t count) {
    const std::int64_t begin = slot_bytes_;
    slot_bytes_ += static_cast<std::int64_t>(whole_lines(count * sizeof(T)));
    return begin;
  }
  template <class T>
  static T* in_slot(char* slot, std::int64_t begin) {
    return reinterpret_cast<T*>(slot + begin);
  }

  const std::int64_t count_;
  const int rows_, columns_;  // extents that are no int make no kernel

 private:
  Slots slots() const { return {count_, slot_bytes_}; }

  std::int64_t slot_bytes_ = 0;
};

/// The kernel K<T> for the dtype of the matrices; nothing for extents above K<T>::most, where LAPACK's count
/// of its workspace, an int, would overflow.
template <template <class> class K, class... Rest>
std::unique_ptr<Kernel> matrix_kernel(const Type& matrices, const Rest&... rest) {
  std::unique_ptr<Kernel> kernel;
  ops::with_matrix_type(matrices.dtype, [&]<class T>(Tag<T>) {
    if (std::max(matrices.shape[matrices.shape.size() - 2], matrices.shape.back()) > K<T>::most) return;
    lapack<T>();  // looked up now, where it may fail
    kernel = std::make_unique<K<T>>(matrices, rest...);
  });
  return kernel;
}

/// to[j, i] = from[i, j].
template <class T>
void transpose_into(T* to, const T* from, int rows, int columns) {
  constexpr int block = 16;
  const auto at = [](int i, int stride, int j) { return static_cast<std::ptrdiff_t>(i) * stride + j; };
  for (int i0 = 0; i0 < rows; i0 += block)
    for (int j0 = 0; j0 < columns; j0 += block)
      for (int i = i0; i < std::min(rows, i0 + block); ++i)
        for (int j = j0; j < std::min(columns, j0 + block); ++j) to[at(j, rows, i)] = from[at(i, columns, j)];
}

template <class T>
void set_identity(T* a, int rows, int columns) {
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    for (std::ptrdiff_t j = 0; j < columns; ++j) a[i * columns + j] = T(i == j ? 1 : 0);
}

template <class T>
bool is_finite(const T& x) {
  if constexpr (is_complex_v<T>)
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  else
    return std::isfinite(x);
}
template <class T>
bool all_finite(const T* x, std::size_t count) {
  return std::all_of(x, x + count, is_finite<T>);
}
template <class T>
void fill_with_nan(T* x, std::size_t count) {
  std::fill_n(x, count, T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
}

/// What turns the largest of these elements, the first among equals, into a positive number; 1 for zeros.
template <class T>
T turn_of(const T* x, std::ptrdiff_t stride, int count) {
  std::ptrdiff_t top = 0;
  for (std::ptrdiff_t i = 1; i < count; ++i)
    if (std::abs(x[i * stride]) > std::abs(x[top * stride]) * RealOf<T>(1.0001)) top = i;
  const T largest = count ? x[top * stride] : T(0);
  return largest == T(0) ? T(1) : ops::conjugate(largest) / T(std::abs(largest));
}

/// The workspace that a routine answers with when it is asked: a float, which may have been rounded down.
template <class T>
int work_size(T answer) {
  using R = RealOf<T>;
  const R size = ops::real_part(answer);
  constexpr R exact = R(1 << 24);  // an f32 counts so far
  return static_cast<int>(size < exact ? size : std::nextafter(size, std::numeric_limits<R>::infinity()));
}

}  // namespace baton::cpu
