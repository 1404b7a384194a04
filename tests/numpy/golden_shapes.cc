// golden_shapes: Functions that move elements, and new arrays.
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"reshape", "c", [](const Arrays& a) -> Array { return reshape(a[0], {4, -1}); }},
    {"ravel", "x", [](const Arrays& a) -> Array { return ravel(a[0]); }},
    {"transpose", "c", [](const Arrays& a) -> Array { return transpose(a[0]); }},
    {"transpose_axes", "c", [](const Arrays& a) -> Array { return transpose(a[0], {1, 0, 2}); }},
    {"swapaxes", "c", [](const Arrays& a) -> Array { return swapaxes(a[0], 0, -1); }},
    {"moveaxis", "c", [](const Arrays& a) -> Array { return moveaxis(a[0], 0, 2); }},
    {"moveaxis_two", "c", [](const Arrays& a) -> Array { return moveaxis(a[0], {0, 1}, {-1, 0}); }},
    {"expand_dims", "x", [](const Arrays& a) -> Array { return expand_dims(a[0], {0, -1}); }},
    {"squeeze", "c", [](const Arrays& a) -> Array { return squeeze(a[0].at(range(1), all, range(1))); }},
    {"broadcast_to", "r", [](const Arrays& a) -> Array { return broadcast_to(a[0], {2, 2, 3}); }},
    {"concatenate", "x y", [](const Arrays& a) -> Array { return concatenate({a[0], a[1]}, 1); }},
    {"concatenate_mixed", "i x", [](const Arrays& a) -> Array { return concatenate({a[0], a[1]}); }},
    {"stack", "x y", [](const Arrays& a) -> Array { return stack({a[0], a[1]}, -1); }},
    {"vstack", "x r", [](const Arrays& a) -> Array { return vstack({a[0], a[1]}); }},
    {"hstack", "x y", [](const Arrays& a) -> Array { return hstack({a[0], a[1]}); }},
    {"split", "c", [](const Arrays& a) -> Array { return split(a[0], 2, 2)[1]; }},
    {"split_at", "v", [](const Arrays& a) -> Array { return split(a[0], {2, 5})[1]; }},
    {"tile", "x", [](const Arrays& a) -> Array { return tile(a[0], {2, 1, 2}); }},
    {"repeat", "x", [](const Arrays& a) -> Array { return repeat(a[0], 2, 1); }},
    {"repeat_flat", "x", [](const Arrays& a) -> Array { return repeat(a[0], 3); }},
    {"flip", "x", [](const Arrays& a) -> Array { return flip(a[0]); }},
    {"flip_axis", "x", [](const Arrays& a) -> Array { return flip(a[0], 1); }},
    {"roll", "x", [](const Arrays& a) -> Array { return roll(a[0], 1, 1); }},
    {"roll_flat", "x", [](const Arrays& a) -> Array { return roll(a[0], -2); }},
    {"pad", "x", [](const Arrays& a) -> Array { return pad(a[0], {{1, 0}, {0, 2}}, 3); }},
    {"tril", "c", [](const Arrays& a) -> Array { return tril(a[0], 1); }},
    {"triu", "m", [](const Arrays& a) -> Array { return triu(a[0]); }},
    {"diag", "s", [](const Arrays& a) -> Array { return diag(a[0], 1); }},
    {"diag_make", "r", [](const Arrays& a) -> Array { return diag(a[0], -1); }},
    {"diagonal", "c", [](const Arrays& a) -> Array { return diagonal(a[0], 1, 0, 2); }},
    {"eye", "", [](const Arrays&) -> Array { return eye(3, 4, 1); }},
    {"arange", "", [](const Arrays&) -> Array { return arange(2, 9, 3); }},
    {"arange_real", "", [](const Arrays&) -> Array { return arange(1, 2, 0.25); }},
    {"linspace", "", [](const Arrays&) -> Array { return linspace(0, 1, 5); }},
    {"linspace_open", "r", [](const Arrays& a) -> Array { return linspace(a[0], 2, 4, {.endpoint = false}); }},
    {"meshgrid", "r k", [](const Arrays& a) -> Array { return meshgrid({a[0], a[1]})[0]; }},
    {"full", "", [](const Arrays&) -> Array { return full({2, 2}, 7); }},
};
// clang-format on

TEST(Golden, Shapes) { check_golden(cases); }

}  // namespace
}  // namespace baton
