// product: matrices by OpenBLAS or, where they are small, by loops of our own; integers by plain loops. The
// result is cut into parts for the workers so that no bit depends on how many there are: no sum over k is
// cut, and columns are cut at places that the shape alone decides. Rows are cut as the workers need it: what
// OpenBLAS gives for one does not depend on the others in the call, as long as whole blocks stay together.
#include "engines/cpu/product.h"

#include <algorithm>
#include <cstring>

#include "base/cache_line.h"
#include "engines/cpu/blas.h"
#include "engines/cpu/packing.h"
#include "engines/cpu/small_product.h"

namespace baton::cpu {
namespace {

// ---- one matrix product

template <class T>
void gemm(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  // Of a matrix and of its transpose one has dense rows. A stride that nothing steps over may be anything.
  const auto stride = [](std::int64_t step, std::int64_t row) {
    return static_cast<int>(std::max<std::int64_t>({step, row, 1}));
  };
  const bool a_as_is = m.depth == 1 || m.a_depth == 1;
  const bool b_as_is = m.columns == 1 || m.b_column == 1;
  const auto a_as = a_as_is ? Blas::as_is : Blas::transposed, b_as = b_as_is ? Blas::as_is : Blas::transposed;
  const int a_stride = a_as_is ? stride(m.rows > 1 ? m.a_row : 0, m.depth) : stride(m.a_depth, m.rows),
            b_stride = b_as_is ? stride(m.depth > 1 ? m.b_depth : 0, m.columns) : stride(m.b_column, m.depth),
            c_stride = stride(m.rows > 1 ? m.c_row : 0, m.columns);
  const int rows = static_cast<int>(m.rows), columns = static_cast<int>(m.columns),
            depth = static_cast<int>(m.depth);
  const auto call = [&](auto function, auto one, auto beta) {
    function(Blas::row_major, a_as, b_as, rows, columns, depth, one, a, a_stride, b, b_stride, beta, c,
             c_stride);
  };
  const T one(1), beta(adds ? 1 : 0);
  if constexpr (std::is_same_v<T, float>)
    call(blas().sgemm, one, beta);
  else if constexpr (std::is_same_v<T, double>)
    call(blas().dgemm, one, beta);
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    call(blas().cgemm, &one, &beta);
  else
    call(blas().zgemm, &one, &beta);
}

template <class T>
void plain_loops(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    T* sum = c + i * m.c_row;
    if (!adds) std::fill_n(sum, m.columns, T());
    for (std::int64_t k = 0; k < m.depth; ++k) {
      const T x = a[i * m.a_row + k * m.a_depth];
      const T* y = b + k * m.b_depth;
      for (std::int64_t j = 0; j < m.columns; ++j) sum[j] += x * y[j * m.b_column];
    }
  }
}

enum class Way { gemm, small, small_turned, dots, loops };

template <class T>
Way way_of(const MatrixProduct& m) {
  if constexpr (std::is_integral_v<T>) return Way::loops;
  if constexpr (is_complex_v<T>) return Way::gemm;
  if (m.columns == 1 && (m.depth == 1 || (m.a_depth == 1 && m.b_depth == 1))) return Way::dots;
  const bool dense_columns = m.columns == 1 || m.b_column == 1;
  if (dense_columns && (m.rows == 1 || is_small(m))) return Way::small;
  if (!dense_columns && is_small(m)) return Way::small_turned;
  return Way::gemm;
}

template <class T>
void multiply(Way way, const MatrixProduct& m, const T* a, const T* b, T* c, bool adds) {
  if constexpr (std::is_integral_v<T>)
    plain_loops(m, a, b, c, adds);
  else if constexpr (is_complex_v<T>)
    gemm(m, a, b, c, adds);
  else if (way == Way::small)
    small_products<T>().matrices(m, a, b, c, adds);
  else if (way == Way::small_turned)
    small_products<T>().turned_matrices(m, a, b, c, adds);
  else if (way == Way::dots)
    small_products<T>().dots(m, a, b, c, adds);
  else
    gemm(m, a, b, c, adds);
}

// ---- the whole of it

/// The dtype that is computed in.
Dtype between(Dtype operands, Dtype result) {
  if (is_complex(operands))
    return operands == Dtype::c128 || result == Dtype::c128 ? Dtype::c128 : Dtype::c64;
  if (is_integer(operands)) return is_integer(result) && size_of(result) <= 4 ? Dtype::u32 : Dtype::u64;
  return operands == Dtype::f64 || result == Dtype::f64 ? Dtype::f64 : Dtype::f32;
}
/// Integers are computed with modulo 2^32 or 2^64, whatever their sign.
bool same_bits(Dtype a, Dtype b) {
  return a == b || (is_integer(a) && is_integer(b) && size_of(a) == size_of(b));
}

std::int64_t count(const ProductAxes& axes) {
  std::int64_t n = 1;
  for (const ProductAxis& a : axes) n *= a.extent;
  return n;
}

template <class T>
class Products final : public Kernel {
 public:
  Products(const Product& p, Layout layout)
      : p_(p),
        l_(std::move(layout)),
        way_(way_of<T>(l_.matrix)),
        loops_(count(l_.loops)),
        sums_(count(l_.sums)) {
    if (way_ == Way::gemm) blas();  // now, where it may fail
    const MatrixProduct& m = l_.matrix;
    // Of wide results with few rows, columns are cut instead, into parts wide enough for OpenBLAS.
    column_cuts_ = way_ == Way::gemm && m.columns > m.rows && m.rows < 512
                       ? std::clamp<std::int64_t>(m.columns / 384, 1, 8)
                   : way_ == Way::small ? std::max<std::int64_t>(m.columns / 512, 1)
                                        : 1;
  }

