// golden_reductions: Sums and their like, running sums, segments.
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"sum", "x", [](const Arrays& a) -> Array { return sum(a[0]); }},
    {"sum_axis", "c", [](const Arrays& a) -> Array { return sum(a[0], {0, -1}); }},
    {"sum_keep", "c", [](const Arrays& a) -> Array { return sum(a[0], 1, {.keepdims = true}); }},
    {"sum_where", "x b", [](const Arrays& a) -> Array { return sum(a[0], 0, {.initial = 3, .where = a[1]}); }},
    {"sum_bool", "b", [](const Arrays& a) -> Array { return sum(a[0], 1); }},
    {"sum_none", "c", [](const Arrays& a) -> Array { return sum(a[0], Axes(std::vector<std::int64_t>{})); }},
    {"prod", "x", [](const Arrays& a) -> Array { return prod(a[0], 0); }},
    {"mean", "x", [](const Arrays& a) -> Array { return mean(a[0], 0); }},
    {"mean_int", "i", [](const Arrays& a) -> Array { return mean(a[0]); }},
    {"mean_where", "x", [](const Arrays& a) -> Array { return mean(a[0], 1, {.where = not_equal(arange(3), 1)}); }},
    {"var", "c", [](const Arrays& a) -> Array { return var(a[0], {0, 2}); }},
    {"var_ddof", "c", [](const Arrays& a) -> Array { return var(a[0], 1, {.keepdims = true, .ddof = 1}); }},
    {"stddev", "x", [](const Arrays& a) -> Array { return stddev(a[0], 1); }},
    {"max", "c", [](const Arrays& a) -> Array { return max(a[0], 0); }},
    {"min", "c", [](const Arrays& a) -> Array { return min(a[0]); }},
    {"max_where", "x b", [](const Arrays& a) -> Array { return max(a[0], 1, {.initial = -1, .where = a[1]}); }},
    {"any", "b", [](const Arrays& a) -> Array { return any(a[0], 0); }},
    {"all", "b", [](const Arrays& a) -> Array { return all(a[0], 1); }},
    {"argmax", "c", [](const Arrays& a) -> Array { return argmax(a[0], 1); }},
    {"argmin", "c", [](const Arrays& a) -> Array { return argmin(a[0]); }},
    {"argmin_keep", "c", [](const Arrays& a) -> Array { return argmin(a[0], -1, {.keepdims = true}); }},
    {"cumsum", "x", [](const Arrays& a) -> Array { return cumsum(a[0], 1); }},
    {"cumsum_flat", "x", [](const Arrays& a) -> Array { return cumsum(a[0]); }},
    {"cumprod", "x", [](const Arrays& a) -> Array { return cumprod(a[0], 0); }},
    {"diff", "v", [](const Arrays& a) -> Array { return diff(a[0], 2); }},
    {"segment_sum", "v ids", [](const Arrays& a) -> Array { return segment_sum(a[0], a[1], 4); }},
    {"segment_rows", "d k", [](const Arrays& a) -> Array { return segment_sum(a[0], a[1], 3); }},
    {"segment_prod", "v ids", [](const Arrays& a) -> Array { return segment_prod(a[0], a[1], 4); }},
    {"segment_max", "v ids", [](const Arrays& a) -> Array { return segment_max(a[0], a[1], 4); }},
    {"segment_min", "v ids", [](const Arrays& a) -> Array { return segment_min(a[0], a[1], 4); }},
};
// clang-format on

TEST(Golden, Reductions) { check_golden(cases); }

}  // namespace
}  // namespace baton
