// layout: tries which operands to copy and which axes to make the matrix of, and takes what costs least.
#include "engines/cpu/packing.h"

#include <algorithm>
#include <limits>

namespace baton::cpu {
namespace {

bool same_arrays(const ProductAxis& a, const ProductAxis& b) {
  return std::all_of(std::begin(strides_of_arrays), std::end(strides_of_arrays),
                     [&](ProductStride s) { return (a.*s == 0) == (b.*s == 0); });
}

/// Makes one axis of two that lie one inside the other in each array.
void merge(ProductAxes& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = 0; j < axes.size(); ++j) {
      ProductAxis &outer = axes[i], &inner = axes[j];
      if (i == j || !same_arrays(outer, inner)) continue;
      if (!std::all_of(std::begin(strides_of_arrays), std::end(strides_of_arrays),
                       [&](ProductStride s) { return outer.*s == inner.*s * inner.extent; }))
        continue;
      inner.extent *= outer.extent;
      axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
      return merge(axes);
    }
}

/// The axes of an array, outermost first: batch, then `second`, then `third`; each kind by falling stride.
Packing pack(ProductAxes& axes, ProductStride array, ProductStride order_of_second, bool second_is_summed,
             ProductStride order_of_sums) {
  const auto kind = [&](const ProductAxis& a) {
    return a.batch() ? 0 : a.summed() == second_is_summed ? 1 : 2;
  };
  std::vector<ProductAxis*> sorted;
  for (ProductAxis& a : axes)
    if (a.*array) sorted.push_back(&a);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const ProductAxis* a, const ProductAxis* b) {
    if (kind(*a) != kind(*b)) return kind(*a) < kind(*b);
    const ProductStride by = a->summed() ? order_of_sums : order_of_second;
    return a->*by > b->*by;
  });
  Packing packing;
  for (const ProductAxis* a : sorted) packing.axes.push_back({a->extent, a->*array});
  std::int64_t stride = 1;
  for (std::size_t i = sorted.size(); i-- > 0; stride *= sorted[i]->extent) sorted[i]->*array = stride;
  return packing;
}

/// Whether this is a matrix: its rows or its columns are dense, and both extents and strides fit the integers
/// of BLAS, which complex ones go to.
bool is_matrix(std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t column) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  return (rows == 1 || columns == 1 || row == 1 || column == 1) && rows <= most && columns <= most &&
         (rows == 1 || row <= most) && (columns == 1 || column <= most);
}

/// About the nanoseconds of the matrix products.
double cost(const Layout& l) {
  const auto near_full = [](std::int64_t n, double half) { return static_cast<double>(n) + half; };
  double calls = 1;
  for (const ProductAxes* axes : {&l.loops, &l.sums})
    for (const ProductAxis& a : *axes) calls *= static_cast<double>(a.extent);
  const MatrixProduct& m = l.matrix;
  return calls * (100 + near_full(m.rows, 4) * near_full(m.columns, 4) * near_full(m.depth, 8) / 50);
}

Layout with_matrix(const ProductAxes& axes, int row, int column, int sum) {
  Layout l;
  MatrixProduct& m = l.matrix;
  for (int i = 0; i < static_cast<int>(axes.size()); ++i) {
    const ProductAxis& a = axes[static_cast<std::size_t>(i)];
    if (i == row)
      m.rows = a.extent, m.a_row = a.lhs, m.c_row = a.out;
    else if (i == column)
      m.columns = a.extent, m.b_column = a.rhs, m.c_column = a.out;
    else if (i == sum)
      m.depth = a.extent, m.a_depth = a.lhs, m.b_depth = a.rhs;
    else
      (a.summed() ? l.sums : l.loops).push_back(a);
  }
  return l;
}

void swap(Layout& l) {
  MatrixProduct& m = l.matrix;
  l.swapped = true;
  m = {m.columns, m.rows, m.depth, m.b_column, m.b_depth, m.a_depth, m.a_row, m.c_column, m.c_row};
}

constexpr ProductStride in_lhs = &ProductAxis::lhs, in_rhs = &ProductAxis::rhs, in_out = &ProductAxis::out;

