// golden_products: Matrix products, einsum, and linear algebra.
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"matmul", "x d", [](const Arrays& a) -> Array { return matmul(a[0], transpose(a[1])); }},
    {"matmul_vector", "c", [](const Arrays& a) -> Array { return matmul(a[0], Array({1.f, 2.f, 3.f, 4.f})); }},
    {"matmul_row", "c r", [](const Arrays& a) -> Array { return matmul(a[1], a[0]); }},
    {"matmul_batch", "c e", [](const Arrays& a) -> Array { return matmul(a[0], a[1]); }},
    {"matmul_broadcast", "c d", [](const Arrays& a) -> Array { return matmul(a[0].at(all, newaxis), a[1].at(newaxis)); }},
    {"matmul_outer_batch", "c d", [](const Arrays& a) -> Array { return matmul(a[0].at(all, newaxis), stack({a[1], a[1] * 2, a[1] + 1})); }},
    {"dot", "c d", [](const Arrays& a) -> Array { return dot(a[0], a[1]); }},
    {"vdot", "x y", [](const Arrays& a) -> Array { return vdot(a[0], a[1]); }},
    {"vecdot", "x r", [](const Arrays& a) -> Array { return vecdot(a[0], a[1]); }},
    {"inner", "x y", [](const Arrays& a) -> Array { return inner(a[0], a[1]); }},
    {"outer", "r v", [](const Arrays& a) -> Array { return outer(a[0], a[1]); }},
    {"tensordot", "c e", [](const Arrays& a) -> Array { return tensordot(a[0], a[1], {.x = {0, 2}, .y = {0, 1}}); }},
    {"tensordot_two", "c", [](const Arrays& a) -> Array { return tensordot(a[0], moveaxis(a[0], 0, 2), 2); }},
    {"einsum_matmul", "x d", [](const Arrays& a) -> Array { return einsum("ij,kj->ik", {a[0], a[1]}); }},
    {"einsum_implicit", "x d", [](const Arrays& a) -> Array { return einsum("ij,kj", {a[0], a[1]}); }},
    {"einsum_trace", "s", [](const Arrays& a) -> Array { return einsum("ii", {a[0]}); }},
    {"einsum_diagonal", "m", [](const Arrays& a) -> Array { return einsum("bii->bi", {a[0]}); }},
    {"einsum_ellipsis", "c d", [](const Arrays& a) -> Array { return einsum("...ij,jk->...ik", {a[0], a[1]}); }},
    {"einsum_dots_both", "c e", [](const Arrays& a) -> Array { return einsum("...ij,...jk", {a[0], a[1]}); }},
    {"einsum_three", "x d r", [](const Arrays& a) -> Array { return einsum("ij,kj,j->k", {a[0], a[1], a[2]}); }},
    {"einsum_sum", "c", [](const Arrays& a) -> Array { return einsum("abc->b", {a[0]}); }},
    {"einsum_order", "c e", [](const Arrays& a) -> Array { return einsum("bij,bjk->kbi", {a[0], a[1]}); }},
    {"einsum_broadcast", "c", [](const Arrays& a) -> Array { return einsum("...ij,...ij->...j", {a[0], a[0].at(range(1))}); }},
    {"kron", "x r", [](const Arrays& a) -> Array { return kron(a[0], a[1]); }},
    {"cross", "x y", [](const Arrays& a) -> Array { return cross(a[0], a[1]); }},
    {"norm", "c", [](const Arrays& a) -> Array { return linalg::norm(a[0]); }},
    {"norm_axis", "c", [](const Arrays& a) -> Array { return linalg::norm(a[0], {}, 1); }},
    {"norm_matrix", "c", [](const Arrays& a) -> Array { return linalg::norm(a[0], {}, {0, 2}, {.keepdims = true}); }},
    {"norm_one", "x", [](const Arrays& a) -> Array { return linalg::norm(a[0], linalg::Norm::one); }},
    {"norm_inf", "r", [](const Arrays& a) -> Array { return linalg::norm(a[0], linalg::Norm::infinity); }},
    {"norm_nuclear", "x", [](const Arrays& a) -> Array { return linalg::norm(a[0], linalg::Norm::nuclear); }},
    {"norm_spectral", "x", [](const Arrays& a) -> Array { return linalg::norm(a[0], linalg::Norm::two); }},
    {"solve", "m x", [](const Arrays& a) -> Array { return linalg::solve(a[0], a[1].at(ellipsis, newaxis)); }},
    {"solve_vector", "s r", [](const Arrays& a) -> Array { return linalg::solve(a[0], a[1]); }},
    {"solve_broadcast", "s c", [](const Arrays& a) -> Array { return linalg::solve(a[0], a[1]); }},
    {"inv", "m", [](const Arrays& a) -> Array { return linalg::inv(a[0]); }},
    {"pinv", "x", [](const Arrays& a) -> Array { return linalg::pinv(a[0]); }},
    {"det", "m", [](const Arrays& a) -> Array { return linalg::det(a[0]); }},
    {"det_four", "f4", [](const Arrays& a) -> Array { return linalg::det(a[0]); }},
    {"det_two", "s", [](const Arrays& a) -> Array { return linalg::det(a[0].at(range(2), range(2))); }},
    {"slogdet", "f4", [](const Arrays& a) -> Array { return linalg::slogdet(a[0]).logabsdet; }},
    {"slogdet_sign", "m", [](const Arrays& a) -> Array { return linalg::slogdet(-a[0]).sign; }},
    {"cholesky", "s", [](const Arrays& a) -> Array { return linalg::cholesky(a[0]); }},
    {"eigvalsh", "s", [](const Arrays& a) -> Array { return linalg::eigvalsh(a[0]); }},
    {"svdvals", "x", [](const Arrays& a) -> Array { return linalg::svdvals(a[0]); }},
    {"matrix_power", "m", [](const Arrays& a) -> Array { return linalg::matrix_power(a[0], 5); }},
    {"matrix_power_neg", "s", [](const Arrays& a) -> Array { return linalg::matrix_power(a[0], -2); }},
    {"trace", "c", [](const Arrays& a) -> Array { return linalg::trace(a[0], 1); }},
};
// clang-format on

TEST(Golden, Products) { check_golden(cases); }

}  // namespace
}  // namespace baton