  std::int64_t scratch() const override {
    return bytes(l_.packs_lhs, l_.lhs) + bytes(l_.packs_rhs, l_.rhs) + bytes(l_.packs_out, l_.out);
  }
  bool in_place(std::size_t, std::size_t) const override { return false; }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    char* free = static_cast<char*>(scratch);
    const auto operand = [&](void* data, std::int64_t offset, bool packs,
                             const Packing& packing) -> const T* {
      if (!packs) return static_cast<const T*>(data) + offset;
      T* const dense = reinterpret_cast<T*>(free);
      free += bytes(packs, packing);
      with_type(p_.operands, [&]<class From>(Tag<From>) {
        copy_to_dense(packing, static_cast<const From*>(data) + offset, dense, workers);
      });
      return dense;
    };
    const T* lhs = operand(in[0], p_.lhs_offset, l_.packs_lhs, l_.lhs);
    const T* rhs = operand(in[1], p_.rhs_offset, l_.packs_rhs, l_.rhs);
    T* c = l_.packs_out ? reinterpret_cast<T*>(free) : static_cast<T*>(out[0]);
    multiply_all(l_.swapped ? rhs : lhs, l_.swapped ? lhs : rhs, c, workers);
    if (l_.packs_out) round(c, out[0], workers);
  }

 private:
  static std::int64_t bytes(bool packs, const Packing& p) {
    return packs ? whole_lines(p.size() * static_cast<std::int64_t>(sizeof(T))) : 0;
  }

  /// Rows are cut only as far as the workers need it.
  std::int64_t row_cuts(Workers& workers) const {
    const std::int64_t others = loops_ * column_cuts_;
    std::int64_t cuts = std::min((workers.count() + others - 1) / others, l_.matrix.rows / rows_together);
    while (cuts > 1 && least_of_a_call(cuts) < worth_a_part()) --cuts;
    return std::max<std::int64_t>(cuts, 1);
  }
  /// The products of the smallest piece: OpenBLAS has other kernels, with other bits, for what has less than
  /// 10^6 of them, and must not take them for a piece alone.
  std::int64_t least_of_a_call(std::int64_t row_cuts) const {
    const MatrixProduct& m = l_.matrix;
    const auto least = [](std::int64_t n, std::int64_t cuts, std::int64_t together) {
      return cuts == 1 ? n : n / cuts / together * together;
    };
    return least(m.rows, row_cuts, rows_together) * least(m.columns, column_cuts_, columns_together) *
           m.depth;
  }
  /// How many products are worth a part. Of OpenBLAS well more than it does in another way; vectors wait for
  /// memory.
  std::int64_t worth_a_part() const {
    if (way_ == Way::gemm) return 1 << 21;
    return l_.matrix.rows == 1 || l_.matrix.columns == 1 ? 1 << 18 : 1 << 20;
  }
  std::int64_t work() const {  // of one result of the loops
    return l_.matrix.rows * (l_.matrix.columns / column_cuts_) * l_.matrix.depth * sums_;
  }

