// lu: x[permutation] = l u with partial pivoting, l below the diagonal (its own is 1) and u on and above it
// in one matrix. Pivots as LAPACK's getrf gives them, from 0: step i swapped rows i and pivots[i].
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("lu", in, 1);
  require_matrices("lu", in, 0);
  const Shape& s = in[0].shape;
  Shape pivots(s.begin(), s.end() - 2), permutation = pivots;
  pivots.push_back(std::min(s[s.size() - 2], s.back()));
  permutation.push_back(s[s.size() - 2]);
  return {in[0], {s32, pivots}, {s32, permutation}};
}
template <class W>
auto pivot_size(const W& x) {  // what LAPACK compares
  if constexpr (is_complex_v<W>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    for (std::int64_t b = 0; b < matrix_count(in[0].shape()); ++b) {
      Matrix<W> a = load_matrix<T>(in[0], b);
      const std::int64_t steps = std::min(a.rows, a.cols);
      auto* pivots = out[1].as<std::int32_t>().data() + b * steps;
      auto* permutation = out[2].as<std::int32_t>().data() + b * a.rows;
      std::iota(permutation, permutation + a.rows, 0);
      for (std::int64_t s = 0; s < steps; ++s) {
        std::int64_t pivot = s;
        for (std::int64_t i = s + 1; i < a.rows; ++i)
          if (pivot_size(a(i, s)) > pivot_size(a(pivot, s))) pivot = i;
        pivots[s] = static_cast<std::int32_t>(pivot);
        std::swap(permutation[s], permutation[pivot]);
        for (std::int64_t j = 0; j < a.cols; ++j) std::swap(a(s, j), a(pivot, j));
        if (a(s, s) == W(0)) continue;  // a singular matrix keeps its zero
        for (std::int64_t i = s + 1; i < a.rows; ++i) {
          a(i, s) /= a(s, s);
          for (std::int64_t j = s + 1; j < a.cols; ++j) a(i, j) -= a(i, s) * a(s, j);
        }
      }
      store_matrix<T>(out[0], b, a);
    }
  });
}
/// Zeros added below and to the right, and ones on the diagonal there.
Array bordered(const Array& a, std::int64_t size) {
  std::vector<lax::Padding> padding(a.shape().size());
  padding[padding.size() - 2].high = size - a.dim(-2);
  padding[padding.size() - 1].high = size - a.dim(-1);
  return lax::pad(a, lax::zeros({a.dtype(), {}}), padding);
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params&) {
  // l^-1 dx u^-1, rows permuted, splits into l^-1 dl (strictly lower) and du u^-1 (upper).
  const int row = primals[0].rank() - 2, col = row + 1;
  const std::int64_t m = primals[0].dim(row), n = primals[0].dim(col), k = std::min(m, n);
  const Array& factors = outs[0];
  // Rows by the permutation: row i of the result is row permutation[i].
  lax::GatherDims dims{.offset_dims = {col}, .collapsed_slice_dims = {row}, .start_index_map = {row}};
  for (int i = 0; i < row; ++i) {
    dims.operand_batching_dims.push_back(i);
    dims.start_indices_batching_dims.push_back(i);
  }
  Shape sizes(primals[0].shape().size(), 1);
  sizes.back() = n;
  Array dx = tangents[0];
  if (dx.size() > 0)  // a slice of one row would not fit
    dx = lax::gather(tangents[0], lax::expand_dims(outs[2], {outs[2].rank()}), dims, sizes,
                     {.mode = lax::GatherMode::promise_in_bounds, .unique_indices = true});
  auto unit_from = [&](std::int64_t size) {  // ones on the diagonal from k on
    const Shape shape = with_matrix(primals[0].shape(), {size, size});
    const Array at = lax::iota({s32, shape}, row, {});
    return lax::mul(eye(factors.dtype(), shape), lax::convert_element_type(lax::ge(at, k), factors.dtype()));
  };
  Array l = bordered(lower_part(lax::slice_in_dim(factors, 0, k, 1, col), -1), m);
  l = lax::add(l, eye(l.dtype(), l.shape()));
  Array u = bordered(upper_part(lax::slice_in_dim(factors, 0, k, 1, row)), n);
  if (n > k) u = lax::add(u, unit_from(n));
  const Array half = lax::triangular_solve(l, dx, {.left_side = true, .lower = true, .unit_diagonal = true});
  const Array inner = lax::triangular_solve(u, half, {.left_side = false, .lower = false});
  return {lax::add(matmul(l, lower_part(inner, -1)), matmul(upper_part(inner), u)), Array(), Array()};
}
}  // namespace
extern const Primitive lu = {
    .name = "lu",
    .cost = Cost::compute_bound,
    .type = type,
    .evaluate = evaluate,
    .jvp = jvp,
    .batch = batch_at_front<lu>,
    .examples = {{.inputs = {{f32, {3, 3}}}, .values = {{1, 0.5, -1, 2, -1.5, 0.5, 0.25, 1, 3}}},
                 {.inputs = {{f32, {4, 2}}}, .values = {{1, 0.5, -2, 1, -1.5, 0.5, 0.25, 3}}},
                 {.inputs = {{f32, {2, 4}}}, .values = {{1, 0.5, -2, 1, -1.5, 0.5, 0.25, 3}}},
                 {.inputs = {{f32, {2, 2, 2}}}, .values = {{1, 0.5, -2, 1, -1.5, 0.5, 0.25, 3}}},
                 {.inputs = {{c64, {3, 3}}}, .order = 0},
                 {.inputs = {{f32, {1, 1}}}, .low = 0.5},
                 {.inputs = {{f32, {0, 0}}}, .note = "no elements"},
                 {.inputs = {{f32, {0, 2, 2}}}, .note = "no matrices"}}};
}  // namespace ops
lax::Lu lax::lu(Operand x) {
  const Arrays outs = bind(ops::lu, {x.array()}, None{}, x.where());
  return {outs[0], outs[1], outs[2]};
}
}  // namespace baton
