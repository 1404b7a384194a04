// matrix: the shared pieces of operations on matrices that need no template.
#include "ops/matrix.h"

namespace baton::ops {
namespace {

Array keep(const Array& a, std::int64_t k, bool lower) {
  const int row = a.rank() - 2, col = a.rank() - 1;
  const Array rows = lax::add(lax::iota({s32, a.shape()}, row, {}), k),
              cols = lax::iota({s32, a.shape()}, col, {});
  return lax::select(lower ? lax::ge(rows, cols) : lax::le(rows, cols), a, zeros_like(a));
}

}  // namespace

void require_matrices(std::string_view name, std::span<const Type> in, int operand) {
  const Type& t = in[static_cast<std::size_t>(operand)];
  if (t.dtype != f32 && t.dtype != f64 && !is_complex(t.dtype))
    type_error(name, "operand " + std::to_string(operand) + " must be f32, f64, c64 or c128, found " +
                         show(t) + ".\n  Convert it first: astype(x, f32).");
  if (t.rank() < 2)
    type_error(name, "operand " + std::to_string(operand) +
                         " must hold matrices in its last two axes, found " + show(t) + ".");
}

void require_square(std::string_view name, const Type& t) {
  if (t.shape[t.shape.size() - 2] != t.shape[t.shape.size() - 1])
    type_error(name, "the matrices must be square, found " + show(t) + ".");
}

Shape with_matrix(const Shape& shape, std::initializer_list<std::int64_t> last) {
  Shape s(shape.begin(), shape.end() - 2);
  s.insert(s.end(), last);
  return s;
}

Array matmul(const Array& a, const Array& b) {
  lax::DotDims dims{.lhs_contract = {a.rank() - 1}, .rhs_contract = {b.rank() - 2}};
  for (int i = 0; i < a.rank() - 2; ++i) dims.lhs_batch.push_back(i);
  dims.rhs_batch = dims.lhs_batch;
  return lax::dot_general(a, b, dims);
}

Array swap_last(const Array& a) {
  std::vector<std::int64_t> p(a.shape().size());
  std::iota(p.begin(), p.end(), 0);
  std::swap(p[p.size() - 1], p[p.size() - 2]);
  return lax::transpose(a, p);
}
Array adjoint(const Array& a) {
  const Array t = swap_last(a);
  return is_complex(a.dtype()) ? lax::conj(t) : t;
}

Array lower_part(const Array& a, std::int64_t k) { return keep(a, k, true); }
Array upper_part(const Array& a, std::int64_t k) { return keep(a, k, false); }

Array hermitian(const Array& a, bool lower) {
  Array given = lower ? lower_part(a) : upper_part(a);
  Array mirrored = adjoint(lower ? lower_part(a, -1) : upper_part(a, 1));
  Array h = lax::add(given, mirrored);
  if (!is_complex(a.dtype())) return h;
  const Array on = eye(real_of(a.dtype()), a.shape());  // the diagonal of a Hermitian matrix is real
  const Array imag = lax::imag(h);
  return lax::complex(lax::real(h), lax::sub(imag, lax::mul(imag, on)));
}

Array eye(Dtype dtype, const Shape& shape) {
  const int rank = static_cast<int>(shape.size());
  const Array rows = lax::iota({s32, shape}, rank - 2, {}), cols = lax::iota({s32, shape}, rank - 1, {});
  return lax::convert_element_type(lax::eq(rows, cols), dtype);
}

Array diagonal(const Array& a) {
  const int rank = a.rank();
  const Array rows = lax::iota({s32, a.shape()}, rank - 2, {}),
              cols = lax::iota({s32, a.shape()}, rank - 1, {});
  return lax::reduce_sum(lax::select(lax::eq(rows, cols), a, zeros_like(a)), {rank - 1});
}

Array as_rows(const Array& v, std::int64_t m) {
  Shape shape = v.shape();
  shape.insert(shape.end() - 1, m);
  std::vector<std::int64_t> dims(v.shape().size());
  std::iota(dims.begin(), dims.end(), 0);
  dims.back() = v.rank();
  return lax::broadcast_in_dim(v, shape, dims);
}
Array as_columns(const Array& v, std::int64_t m) {
  Shape shape = v.shape();
  shape.push_back(m);
  std::vector<std::int64_t> dims(v.shape().size());
  std::iota(dims.begin(), dims.end(), 0);
  return lax::broadcast_in_dim(v, shape, dims);
}
Array halved(const Array& a) { return lax::mul(a, 0.5); }

}  // namespace baton::ops
