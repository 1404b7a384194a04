#pragma once
// linalg: the functions of jax.numpy.linalg, on batches of matrices: the last two axes.
#include "baton/lax.h"
#include "baton/numpy.h"

namespace baton::linalg {

enum class Norm {
  two,       // of a vector: its length; of a matrix: the largest singular value
  one,       // of a vector: the sum of |x|; of a matrix: the largest column sum
  infinity,  // of a vector: the largest |x|; of a matrix: the largest row sum
  frobenius,
  nuclear,  // the sum of the singular values
};
/// Over one axis (vectors), two (matrices), or with neither axes nor kind, over all elements.
Array norm(Operand x, std::optional<Norm> kind = {}, const Axes& axes = {}, const KeepOptions& options = {});
/// x such that a x = b; b is a batch of matrices, or one vector.
Array solve(Operand a, Operand b);
Array inv(Operand a);
Array pinv(Operand a, std::optional<double> rtol = {});  // singular values below rtol * largest count as zero
Array det(Operand a);
struct SlogDet {
  Array sign, logabsdet;  // det = sign * exp(logabsdet)
};
SlogDet slogdet(Operand a);
Array cholesky(Operand a);  // the lower factor
struct Qr {
  Array q, r;
};
Qr qr(Operand a, bool full_matrices = false);
lax::Eigh eigh(Operand a);  // values rise
Array eigvalsh(Operand a);
lax::Svd svd(Operand a, bool full_matrices = false);  // u, s, vt; s falls
Array svdvals(Operand a);
Array matrix_power(Operand a, int n);
Array trace(Operand x, int offset = 0);
Array matrix_transpose(Operand x);

}  // namespace baton::linalg
