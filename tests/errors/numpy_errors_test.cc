// numpy_errors: what the functions of jax.numpy, jax.nn and jax.numpy.linalg say to arguments that do not
// fit.
#include "errors.h"

namespace baton {
namespace {

const Array x = zeros({2, 3}), v = zeros({3}), s = zeros({}), i = Array({0, 1});
const Array z = zeros({2}, c64);

TEST(NumpyMessages, Elementwise) {
  SAYS(negative(x > 0),
       "negative: numbers are required, found bool[2,3].\n"
       "  Use logical_not.");
  SAYS(-(x > 0),
       "negative: numbers are required, found bool[2,3].\n"
       "  Use logical_not.");
  SAYS(copysign(z, 1), "copysign: real operands are required, found c64[2].");
  SAYS(clip(z, 0, 1), "clip: real operands are required, found c64[2].");
  SAYS(relu(z), "relu: real operands are required, found c64[2].");
  SAYS(softmax(z), "softmax: real operands are required, found c64[2].");
  SAYS(logsumexp(z), "logsumexp: real operands are required, found c64[2].");
  SAYS(glu(x), "glu: an axis of even extent is required, found axis 1 of f32[2,3].");
  SAYS(one_hot(i, -1), "one_hot: 0 or more classes are required, found -1.");
}

TEST(NumpyMessages, Reductions) {
  SAYS(max(x, {}, {.where = x > 0}),
       "max: a mask needs a result for no elements.\n"
       "  Give it: {.initial = ..., .where = mask}.");
  SAYS(min(zeros({0})),
       "min: an axis with elements is required, found f32[0] axis 0.\n"
       "  Give the result for no elements: {.initial = ...}.");
  SAYS(mean(x, {}, {.initial = 1}), "mean: a mean has no initial value.");
  SAYS(diff(x, -1), "diff: the order must not be negative, found -1.");
  SAYS(segment_sum(v, i, 2),
       "segment_sum: one id is required for each slice of the data, found f32[3] and ids s32[2].");
  SAYS(segment_max(x, Array({0, 1, 2}), 2),
       "segment_max: one id is required for each slice of the data, found f32[2,3] and ids s32[3].");
  SAYS(segment_sum(i, i, -1), "segment_sum: 0 or more segments are required, found -1.");
}

TEST(NumpyMessages, Shapes) {
  SAYS(reshape(x, {-1, -1}), "reshape: one extent may be -1, found (-1,-1).");
  SAYS(moveaxis(x, {0, 1}, {0}),
       "moveaxis: as many destinations as sources are required, found (0,1) and (0).");
  SAYS(expand_dims(x, {}), "expand_dims: the axes must be given.");
  SAYS(concatenate({}), "concatenate: at least one array is required, found none.");
  SAYS(stack({}), "stack: at least one array is required, found none.");
  SAYS(vstack({}), "vstack: at least one array is required, found none.");
  SAYS(hstack({}), "hstack: at least one array is required, found none.");
  SAYS(tile(x, {2, -1}), "tile: repeats must not be negative, found (2,-1).");
  SAYS(repeat(x, -1), "repeat: repeats must not be negative, found -1.");
  SAYS(pad(x, {{1, 1}, {1, 1}, {1, 1}}),
       "pad: one pair of widths is required, or one for each axis of f32[2,3], found 3 pairs.");
  SAYS(pad(x, {{-1, 1}}),
       "pad: widths must not be negative, found (-1,1).\n"
       "  Index with ranges.");
  SAYS(tril(v), "tril: at least two axes are required, found f32[3].");
  SAYS(triu(s), "triu: at least two axes are required, found f32[].");
  SAYS(diagonal(x, 0, 1, -1), "diagonal: two axes are required, found one of f32[2,3].");
  SAYS(diag(s), "diag: a vector or a matrix is required, found f32[].");
  SAYS(transpose(x, {0}), "transpose: the permutation must hold each axis of f32[2,3] once, found (0).");
  SAYS(swapaxes(x, 0, 2), "swapaxes: axis 2 is out of range for f32[2,3].");
  SAYS(flip(x, 2), "flip: axis 2 is out of range for f32[2,3].");
  SAYS(roll(x, 1, 2), "roll: axis 2 is out of range for f32[2,3].");
  SAYS(split(x, 0),
       "split: axis 0 of f32[2,3] cannot be cut into 0 equal parts.\n"
       "  Say where to cut: split(x, {2, 5}).");
}

TEST(NumpyMessages, NewArrays) {
  SAYS(zeros({-1}), "zeros: extents must not be negative, found (-1).");
  SAYS(ones({2, -3}), "ones: extents must not be negative, found (2,-3).");
  SAYS(full({-1}, 0), "full: extents must not be negative, found (-1).");
  SAYS(full({4}, v),
       "full: shapes must broadcast, found (3) and (4).\n"
       "  Counted from the last axis, extents must be equal or 1.");
  SAYS(full({1}, v), "full: the value f32[3] must broadcast to the shape (1).");
  SAYS(full({}, v), "full: the value f32[3] must broadcast to the shape ().");
  SAYS(eye(-1), "eye: extents must not be negative, found (-1,-1).");
  SAYS(arange(0, 1, 0), "arange: a step other than 0 is required.");
  SAYS(linspace(0, 1, -1), "linspace: a count of 0 or more is required, found -1.");
  SAYS(meshgrid({v, x}), "meshgrid: vectors are required, found f32[2,3].");
  SAYS(diag(v, std::numeric_limits<int>::max()),
       "diag: the shape (2147483650,2147483650) has too many elements.");
}

TEST(NumpyMessages, NumbersBeyondAShape) {
  constexpr int far = std::numeric_limits<int>::max();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  SAYS(sum(x, far), "sum: axis 2147483647 is out of range for f32[2,3].");
  SAYS(diff(x, 1, far), "diff: axis 2147483647 is out of range for f32[2,3].");
  SAYS(reshape(v, {-1, most, most}),
       "reshape: the shape (1,9223372036854775807,9223372036854775807) has too many elements.");
  SAYS(reshape(v, {-1, 0}), "reshape: the 3 elements of f32[3] do not fill the shape (-1,0).");
  SAYS(reshape(v, {-1, -3}), "reshape: an extent of the shape (1,-3) is negative.");
  SAYS(repeat(v, most), "repeat: the shape (1152921504606846976) has too many elements.");
  SAYS(pad(v, {{most, most}}), "pad: 9223372036854775807 for high is beyond what a shape can have.");
  SAYS(one_hot(i, most), "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
  SAYS(linspace(0, 1, most),
       "broadcast_in_dim: 9223372036854775806 for shape is beyond what a shape can have.");
  SAYS(segment_sum(i, i, most),
       "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
  SAYS(zeros({most, 2}), "zeros: the shape (9223372036854775807,2) has too many elements.");
  SAYS(full({most, 2}, 1), "full: the shape (9223372036854775807,2) has too many elements.");
  SAYS(broadcast_to(1, {most}),
       "broadcast_in_dim: 9223372036854775807 for shape is beyond what a shape can have.");
}

TEST(NumpyMessages, Numbers) {
  SAYS(i.at(0).set(std::nan("")),
       "at().set: the value must fit into s32, found f32[].\n"
       "  Convert one with astype.");
  SAYS(full_like(i, 1e30),
       "the number 1e+30 is not a value of s32, the dtype of the array beside it.\n"
       "  Convert the array with astype, or write a number of its dtype.");
  SAYS(full_like(i, 2147483648.0),
       "the number 2147483648.0 is not a value of s32, the dtype of the array beside it.\n"
       "  Convert the array with astype, or write a number of its dtype.");
  SAYS(full_like(v, std::complex<double>(1, 2)),
       "the number (1.0,2.0) is not a value of f32, the dtype of the array beside it.\n"
       "  Convert the array with astype, or write a number of its dtype.");
  SAYS(astype(i, u8) + 300, "the number 300 is not a value of u8, the dtype of the array beside it.");
  SAYS(astype(i, u8) + -2, "the number -2 is not a value of u8, the dtype of the array beside it.");
  SAYS(i + (std::int64_t{1} << 40),
       "the number 1099511627776 is not a value of s32, the dtype of the array beside it.");
}

TEST(NumpyMessages, ByIndex) {
  SAYS(take_along_axis(x, i),
       "take_along_axis: array and indices must have as many axes, found f32[2,3] and s32[2].");
  SAYS(take_along_axis(x, x),
       "take_along_axis: indices must be integers, found f32[2,3].\n"
       "  Convert them with astype(i, s32).");
  SAYS(searchsorted(x, 1), "searchsorted: a sorted vector is required, found f32[2,3].");
  SAYS(interp(x, x, x),
       "interp: two vectors of one length, at least 1, are required, found f32[2,3] and f32[2,3].");
  SAYS(interp(0.5, v, zeros({2})),
       "interp: two vectors of one length, at least 1, are required, found f32[3] and f32[2].");
  SAYS(interp(0.5, zeros({0}), zeros({0})),
       "interp: two vectors of one length, at least 1, are required, found f32[0] and f32[0].");
}

TEST(NumpyMessages, Products) {
  SAYS(tensordot(x, x, 3), "tensordot: the number of axes must be from 0 to the rank of f32[2,3], found 3.");
  SAYS(tensordot(x, x, -1),
       "tensordot: the number of axes must be from 0 to the rank of f32[2,3], found -1.");
  SAYS(cross(zeros({4}), zeros({4})),
       "cross: vectors of three elements are required, found f32[4] and f32[4].");
  SAYS(linalg::matrix_transpose(v),
       "linalg::matrix_transpose: at least two axes are required, found f32[3].");
  SAYS(linalg::trace(v), "linalg::trace: at least two axes are required, found f32[3].");
  SAYS(linalg::inv(v), "linalg::inv: a matrix, or a batch of them, is required, found f32[3].");
  SAYS(linalg::svd(s), "linalg::svd: a matrix, or a batch of them, is required, found f32[].");
  SAYS(linalg::norm(zeros({2, 2, 2}), linalg::Norm::one),
       "linalg::norm: one axis (vectors) or two (matrices) are required, found 3 for f32[2,2,2].");
  SAYS(linalg::norm(s, linalg::Norm::two),
       "linalg::norm: one axis (vectors) or two (matrices) are required, found 0 for f32[].");
  SAYS(linalg::norm(v, linalg::Norm::nuclear),
       "linalg::norm: this norm is of matrices; two axes are required, found one of f32[3].");
}

TEST(NumpyMessages, Attention) {
  const Array q = zeros({2, 3, 4, 8}), k = zeros({2, 5, 2, 8});
  SAYS(dot_product_attention(q, zeros({2, 5, 2, 4}), zeros({2, 5, 2, 4})),
       "dot_product_attention: query and key must have one batch B and one head size H, found query "
       "f32[2,3,4,8], key f32[2,5,2,4] and value f32[2,5,2,4].");
  SAYS(dot_product_attention(q, k, zeros({2, 5, 2, 8}, f64)),
       "dot_product_attention: query, key and value must have one dtype, found f32[2,3,4,8], f32[2,5,2,8] "
       "and f64[2,5,2,8].\n"
       "  Convert one with astype.");
  SAYS(dot_product_attention(q, k, k, {.query_seq_lengths = Array({1.f, 2.f})}),
       "dot_product_attention: lengths must be integers, one for each of the 2 entries of the batch, found "
       "f32[2].");
  SAYS(dot_product_attention(q, k, k, {.key_value_seq_lengths = Array(3)}),
       "dot_product_attention: lengths must be integers, one for each of the 2 entries of the batch, found "
       "s32[].");
  SAYS(dot_product_attention(q, k, k, {.key_value_seq_lengths = Array({3, 1, 2})}),
       "dot_product_attention: lengths must be integers, one for each of the 2 entries of the batch, found "
       "s32[3].");
}

}  // namespace
}  // namespace baton