  void multiply_all(const T* a, const T* b, T* c, Workers& workers) const {
    const std::int64_t rows_cut = row_cuts(workers), pieces = loops_ * column_cuts_ * rows_cut;
    if (pieces == 1 && sums_ == 1) return multiply(way_, l_.matrix, a, b, c, false);
    const std::int64_t parts = std::clamp<std::int64_t>(work() / rows_cut * pieces / worth_a_part(), 1,
                                                        std::min<std::int64_t>(pieces, 4 * workers.count()));
    const auto run_part = [&](std::int64_t part) {
      const std::int64_t end = pieces * (part + 1) / parts;
      for (std::int64_t i = pieces * part / parts; i < end; ++i)
        multiply_piece(i / (column_cuts_ * rows_cut), i / rows_cut % column_cuts_, i % rows_cut, rows_cut, a,
                       b, c);
    };
    if (parts == 1)
      run_part(0);
    else
      workers.run(parts, run_part);
  }

  void multiply_piece(std::int64_t loop, std::int64_t column_cut, std::int64_t row_cut, std::int64_t rows_cut,
                      const T* a, const T* b, T* c) const {
    MatrixProduct m = l_.matrix;
    const auto cut = [](std::int64_t n, std::int64_t which, std::int64_t cuts, std::int64_t together) {
      return which == cuts ? n : n * which / cuts / together * together;
    };
    const std::int64_t row = cut(m.rows, row_cut, rows_cut, rows_together),
                       column = cut(m.columns, column_cut, column_cuts_, columns_together);
    a += row * m.a_row;
    b += column * m.b_column;
    c += row * m.c_row + column;
    m.rows = cut(m.rows, row_cut + 1, rows_cut, rows_together) - row;
    m.columns = cut(m.columns, column_cut + 1, column_cuts_, columns_together) - column;
    move(l_.loops, loop, a, b);
    for (std::size_t i = l_.loops.size(); i-- > 0; loop /= l_.loops[i].extent)
      c += loop % l_.loops[i].extent * l_.loops[i].out;
    for (std::int64_t s = 0; s < sums_; ++s) {
      const T *x = a, *y = b;
      move(l_.sums, s, x, y);
      multiply(way_, m, x, y, c, s > 0);
    }
  }
  void move(const ProductAxes& axes, std::int64_t position, const T*& a, const T*& b) const {
    for (std::size_t i = axes.size(); i-- > 0; position /= axes[i].extent) {
      const std::int64_t at = position % axes[i].extent;
      a += at * (l_.swapped ? axes[i].rhs : axes[i].lhs);
      b += at * (l_.swapped ? axes[i].lhs : axes[i].rhs);
    }
  }

  void round(const T* from, void* to, Workers& workers) const {
    if constexpr (std::is_integral_v<T>)  // sums have the sign of the operands
      if (is_real_floating(p_.result) && is_signed(p_.operands))
        return round_from(reinterpret_cast<const std::make_signed_t<T>*>(from), to, workers);
    round_from(from, to, workers);
  }
  template <class From>
  void round_from(const From* from, void* to, Workers& workers) const {
    with_type(p_.result,
              [&]<class To>(Tag<To>) { copy_from_dense(l_.out, from, static_cast<To*>(to), workers); });
  }

  // What each kernel of OpenBLAS takes in whole blocks: then a row is summed in the same way in any part.
  static constexpr std::int64_t rows_together = 48, columns_together = 64;

  const Product p_;
  const Layout l_;
  const Way way_;
  const std::int64_t loops_, sums_;
  std::int64_t column_cuts_ = 1;
};

/// Nothing to add up, or nowhere to write it.
class Zeros final : public Kernel {
 public:
  explicit Zeros(std::size_t bytes) : bytes_(bytes) {}
  bool in_place(std::size_t, std::size_t) const override { return true; }
  void run(void* const*, void* const* out, void*, Workers&) const override {
    if (bytes_) std::memset(out[0], 0, bytes_);
  }

 private:
  const std::size_t bytes_;
};

}  // namespace

Layout layout_of(const Product& p) {
  const Dtype dtype = between(p.operands, p.result);
  const bool converts = !same_bits(p.operands, dtype);
  return layout_of(p.axes, {converts, converts, !same_bits(p.result, dtype)});
}

std::unique_ptr<Kernel> product_kernel(const Product& p) {
  std::int64_t results = 1, terms = 1;
  for (const ProductAxis& a : p.axes) (a.summed() ? terms : results) *= a.extent;
  if (results == 0 || terms == 0)
    return std::make_unique<Zeros>(static_cast<std::size_t>(results) * size_of(p.result));
  return with_type(between(p.operands, p.result), [&]<class T>(Tag<T>) -> std::unique_ptr<Kernel> {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || is_complex_v<T> ||
                  std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>)
      return std::make_unique<Products<T>>(p, layout_of(p));
    return nullptr;
  });
}

}  // namespace baton::cpu
