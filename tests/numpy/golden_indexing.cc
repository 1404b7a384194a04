// golden_indexing: Choosing elements by index: take, sort, x.at(...).
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"take", "d k", [](const Arrays& a) -> Array { return take(a[0], a[1], 0); }},
    {"take_flat", "x kk", [](const Arrays& a) -> Array { return take(a[0], a[1]); }},
    {"take_fill", "v far", [](const Arrays& a) -> Array { return take(a[0].at(range(4)), a[1]); }},
    {"take_clip", "v far", [](const Arrays& a) -> Array { return take(a[0].at(range(4)), a[1], {}, {.mode = IndexMode::clip}); }},
    {"take_wrap", "v far", [](const Arrays& a) -> Array { return take(a[0].at(range(4)), a[1], {}, {.mode = IndexMode::wrap}); }},
    {"take_along", "x kk", [](const Arrays& a) -> Array { return take_along_axis(a[0], a[1], 1); }},
    {"take_along_rows", "d", [](const Arrays& a) -> Array { return take_along_axis(a[0], Array({0, 1, 3}, {1, 3}), 0); }},
    {"searchsorted", "t v", [](const Arrays& a) -> Array { return searchsorted(a[0], a[1]); }},
    {"searchsorted_right", "t v", [](const Arrays& a) -> Array { return searchsorted(a[0], a[1], true); }},
    {"sort", "x", [](const Arrays& a) -> Array { return sort(a[0]); }},
    {"sort_descending", "x", [](const Arrays& a) -> Array { return sort(a[0], 0, {.descending = true}); }},
    {"argsort", "v", [](const Arrays& a) -> Array { return argsort(a[0]); }},
    {"argsort_descending", "v", [](const Arrays& a) -> Array { return argsort(a[0], -1, {.descending = true}); }},
    {"interp", "z t w6", [](const Arrays& a) -> Array { return interp(a[0], a[1], a[2]); }},
    {"interp_ends", "z t w6", [](const Arrays& a) -> Array { return interp(a[0], a[1], a[2], {.left = -9, .right = 9}); }},
    {"at_integer", "c", [](const Arrays& a) -> Array { return a[0].at(1); }},
    {"at_negative", "c", [](const Arrays& a) -> Array { return a[0].at(-1, all, -2); }},
    {"at_ranges", "c", [](const Arrays& a) -> Array { return a[0].at(all, range(1, -1), range({}, {}, 2)); }},
    {"at_backwards", "v", [](const Arrays& a) -> Array { return a[0].at(range({}, {}, -1)); }},
    {"at_back_step", "v", [](const Arrays& a) -> Array { return a[0].at(range(6, 1, -2)); }},
    {"at_empty", "v", [](const Arrays& a) -> Array { return a[0].at(range(5, 2)); }},
    {"at_newaxis", "x", [](const Arrays& a) -> Array { return a[0].at(all, newaxis, 1); }},
    {"at_ellipsis", "c", [](const Arrays& a) -> Array { return a[0].at(ellipsis, 0); }},
    {"at_array", "d k", [](const Arrays& a) -> Array { return a[0].at(a[1]); }},
    {"at_two_arrays", "c k", [](const Arrays& a) -> Array { return a[0].at(all, Array(a[1].at(range(3))), Array(a[1].at(range(1, {})))); }},
    {"at_apart", "c k", [](const Arrays& a) -> Array { return a[0].at(0, all, a[1]); }},
    {"at_apart_outer", "c kk", [](const Arrays& a) -> Array { return a[0].at(mod(a[1], 2), range(1, {}), a[1]); }},
    {"at_new_between", "c kk", [](const Arrays& a) -> Array { return a[0].at(mod(a[1], 2), newaxis, a[1]); }},
    {"at_array_part", "c kk", [](const Arrays& a) -> Array { return a[0].at(range({}, {}, -1), a[1], range(1, 3)); }},
    {"at_far", "v far", [](const Arrays& a) -> Array { return Array(a[0].at(range(4))).at(a[1]); }},
    {"at_scalar_array", "d k", [](const Arrays& a) -> Array { return a[0].at(Array(a[1].at(0))); }},
    {"at_scalars", "c k", [](const Arrays& a) -> Array { return a[0].at(Array(a[1].at(1)), all, Array(a[1].at(2))); }},
    {"at_get_fill", "v far", [](const Arrays& a) -> Array { return a[0].at(a[1]).get({.mode = IndexMode::fill, .fill_value = -1}); }},
    {"set_integer", "c", [](const Arrays& a) -> Array { return a[0].at(1).set(2); }},
    {"set_range", "c d", [](const Arrays& a) -> Array { return a[0].at(all, all, range(1, 3)).set(a[1].at(range(3), range(2))); }},
    {"set_step", "c", [](const Arrays& a) -> Array { return a[0].at(all, range({}, {}, 2)).set(5); }},
    {"set_back", "v r", [](const Arrays& a) -> Array { return a[0].at(range(4, 1, -1)).set(a[1]); }},
    {"set_rows", "d r k", [](const Arrays& a) -> Array { return a[0].at(Array(a[2].at(range(2)))).set(a[1]); }},
    {"set_dropped", "v far", [](const Arrays& a) -> Array { return a[0].at(a[1] * 3).set(9); }},
    {"set_clip", "v far", [](const Arrays& a) -> Array { return a[0].at(a[1] * 3).set(9, {.mode = IndexMode::clip}); }},
    {"set_far_integer", "v", [](const Arrays& a) -> Array { return a[0].at(11).set(9); }},
    {"set_column", "c", [](const Arrays& a) -> Array { return a[0].at(ellipsis, 1).set(a[0].at(ellipsis, 0)); }},
    {"set_mixed", "c kk", [](const Arrays& a) -> Array { return a[0].at(mod(a[1], 2), range(1, {}), a[1]).set(a[0].at(range(1), range(2), range(2)) * 2); }},
    {"set_step_array", "c k", [](const Arrays& a) -> Array { return a[0].at(all, range({}, {}, 2), a[1]).set(4); }},
    {"add_rows", "d r kk", [](const Arrays& a) -> Array { return a[0].at(a[2]).add(a[1]); }},
    {"add_twice", "v", [](const Arrays& a) -> Array { return a[0].at(Array({1, 1, 2})).add(Array({1.f, 2.f, 4.f})); }},
    {"add_integer", "x", [](const Arrays& a) -> Array { return a[0].at(0, 1).add(a[0].at(1, 2)); }},
    {"sub_range", "x r", [](const Arrays& a) -> Array { return a[0].at(all, range(1, {})).subtract(a[1].at(range(2))); }},
    {"mul_array", "v k", [](const Arrays& a) -> Array { return a[0].at(a[1]).mul(3); }},
    {"mul_range", "x", [](const Arrays& a) -> Array { return a[0].at(0).mul(a[0].at(1)); }},
    {"div_array", "v k", [](const Arrays& a) -> Array { return a[0].at(a[1]).div(2); }},
    {"min_array", "v k", [](const Arrays& a) -> Array { return a[0].at(a[1]).min(1.5); }},
    {"max_range", "x", [](const Arrays& a) -> Array { return a[0].at(all, 1).max(0.25); }},
};
// clang-format on

TEST(Golden, Indexing) { check_golden(cases); }

}  // namespace
}  // namespace baton
