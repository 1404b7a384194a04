// lapack: the custom calls to LAPACK that JAX writes for the CPU. Results beside the factors, such as the
// status, are made up so that the code around them takes its usual way.
#include <algorithm>

#include "base/text.h"
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

/// A letter of the backend's configuration, such as uplo = 76 : ui8; 0 where it is absent.
char letter(const Context& c, Text key) {
  if (const Attribute* config = c.find("mhlo.backend_config"))
    for (const auto& [k, a] : config->fields)
      if (k == key) return static_cast<char>(a.integer);
  return 0;
}
void require_matrix(const Context& c) {
  if (c.count() == 0) c.fail("a matrix is required, found no operand.");
  if (c.array(0).rank() < 2) c.fail("a matrix is required, found " + show(c.array(0).type()) + ".");
}
/// 0 where the factorisation succeeded, 1 where it holds NaN.
Array status(const Array& factor) {
  return lax::convert_element_type(
      lax::reduce_or(lax::ne(factor, factor), {factor.rank() - 2, factor.rank() - 1}), s32);
}
Array no_error(const Context& c, std::size_t result) { return lax::zeros(c.result(result), c.where); }

}  // namespace

void read_potrf(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const bool upper = letter(c, "uplo") == 'U';
  Array l = lax::cholesky(upper ? adjoint(c.array(0)) : c.array(0), false);
  c.give(upper ? adjoint(l) : l);
  c.give(status(l));
}

void read_trsm(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const char trans = letter(c, "trans_x");
  c.give(lax::triangular_solve(c.array(0), c.array(1),
                               {.left_side = letter(c, "side") != 'R',
                                .lower = letter(c, "uplo") == 'L',
                                .transpose_a = trans == 'T' || trans == 'C',
                                .conjugate_a = trans == 'C',
                                .unit_diagonal = letter(c, "diag") == 'U'}));
}

/// geqrf's result is R over zeros; orgqr finds the matrix that was factored and takes Q of it.
void read_geqrf(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const Array& x = c.array(0);
  Array r = lax::qr(x, false).second;
  const std::int64_t rows = x.dim(-2), have = r.dim(-2);
  if (have < rows) {
    std::vector<lax::Padding> padding(static_cast<std::size_t>(x.rank()));
    padding[padding.size() - 2].high = rows - have;
    r = lax::pad(r, lax::zeros({r.dtype(), {}}), padding);
  }
  c.give(r);
  c.give(lax::zeros(c.result(1)));
  c.importer.qr_of[r.node()] = x;
  c.importer.kept.push_back(r);
}
void read_orgqr(Context& c) {
  const Frame frame(c.where);
  const auto it = c.importer.qr_of.find(c.array(0).node());
  if (it == c.importer.qr_of.end()) c.unsupported(c.name() + ": orgqr is read only on the result of geqrf.");
  const Array& x = it->second;
  if (c.result().rank() < 2) c.fail("the result must be a matrix, found " + show(c.result()) + ".");
  const bool full = c.result().shape.back() > std::min(x.dim(-1), x.dim(-2));
  const Array q = lax::qr(x, full).first;
  if (q.type() != c.result())
    c.unsupported(c.name() + ": orgqr gives " + show(c.result()) + " here; " + show(q.type()) +
                  " is supported.");
  c.give(q);
}

void read_syevd(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const lax::Eigh e = lax::eigh(c.array(0), letter(c, "uplo") != 'U', false);
  c.give(e.vectors);
  c.give(e.values);
  c.give(no_error(c, 2));
}

void read_gesdd(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const lax::Svd s = lax::svd(c.array(0), letter(c, "mode") == 'A');
  c.give(c.array(0));
  c.give(s.s);
  c.give(s.u);
  c.give(s.vt);
  c.give(no_error(c, 4));
}

void read_getrf(Context& c) {
  const Frame frame(c.where);
  require_matrix(c);
  const lax::Lu f = lax::lu(c.array(0));
  c.give(f.lu);
  c.give(lax::add(f.pivots, 1));  // LAPACK counts from 1
  c.give(no_error(c, 2));
}

}  // namespace baton::stablehlo
