// product: matrices by loops of our own, complex ones by OpenBLAS, integers by plain loops. The result is cut
// into pieces for the workers so that no bit depends on how many there are: no sum over k is cut, and loops
// of our own sum each element by itself. OpenBLAS does not, so its columns are cut at places that the shape
// alone decides, and its rows so that whole blocks stay together.
#include "engines/cpu/product.h"

#include <algorithm>
#include <cstring>

#include "base/cache_line.h"
#include "engines/cpu/blas.h"
#include "engines/cpu/matrix_loops.h"
#include "engines/cpu/packing.h"

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
  const T one(1), beta(adds ? 1 : 0);
  const auto call = [&](Blas::Gemm<T> function) {
    function(Blas::row_major, a_as, b_as, rows, columns, depth, &one, a, a_stride, b, b_stride, &beta, c,
             c_stride);
  };
  if constexpr (std::is_same_v<T, std::complex<float>>)
    call(blas().cgemm);
  else
    call(blas().zgemm);
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

/// Of the loops of our own.
enum class Way { as_it_lies, turned, dots, packed };

Way way_of(const MatrixProduct& m) {
  if (m.columns == 1 && (m.depth == 1 || (m.a_depth == 1 && m.b_depth == 1))) return Way::dots;
  const bool dense_columns = m.columns == 1 || m.b_column == 1;
  if (is_small(m) || (dense_columns && m.rows == 1)) return dense_columns ? Way::as_it_lies : Way::turned;
  return Way::packed;
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
  Products(const Product& p, Layout layout, int threads)
      : p_(p),
        l_(std::move(layout)),
        way_(way_of(l_.matrix)),
        loops_(count(l_.loops)),
        sums_(count(l_.sums)) {
    if constexpr (is_complex_v<T>) {
      blas();  // now, where it may fail
    } else if constexpr (!std::is_integral_v<T>) {
      own_ = matrix_loops<T>();
      if (way_ == Way::packed) {
        slots_ = pieces_for(threads);
        slot_bytes_ = whole_lines(own_.scratch(l_.matrix) * static_cast<std::int64_t>(sizeof(T)));
      }
    }
  }

  std::int64_t scratch() const override {
    return bytes(l_.packs_lhs, l_.lhs) + bytes(l_.packs_rhs, l_.rhs) + bytes(l_.packs_out, l_.out) +
           slots_ * slot_bytes_;
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
    free += bytes(l_.packs_out, l_.out);
    multiply_all(l_.swapped ? rhs : lhs, l_.swapped ? lhs : rhs, c, free, workers);
    if (l_.packs_out) round(c, out[0], workers);
  }

 private:
  static std::int64_t bytes(bool packs, const Packing& p) {
    return packs ? whole_lines(p.size() * static_cast<std::int64_t>(sizeof(T))) : 0;
  }

  /// Into how many pieces each product of the loops is cut.
  struct Cuts {
    std::int64_t rows = 1, columns = 1;
    std::int64_t count() const { return rows * columns; }
  };
  Cuts cuts(std::int64_t workers) const { return is_complex_v<T> ? blas_cuts(workers) : own_cuts(workers); }

  /// One piece for each worker, since a cut of rows copies b once more, and one of columns a.
  Cuts own_cuts(std::int64_t workers) const {
    const MatrixProduct& m = l_.matrix;
    const std::int64_t each = (pieces_for(workers) + loops_ - 1) / loops_,
                       most_columns = std::max<std::int64_t>(m.columns / columns_together, 1);
    const auto copied = [&](const Cuts& c) { return c.rows * m.columns + c.columns * m.rows; };
    const auto is_better = [&](const Cuts& now, const Cuts& best) {
      const std::int64_t now_there = std::min(now.count(), each), best_there = std::min(best.count(), each);
      return now_there != best_there ? now_there > best_there : copied(now) < copied(best);
    };
    Cuts best;
    for (std::int64_t rows = 1; rows <= std::min(each, m.rows); ++rows) {
      const Cuts now = {rows, std::min((each + rows - 1) / rows, most_columns)};
      if (is_better(now, best)) best = now;
    }
    return best;
  }

  /// Of wide results with few rows, columns are cut, into parts wide enough for OpenBLAS, and rows only as
  /// far as the workers need it.
  Cuts blas_cuts(std::int64_t workers) const {
    const MatrixProduct& m = l_.matrix;
    Cuts c;
    if (m.columns > m.rows && m.rows < 512) c.columns = std::clamp<std::int64_t>(m.columns / 384, 1, 8);
    const std::int64_t others = loops_ * c.columns;
    c.rows = std::min((workers + others - 1) / others, m.rows / rows_together);
    while (c.rows > 1 && least_of_a_call(c) < worth_a_part()) --c.rows;
    c.rows = std::max<std::int64_t>(c.rows, 1);
    return c;
  }
  /// The products of the smallest piece: OpenBLAS has other kernels, with other bits, for what has less than
  /// 10^6 of them, and must not take them for a piece alone.
  std::int64_t least_of_a_call(const Cuts& c) const {
    const MatrixProduct& m = l_.matrix;
    const auto least = [](std::int64_t n, std::int64_t cuts, std::int64_t together) {
      return cuts == 1 ? n : n / cuts / together * together;
    };
    return least(m.rows, c.rows, rows_together) * least(m.columns, c.columns, columns_together) * m.depth;
  }
  /// How many products are worth a part: for OpenBLAS twice what it has other kernels for; vectors wait for
  /// memory.
  std::int64_t worth_a_part() const {
    if (is_complex_v<T>) return 1 << 21;
    return l_.matrix.rows == 1 || l_.matrix.columns == 1 ? 1 << 18 : 1 << 20;
  }
  std::int64_t pieces_for(std::int64_t most) const {
    const MatrixProduct& m = l_.matrix;
    return std::clamp<std::int64_t>(m.rows * m.columns * m.depth * sums_ * loops_ / worth_a_part(), 1, most);
  }

  void multiply_all(const T* a, const T* b, T* c, char* scratch, Workers& workers) const {
    const Cuts cut = cuts(workers.count());
    const std::int64_t pieces = loops_ * cut.count(),
                       most = slots_ ? std::min<std::int64_t>(slots_, workers.count()) : 4 * workers.count(),
                       parts = std::min(pieces, pieces_for(most));
    workers.run(parts, [&](std::int64_t part) {
      for (std::int64_t i = pieces * part / parts; i < pieces * (part + 1) / parts; ++i)
        multiply_piece(i, cut, a, b, c, scratch + part * slot_bytes_);
    });
  }

  void multiply_piece(std::int64_t piece, const Cuts& cuts, const T* a, const T* b, T* c,
                      char* scratch) const {
    MatrixProduct m = l_.matrix;
    const auto cut = [](std::int64_t n, std::int64_t which, std::int64_t cuts, std::int64_t together) {
      return which == cuts ? n : n * which / cuts / together * together;
    };
    const std::int64_t together = is_complex_v<T> ? rows_together : 1, row_cut = piece % cuts.rows,
                       column_cut = piece / cuts.rows % cuts.columns;
    const std::int64_t row = cut(m.rows, row_cut, cuts.rows, together),
                       column = cut(m.columns, column_cut, cuts.columns, columns_together);
    a += row * m.a_row;
    b += column * m.b_column;
    c += row * m.c_row + column;
    m.rows = cut(m.rows, row_cut + 1, cuts.rows, together) - row;
    m.columns = cut(m.columns, column_cut + 1, cuts.columns, columns_together) - column;
    std::int64_t loop = piece / cuts.count();
    move(l_.loops, loop, a, b);
    for (std::size_t i = l_.loops.size(); i-- > 0; loop /= l_.loops[i].extent)
      c += loop % l_.loops[i].extent * l_.loops[i].out;
    for (std::int64_t s = 0; s < sums_; ++s) {
      const T *x = a, *y = b;
      move(l_.sums, s, x, y);
      multiply(m, x, y, c, s > 0, reinterpret_cast<T*>(scratch));
    }
  }
  void multiply(const MatrixProduct& m, const T* a, const T* b, T* c, bool adds, T* scratch) const {
    if constexpr (std::is_integral_v<T>)
      plain_loops(m, a, b, c, adds);
    else if constexpr (is_complex_v<T>)
      gemm(m, a, b, c, adds);
    else if (way_ == Way::as_it_lies)
      own_.as_they_lie(m, a, b, c, adds);
    else if (way_ == Way::turned)
      own_.turned(m, a, b, c, adds);
    else if (way_ == Way::dots)
      own_.dots(m, a, b, c, adds);
    else
      own_.packed(m, a, b, c, adds, scratch);
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
  MatrixLoops<T> own_{};                     // the same all its life, since scratch is as it asks
  std::int64_t slots_ = 0, slot_bytes_ = 0;  // a slot is the scratch of one worker
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

std::unique_ptr<Kernel> product_kernel(const Product& p, int threads) {
  std::int64_t results = 1, terms = 1;
  for (const ProductAxis& a : p.axes) (a.summed() ? terms : results) *= a.extent;
  if (results == 0 || terms == 0)
    return std::make_unique<Zeros>(static_cast<std::size_t>(results) * size_of(p.result));
  return with_type(between(p.operands, p.result), [&]<class T>(Tag<T>) -> std::unique_ptr<Kernel> {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || is_complex_v<T> ||
                  std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>)
      return std::make_unique<Products<T>>(p, layout_of(p), threads);
    return nullptr;
  });
}

}  // namespace baton::cpu
