// triangular_solve: x with op(a) x = b, or x op(a) = b, for triangular a of which the other triangle is not
// read. Linear in b. With da: op(a) dx = db - op(da) x.
#include "ops/matrix.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  const char* name = "triangular_solve";
  require_count(name, in, 2);
  require_matrices(name, in, 0);
  require_matrices(name, in, 1);
  require_square(name, in[0]);
  if (in[0].dtype != in[1].dtype)
    type_error(name, "a and b must have one dtype, found " + show(in[0]) + " and " + show(in[1]) +
                         ".\n  Convert one with astype.");
  const bool left = params.as<TriangularSolve>().left_side;
  const std::int64_t n = in[0].shape.back(), m = in[1].shape[in[1].shape.size() - (left ? 2 : 1)];
  if (in[0].rank() != in[1].rank() ||
      !std::equal(in[0].shape.begin(), in[0].shape.end() - 2, in[1].shape.begin()))
    type_error(name, "a and b must have the same leading axes, found " + show(in[0]) + " and " + show(in[1]) +
                         ".\n  Broadcast one of them.");
  if (n != m)
    type_error(name, "the number of " + std::string(left ? "rows" : "columns") +
                         " of b must be that of a, found " + show(in[0]) + " and " + show(in[1]) + ".");
  return {in[1]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<TriangularSolve>();
  with_matrix_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    using W = wide_t<T>;
    for (std::int64_t which = 0; which < matrix_count(in[0].shape()); ++which) {
      const Matrix<W> a = load_matrix<T>(in[0], which);
      Matrix<W> x = load_matrix<T>(in[1], which);
      const std::int64_t n = a.rows;
      // x op(a) = b is op(a)^T x^T = b^T: one loop for both, over the entries m(i, j) of the matrix on the
      // left.
      const bool flip = p.transpose_a == p.left_side;
      auto m = [&](std::int64_t i, std::int64_t j) {
        const W entry = flip ? a(j, i) : a(i, j);
        return p.conjugate_a ? conjugate(entry) : entry;
      };
      const bool forward = p.lower != flip;  // m is lower triangular
      const std::int64_t columns = p.left_side ? x.cols : x.rows;
      auto at = [&](std::int64_t i, std::int64_t c) -> W& { return p.left_side ? x(i, c) : x(c, i); };
      for (std::int64_t c = 0; c < columns; ++c)
        for (std::int64_t step = 0; step < n; ++step) {
          const std::int64_t i = forward ? step : n - 1 - step;
          W sum = at(i, c);
          for (std::int64_t j = forward ? 0 : i + 1; j < (forward ? i : n); ++j) sum -= m(i, j) * at(j, c);
          at(i, c) = p.unit_diagonal ? sum : sum / m(i, i);
        }
      store_matrix<T>(out[0], which, x);
    }
  });
}
Array solve(const Array& a, const Array& b, const Params& params) {
  return bind_one(triangular_solve, {a, b}, params, {});
}
Arrays jvp(const Arrays& x, const Arrays& outs, const Arrays& dx, const Params& params) {
  const auto& p = params.as<TriangularSolve>();
  Array moved = dx[1].empty() ? Array() : solve(x[0], dx[1], params);
  if (!dx[0].empty()) {
    const std::int64_t skip = p.unit_diagonal ? 1 : 0;
    Array da = p.lower ? lower_part(dx[0], -skip) : upper_part(dx[0], skip);
    if (p.transpose_a) da = swap_last(da);
    if (p.conjugate_a && is_complex(da.dtype())) da = lax::conj(da);
    const Array product = p.left_side ? matmul(da, outs[0]) : matmul(outs[0], da);
    moved = add_any(moved, lax::neg(solve(x[0], product, params)));
  }
  return {moved};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  TriangularSolve p = params.as<TriangularSolve>();
  p.transpose_a = !p.transpose_a;
  return {Array(), solve(x[0].value, ct[0], p)};
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  const std::vector<double> a = {2, 0.5, -1, 1, -1.5, 0.5, 0.25, 1, 3};
  for (bool left : {true, false})
    for (bool lower : {true, false})
      for (bool transposed : {true, false})
        for (bool unit : {true, false})
          rows.push_back({.inputs = {{f32, {3, 3}}, {f32, left ? Shape{3, 2} : Shape{2, 3}}},
                          .params = TriangularSolve{left, lower, transposed, false, unit},
                          .values = {a, {1, -2, 0.5, 3, 0.25, -1}}});
  const Type square{f32, {2, 2, 2}};
  rows.push_back({.inputs = {square, square},
                  .params = TriangularSolve{true, true, false, false, false},
                  .note = "a batch",
                  .values = {{1, 0, 2, 3, 2, 5, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}});
  rows.push_back({.inputs = {{c64, {2, 2}}, {c64, {2, 1}}},
                  .params = TriangularSolve{true, true, true, true, false},
                  .low = 0.5,
                  .note = "the adjoint"});
  rows.push_back({.inputs = {{f32, {2, 2}}, {f32, {2, 0}}},
                  .params = TriangularSolve{},
                  .low = 1,
                  .note = "no columns"});
  rows.push_back({.inputs = {{f32, {0, 0}}, {f32, {0, 3}}}, .params = TriangularSolve{}, .note = "no rows"});
  return rows;
}
}  // namespace
extern const Primitive triangular_solve = {.name = "triangular_solve",
                                           .cost = Cost::compute_bound,
                                           .params = TriangularSolve{},
                                           .type = type,
                                           .evaluate = evaluate,
                                           .jvp = jvp,
                                           .transpose = transpose_rule,
                                           .batch = batch_at_front<triangular_solve>,
                                           .examples = examples()};
}  // namespace ops
Array lax::triangular_solve(Operand a, Operand b, const TriangularSolve& o) {
  return bind_one(ops::triangular_solve, {a.array(), b.array()},
                  ops::TriangularSolve{o.left_side, o.lower, o.transpose_a, o.conjugate_a, o.unit_diagonal},
                  a.where());
}
}  // namespace baton