/// The axes of the result: batch, rows, columns.
Packing pack_out(ProductAxes& axes) {
  const auto kind = [](const ProductAxis& a) { return a.batch() ? 0 : a.lhs ? 1 : 2; };
  std::stable_sort(axes.begin(), axes.end(),
                   [&](const ProductAxis& a, const ProductAxis& b) { return kind(a) < kind(b); });
  Packing out;
  std::int64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;)
    if (axes[i].out) {
      out.axes.insert(out.axes.begin(), {axes[i].extent, axes[i].out});
      axes[i].out = stride, stride *= axes[i].extent;
    }
  return out;
}

/// A choice of arrays that are copied, and the axes with the strides of the copies.
struct Copied {
  Packed packs;
  ProductAxes axes;
  Packing lhs, rhs, out;
  double elements = 0;
};
Copied with_copies(ProductAxes axes, Packed packs) {
  Copied c{packs, std::move(axes), {}, {}, {}, 0};
  if (packs.out) c.out = pack_out(c.axes);
  if (packs.lhs) c.lhs = pack(c.axes, in_lhs, in_out, false, packs.rhs ? in_lhs : in_rhs);
  if (packs.rhs) c.rhs = pack(c.axes, in_rhs, in_out, true, in_lhs);
  merge(c.axes);
  for (Packing* p : {&c.lhs, &c.rhs, &c.out}) {
    if (!p->axes.empty()) c.elements += static_cast<double>(p->size());
    merge_axes(*p);
  }
  return c;
}

bool is_product(const MatrixProduct& m) {
  return is_matrix(m.rows, m.a_row, m.depth, m.a_depth) &&
         is_matrix(m.depth, m.b_depth, m.columns, m.b_column) &&
         is_matrix(m.rows, m.c_row, m.columns, m.c_column);
}

/// Tries each axis as rows, as columns and as the sum, and none (-1); keeps what costs less than `best`.
void try_matrices(const Copied& c, Layout& best) {
  const int n = static_cast<int>(c.axes.size());
  const auto is = [&](int i, bool lhs, bool rhs) {
    if (i < 0) return true;
    const ProductAxis& a = c.axes[static_cast<std::size_t>(i)];
    return (a.lhs != 0) == lhs && (a.rhs != 0) == rhs && a.summed() == (lhs && rhs);
  };
  for (int row = -1; row < n; ++row)
    for (int column = -1; is(row, true, false) && column < n; ++column)
      for (int sum = -1; is(column, false, true) && sum < n; ++sum) {
        if (!is(sum, true, true)) continue;
        Layout found = with_matrix(c.axes, row, column, sum);
        found.cost = cost(found) + c.elements;
        if (!is_product(found.matrix) || found.cost >= best.cost) continue;
        best = std::move(found), best.copies = c.elements;
        best.packs_lhs = c.packs.lhs, best.packs_rhs = c.packs.rhs, best.packs_out = c.packs.out;
        best.lhs = c.lhs, best.rhs = c.rhs, best.out = c.out;
      }
}

/// The columns of c must be dense. A vector is a row of c where that lets b keep its rows.
bool is_better_swapped(const MatrixProduct& m) {
  if (m.rows == 1) return m.columns > 1 && (m.c_column != 1 || (m.b_column != 1 && m.b_depth == 1));
  if (m.columns == 1) return m.a_row == 1 && m.c_row == 1;
  return m.c_column != 1;
}

}  // namespace

Layout layout_of(ProductAxes axes, Packed must) {
  std::erase_if(axes, [](const ProductAxis& a) { return a.extent == 1; });
  Layout best;
  best.cost = std::numeric_limits<double>::infinity();
  for (int choice = 0; choice < 8; ++choice) {
    const Packed packs{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0};
    if ((must.lhs && !packs.lhs) || (must.rhs && !packs.rhs) || (must.out && !packs.out)) continue;
    try_matrices(with_copies(axes, packs), best);
  }
  if (is_better_swapped(best.matrix)) swap(best);
  return best;
}

}  // namespace baton::cpu
