#!/usr/bin/env python3
"""make_numpy: writes numpy.json, the values and gradients that JAX gives for the cases of tests/numpy/golden_*.cc.

usage: tests/golden/make_numpy.py > tests/data/numpy.json        needs jax 0.10.2

A case is a name, the names of its inputs and an expression in them. Gradients are those of sum(w * result) with
w = cos(0, 1, 2, ...), in every floating input; "-" before the inputs leaves them out: where there are none, or where
ours differ (JAX has none of a read that was moved into bounds).
"""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax import nn


def wave(f, *shape):
    return f(np.arange(np.prod(shape), dtype=np.float64)).reshape(shape).astype(np.float32)


INPUTS = {
    "x": np.float32([[0.5, -1.25, 2.0], [-0.75, 1.5, -2.25]]),
    "y": np.float32([[1.5, 0.25, -0.5], [2.5, -1.0, 0.75]]),
    "p": np.float32([[0.5, 1.25, 2.0], [0.75, 1.5, 2.25]]),
    "u": np.float32([[0.5, -0.25, 0.125], [-0.75, 0.3, 0.9]]),
    "r": np.float32([1.0, -2.0, 0.5]),
    "i": np.int32([[7, -7, 3], [-4, 5, 0]]),
    "j": np.int32([[2, 2, -3], [-3, -2, 5]]),
    "b": np.array([[True, False, True], [False, False, True]]),
    "c": wave(np.sin, 2, 3, 4),
    "d": wave(np.cos, 4, 3),
    "e": wave(np.cos, 2, 4, 5),
    "m": wave(np.sin, 2, 3, 3) + 2 * np.eye(3, dtype=np.float32),
    "s": np.float32([[4, 1, 0.5], [1, 3, -0.25], [0.5, -0.25, 2]]),
    "f4": wave(np.cos, 4, 4) + 2 * np.eye(4, dtype=np.float32),
    "k": np.int32([2, 0, -1, 1]),
    "kk": np.int32([[2, 0], [1, -1]]),
    "far": np.int32([1, 5, -7]),
    "ids": np.int32([0, 2, 0, 1, 2, 5, -1, 0]),
    "v": np.float32([3, 1, 2, 1, -5, 0, 2, 7]),
    "t": np.float32([-2, 0, 0.5, 1, 3, 4]),
    "z": np.float32([-3, 0.25, 0.75, 2, 5]),
    "w6": np.float32([1, -1, 0.5, 2, 4, 3]),
    "big": np.float32([[1000, 1001, 999], [-1000, -np.inf, -1002]]),
    "odd": np.float32([np.nan, np.inf, -np.inf, 1.5]),
    "Q": wave(np.sin, 2, 3, 4, 2),
    "K": wave(np.cos, 2, 5, 2, 2),
    "V": wave(lambda a: np.sin(2 * a), 2, 5, 2, 2),
    "K4": wave(np.cos, 2, 5, 4, 2),
    "V4": wave(lambda a: np.sin(3 * a), 2, 5, 4, 2),
    "bias": wave(np.sin, 1, 4, 3, 5),
    "edge": np.float32([-3, -1, 0, 1, 3, 6]),
    "seen": np.arange(15).reshape(1, 1, 3, 5) % 4 != 1,
    "qlen": np.int32([2, 3]),
    "klen": np.int32([4, 2]),
    # Numbers at the ends, for the cases of golden_edges.cc.
    # XLA makes 0 of numbers below 1e-38 and parts of products infinite: none of those.
    "spec": np.float32([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 2e37, -2e37, 1e-30]),
    "ints": np.int32([-(2**31), 2**31 - 1, -1, 0, 1, 7, -7, 31, 32]),
    "bytes": np.uint8([0, 1, 7, 128, 255]),
    "small": np.int8([-128, -1, 0, 1, 127]),
    "cz": np.complex64([1 + 2j, -1 - 2j, 0.5j, -0.5j, 2 + 1j, -2, 0, 3e9 + 3e9j]),
    "cm": np.complex64([[1 + 2j, -1], [0.5j, 2 - 1j]]),
    "none": np.zeros((0,), np.float32),
    "rows": np.zeros((2, 0), np.float32),
    "columns": np.zeros((0, 3), np.float32),
    "square": np.zeros((0, 0), np.float32),
    "nothing": np.zeros((0,), np.int32),
    "one": np.float32([[2.5]]),
    "nans": np.float32([[1, np.nan, -np.inf, np.nan], [0.0, -0.0, 3, -0.0]]),
}
CASES = """
add                x r            | x + r
add_int_float      i y            | i + y
add_bool           -b b           | b + b
subtract           r x            | r - x
multiply_number    x              | 2.5 * x
int_times_real     -i             | i * 2.5
divide             x y            | x / y
divide_int         -i j           | i / j
floor_divide       -x y           | x // y
floor_divide_int   -i j           | i // j
remainder          x y            | x % y
remainder_int      -i j           | i % j
fmod               -x y           | jnp.fmod(x, y)
power              p y            | p ** y
power_number       x              | x ** 3
power_negative     p              | p ** -2
power_int          -j k           | k[:3] ** jnp.abs(j)
maximum            x y            | jnp.maximum(x, y)
minimum            x r            | jnp.minimum(x, r)
atan2              x y            | jnp.arctan2(x, y)
hypot              x y            | jnp.hypot(x, y)
logaddexp          x y            | jnp.logaddexp(x, y)
copysign           -x y           | jnp.copysign(x, y)
heaviside          -x             | jnp.heaviside(x, 0.5)
less               -x y           | x < y
greater_equal      -i j           | i >= j
equal              -i j           | i == j
logical_and        -b x           | jnp.logical_and(b, x)
logical_xor        -b i           | jnp.logical_xor(b, i)
logical_not        -i             | jnp.logical_not(i)
right_shift        -i             | i >> 1
left_shift         -i             | i << 2
bitwise_not        -i             | ~i
exp_int            -j             | jnp.exp(j)
exp2               x              | jnp.exp2(x)
log2               p              | jnp.log2(p)
log10              p              | jnp.log10(p)
log1p              p              | jnp.log1p(p)
expm1              x              | jnp.expm1(x)
sqrt               p              | jnp.sqrt(p)
rsqrt              p              | jax.lax.rsqrt(p)
cbrt               p              | jnp.cbrt(p)
square             x              | jnp.square(x)
reciprocal         x              | jnp.reciprocal(x)
trigonometry       x              | jnp.sin(x) + jnp.cos(x) * jnp.tan(x)
inverses           u              | jnp.arcsin(u) + jnp.arccos(u) * jnp.arctan(u)
hyperbolic         x              | jnp.sinh(x) + jnp.cosh(x) * jnp.tanh(x)
hyper_inverses     u              | jnp.arcsinh(u) + jnp.arctanh(u)
acosh              p              | jnp.arccosh(p + 1)
erf                x              | jax.scipy.special.erf(x) * jax.scipy.special.erfc(x)
erf_inv            u              | jax.scipy.special.erfinv(u)
lgamma             p              | jax.scipy.special.gammaln(p)
digamma            p              | jax.scipy.special.digamma(p)
sign               -x             | jnp.sign(x)
abs                x              | jnp.abs(x)
floor              -x             | jnp.floor(x)
ceil               -x             | jnp.ceil(x)
trunc              -x             | jnp.trunc(x)
round              -x             | jnp.round(x)
round_decimals     -u             | jnp.round(u, 1)
isnan              -odd           | jnp.isnan(odd)
isinf              -odd           | jnp.isinf(odd)
isfinite           -odd           | jnp.isfinite(odd)
nan_to_num         -odd           | jnp.nan_to_num(odd, nan=2.0, neginf=-9.0)
where              b x r          | jnp.where(b, x, r)
where_number       b x            | jnp.where(b, x, 0)
clip               x              | jnp.clip(x, -1, 1.75)
isclose            -x             | jnp.isclose(x, x + jnp.float32([1e-7, 1e-3, 0]))
astype             -x             | x.astype(jnp.int32)
sum                x              | jnp.sum(x)
sum_axis           c              | jnp.sum(c, (0, -1))
sum_keep           c              | jnp.sum(c, 1, keepdims=True)
sum_where          x b            | jnp.sum(x, 0, where=b, initial=3)
sum_bool           -b             | jnp.sum(b, 1)
sum_none           c              | jnp.sum(c, ())
prod               x              | jnp.prod(x, 0)
mean               x              | jnp.mean(x, 0)
mean_int           -i             | jnp.mean(i)
mean_where         x              | jnp.mean(x, 1, where=jnp.array([True, False, True]))
var                c              | jnp.var(c, (0, 2))
var_ddof           c              | jnp.var(c, 1, ddof=1, keepdims=True)
stddev             x              | jnp.std(x, 1)
max                c              | jnp.max(c, 0)
min                c              | jnp.min(c)
max_where          x b            | jnp.max(x, 1, where=b, initial=-1)
any                -b             | jnp.any(b, 0)
all                -b             | jnp.all(b, 1)
argmax             -c             | jnp.argmax(c, 1)
argmin             -c             | jnp.argmin(c)
argmin_keep        -c             | jnp.argmin(c, -1, keepdims=True)
cumsum             x              | jnp.cumsum(x, 1)
cumsum_flat        x              | jnp.cumsum(x)
cumprod            x              | jnp.cumprod(x, 0)
diff               v              | jnp.diff(v, 2)
segment_sum        v ids          | jax.ops.segment_sum(v, ids, 4)
segment_rows       d k            | jax.ops.segment_sum(d, k, 3)
segment_prod       -v ids         | jax.ops.segment_prod(v, ids, 4)
segment_max        -v ids         | jax.ops.segment_max(v, ids, 4)
segment_min        -v ids         | jax.ops.segment_min(v, ids, 4)
reshape            c              | jnp.reshape(c, (4, -1))
ravel              x              | jnp.ravel(x)
transpose          c              | jnp.transpose(c)
transpose_axes     c              | jnp.transpose(c, (1, 0, 2))
swapaxes           c              | jnp.swapaxes(c, 0, -1)
moveaxis           c              | jnp.moveaxis(c, 0, 2)
moveaxis_two       c              | jnp.moveaxis(c, (0, 1), (-1, 0))
expand_dims        x              | jnp.expand_dims(x, (0, -1))
squeeze            c              | jnp.squeeze(c[:1, :, :1])
broadcast_to       r              | jnp.broadcast_to(r, (2, 2, 3))
concatenate        x y            | jnp.concatenate([x, y], 1)
concatenate_mixed  -i x           | jnp.concatenate([i, x])
stack              x y            | jnp.stack([x, y], -1)
vstack             x r            | jnp.vstack([x, r])
hstack             x y            | jnp.hstack([x, y])
split              c              | jnp.split(c, 2, 2)[1]
split_at           v              | jnp.split(v, [2, 5])[1]
tile               x              | jnp.tile(x, (2, 1, 2))
repeat             x              | jnp.repeat(x, 2, 1)
repeat_flat        x              | jnp.repeat(x, 3)
flip               x              | jnp.flip(x)
flip_axis          x              | jnp.flip(x, 1)
roll               x              | jnp.roll(x, 1, 1)
roll_flat          x              | jnp.roll(x, -2)
pad                x              | jnp.pad(x, ((1, 0), (0, 2)), constant_values=3)
tril               c              | jnp.tril(c, 1)
triu               m              | jnp.triu(m)
diag               s              | jnp.diag(s, 1)
diag_make          r              | jnp.diag(r, -1)
diagonal           c              | jnp.diagonal(c, 1, 0, 2)
eye                -              | jnp.eye(3, 4, 1)
arange             -              | jnp.arange(2, 9, 3)
arange_real        -              | jnp.arange(1, 2, 0.25)
linspace           -              | jnp.linspace(0, 1, 5)
linspace_open      r              | jnp.linspace(r, 2, 4, endpoint=False)
meshgrid           r k            | jnp.meshgrid(r, k)[0]
full               -              | jnp.full((2, 2), 7)
matmul             x d            | jnp.matmul(x, d.T)
matmul_vector      c              | jnp.matmul(c, jnp.float32([1, 2, 3, 4]))
matmul_row         c r            | jnp.matmul(r, c)
matmul_batch       c e            | jnp.matmul(c, e)
matmul_broadcast   c d            | jnp.matmul(c[:, None], d[None])
matmul_outer_batch c d            | jnp.matmul(c[:, None], jnp.stack([d, d * 2, d + 1]))
dot                c d            | jnp.dot(c, d)
vdot               x y            | jnp.vdot(x, y)
vecdot             x r            | jnp.vecdot(x, r)
inner              x y            | jnp.inner(x, y)
outer              r v            | jnp.outer(r, v)
tensordot          c e            | jnp.tensordot(c, e, ((0, 2), (0, 1)))
tensordot_two      c              | jnp.tensordot(c, jnp.moveaxis(c, 0, 2), 2)
einsum_matmul      x d            | jnp.einsum("ij,kj->ik", x, d)
einsum_implicit    x d            | jnp.einsum("ij,kj", x, d)
einsum_trace       s              | jnp.einsum("ii", s)
einsum_diagonal    m              | jnp.einsum("bii->bi", m)
einsum_ellipsis    c d            | jnp.einsum("...ij,jk->...ik", c, d)
einsum_dots_both   c e            | jnp.einsum("...ij,...jk", c, e)
einsum_three       x d r          | jnp.einsum("ij,kj,j->k", x, d, r)
einsum_sum         c              | jnp.einsum("abc->b", c)
einsum_order       c e            | jnp.einsum("bij,bjk->kbi", c, e)
einsum_broadcast   c              | jnp.einsum("...ij,...ij->...j", c, c[:1])
kron               x r            | jnp.kron(x, r)
cross              x y            | jnp.cross(x, y)
take               d k            | jnp.take(d, k, 0)
take_flat          x kk           | jnp.take(x, kk)
take_fill          -v far         | jnp.take(v[:4], far)
take_clip          v far          | jnp.take(v[:4], far, mode="clip")
take_wrap          v far          | jnp.take(v[:4], far, mode="wrap")
take_along         x kk           | jnp.take_along_axis(x, kk, 1)
take_along_rows    d              | jnp.take_along_axis(d, jnp.int32([[0, 1, 3]]), 0)
searchsorted       -t v           | jnp.searchsorted(t, v)
searchsorted_right -t v           | jnp.searchsorted(t, v, side="right")
sort               x              | jnp.sort(x)
sort_descending    x              | jnp.sort(x, 0, descending=True)
argsort            -v             | jnp.argsort(v)
argsort_descending -v             | jnp.argsort(v, descending=True)
interp             z t w6         | jnp.interp(z, t, w6)
interp_ends        z t w6         | jnp.interp(z, t, w6, left=-9, right=9)
at_integer         c              | c[1]
at_negative        c              | c[-1, :, -2]
at_ranges          c              | c[:, 1:-1, ::2]
at_backwards       v              | v[::-1]
at_back_step       v              | v[6:1:-2]
at_empty           v              | v[5:2]
at_newaxis         x              | x[:, None, 1]
at_ellipsis        c              | c[..., 0]
at_array           d k            | d[k]
at_two_arrays      c k            | c[:, k[:3], k[1:]]
at_apart           c k            | c[0, :, k]
at_apart_outer     c kk           | c[kk % 2, 1:, kk]
at_new_between     c kk           | c[kk % 2, None, kk]
at_array_part      c kk           | c[::-1, kk, 1:3]
at_far             -v far         | v[:4][far]
at_scalar_array    d k            | d[k[0]]
at_scalars         c k            | c[k[1], :, k[2]]
at_get_fill        -v far         | v.at[far].get(mode="fill", fill_value=-1)
set_integer        c              | c.at[1].set(2)
set_range          c d            | c.at[:, :, 1:3].set(d[:3, :2])
set_step           c              | c.at[:, ::2].set(5)
set_back           v r            | v.at[4:1:-1].set(r)
set_rows           d r k          | d.at[k[:2]].set(r)
set_dropped        v far          | v.at[far * 3].set(9)
set_clip           v far          | v.at[far * 3].set(9, mode="clip")
set_far_integer    -v             | v.at[11].set(9)
set_column         c              | c.at[..., 1].set(c[..., 0])
set_mixed          c kk           | c.at[kk % 2, 1:, kk].set(c[:1, :2, :2] * 2)
set_step_array     c k            | c.at[:, ::2, k].set(4)
add_rows           d r kk         | d.at[kk].add(r)
add_twice          v              | v.at[jnp.int32([1, 1, 2])].add(jnp.float32([1, 2, 4]))
add_integer        x              | x.at[0, 1].add(x[1, 2])
sub_range          x r            | x.at[:, 1:].subtract(r[:2])
mul_array          v k            | v.at[k].mul(3)
mul_range          x              | x.at[0].mul(x[1])
div_array          v k            | v.at[k].divide(2)
min_array          v k            | v.at[k].min(1.5)
max_range          x              | x.at[:, 1].max(0.25)
norm               c              | jnp.linalg.norm(c)
norm_axis          c              | jnp.linalg.norm(c, axis=1)
norm_matrix        c              | jnp.linalg.norm(c, axis=(0, 2), keepdims=True)
norm_one           x              | jnp.linalg.norm(x, 1)
norm_inf           r              | jnp.linalg.norm(r, jnp.inf)
norm_nuclear       x              | jnp.linalg.norm(x, "nuc")
norm_spectral      x              | jnp.linalg.norm(x, 2)
solve              m x            | jnp.linalg.solve(m, x[..., None])
solve_vector       s r            | jnp.linalg.solve(s, r)
solve_broadcast    s c            | jnp.linalg.solve(s, c)
inv                m              | jnp.linalg.inv(m)
pinv               x              | jnp.linalg.pinv(x)
det                m              | jnp.linalg.det(m)
det_four           f4             | jnp.linalg.det(f4)
det_two            s              | jnp.linalg.det(s[:2, :2])
slogdet            f4             | jnp.linalg.slogdet(f4)[1]
slogdet_sign       -m             | jnp.linalg.slogdet(-m)[0]
cholesky           s              | jnp.linalg.cholesky(s)
eigvalsh           s              | jnp.linalg.eigvalsh(s)
svdvals            x              | jnp.linalg.svdvals(x)
matrix_power       m              | jnp.linalg.matrix_power(m, 5)
matrix_power_neg   s              | jnp.linalg.matrix_power(s, -2)
trace              c              | jnp.trace(c, 1, 1, 2)
relu               x              | nn.relu(x)
relu6              x              | nn.relu6(x * 4)
leaky_relu         x              | nn.leaky_relu(x, 0.2)
elu                x              | nn.elu(x)
selu               x              | nn.selu(x)
celu               x              | nn.celu(x, 2.0)
gelu               x              | nn.gelu(x)
gelu_exact         x              | nn.gelu(x, approximate=False)
silu               x              | nn.silu(x)
mish               x              | nn.mish(x)
softplus           x              | nn.softplus(x)
soft_sign          x              | nn.soft_sign(x)
sigmoid            x              | nn.sigmoid(x)
log_sigmoid        x              | nn.log_sigmoid(x)
hard_tanh          x              | nn.hard_tanh(x)
hard_sigmoid       x              | nn.hard_sigmoid(x * 2)
hard_silu          x              | nn.hard_silu(x * 2)
squareplus         x              | nn.squareplus(x)
sparse_plus        x              | nn.sparse_plus(x)
sparse_sigmoid     x              | nn.sparse_sigmoid(x)
log1mexp           p              | nn.log1mexp(p)
glu                c              | nn.glu(c, 2)
one_hot            -k             | nn.one_hot(k, 3)
one_hot_axis       -kk            | nn.one_hot(kk, 3, axis=0)
softmax            c              | nn.softmax(c, (0, 1))
softmax_where      x b            | nn.softmax(x, 0, where=b | jnp.array([False, True, False]))
softmax_large      -big           | nn.softmax(big)
log_softmax        c              | nn.log_softmax(c)
log_softmax_large  -big           | nn.log_softmax(big[:1])
logsumexp          c              | nn.logsumexp(c, (0, 2))
logsumexp_large    big            | nn.logsumexp(big, 1)
logsumexp_weights  x p            | nn.logsumexp(x, 1, b=p, keepdims=True)
logsumexp_where    x b            | nn.logsumexp(x, 1, where=b)
standardize        c              | nn.standardize(c, (1, 2))
edge_relu          edge           | nn.relu(edge)
edge_relu6         edge           | nn.relu6(edge)
edge_hard_tanh     edge           | nn.hard_tanh(edge)
edge_leaky_relu    edge           | nn.leaky_relu(edge)
edge_elu           edge           | nn.elu(edge)
edge_celu          edge           | nn.celu(edge)
edge_selu          edge           | nn.selu(edge)
edge_hard_sigmoid  edge           | nn.hard_sigmoid(edge)
edge_sparse_plus   edge           | nn.sparse_plus(edge)
edge_sparse_sigmoid edge           | nn.sparse_sigmoid(edge)
edge_squareplus    edge           | nn.squareplus(edge)
edge_softplus      edge           | nn.softplus(edge)
attention          Q K4 V4        | nn.dot_product_attention(Q, K4, V4)
attention_causal   Q K4 V4        | nn.dot_product_attention(Q, K4, V4, is_causal=True, scale=0.5)
attention_groups   Q K V          | nn.dot_product_attention(Q, K, V)
attention_bias     Q K V bias     | nn.dot_product_attention(Q, K, V, bias=bias)
attention_mask     Q K V seen     | nn.dot_product_attention(Q, K, V, mask=seen)
attention_lengths  Q K V qlen klen| nn.dot_product_attention(Q, K, V, query_seq_lengths=qlen, key_value_seq_lengths=klen)
attention_window   Q K4 V4        | nn.dot_product_attention(Q, K4, V4, local_window_size=(1, 0))
attention_single   Q K4 V4        | nn.dot_product_attention(Q[0], K4[0], V4[0])
"""

# name: expression in x (and y), asked of every input in the list; case edge_<name>_<input>.
UNARY = {"spec cz": """
exp jnp.exp(x)|expm1 jnp.expm1(x)|log jnp.log(x)|log1p jnp.log1p(x)|sqrt jnp.sqrt(x)
square jnp.square(x)|reciprocal jnp.reciprocal(x)|sin jnp.sin(x)|cos jnp.cos(x)|tan jnp.tan(x)|asin jnp.arcsin(x)
acos jnp.arccos(x)|atan jnp.arctan(x)|sinh jnp.sinh(x)|cosh jnp.cosh(x)|tanh jnp.tanh(x)|asinh jnp.arcsinh(x)
acosh jnp.arccosh(x)|atanh jnp.arctanh(x)|sign jnp.sign(x)|abs jnp.abs(x)|isnan jnp.isnan(x)|isinf jnp.isinf(x)
isfinite jnp.isfinite(x)|nan_to_num jnp.nan_to_num(x)|log2 jnp.log2(x)|log10 jnp.log10(x)|negative -x|sum jnp.sum(x)
prod jnp.prod(x)|mean jnp.mean(x)|sort jnp.sort(x)|argsort jnp.argsort(x)|cumsum jnp.cumsum(x)|cumprod jnp.cumprod(x)
""", "spec": """
exp2 jnp.exp2(x)|rsqrt jax.lax.rsqrt(x)|cbrt jnp.cbrt(x)|erf jax.scipy.special.erf(x)|erfc jax.scipy.special.erfc(x)|floor jnp.floor(x)
erf_inv jax.scipy.special.erfinv(x)|lgamma jax.scipy.special.gammaln(x)|digamma jax.scipy.special.digamma(x)
ceil jnp.ceil(x)|trunc jnp.trunc(x)|round jnp.round(x)|round_one jnp.round(x, 1)|relu nn.relu(x)|relu6 nn.relu6(x)
leaky_relu nn.leaky_relu(x)|elu nn.elu(x)|selu nn.selu(x)|celu nn.celu(x)|gelu nn.gelu(x)|silu nn.silu(x)
gelu_exact nn.gelu(x, approximate=False)|softplus nn.softplus(x)|soft_sign nn.soft_sign(x)|sigmoid nn.sigmoid(x)
log_sigmoid nn.log_sigmoid(x)|hard_tanh nn.hard_tanh(x)|hard_sigmoid nn.hard_sigmoid(x)|hard_silu nn.hard_silu(x)
squareplus nn.squareplus(x)|sparse_plus nn.sparse_plus(x)|sparse_sigmoid nn.sparse_sigmoid(x)|mish nn.mish(x)
log1mexp nn.log1mexp(x)|max jnp.max(x)|min jnp.min(x)|argmax jnp.argmax(x)|argmin jnp.argmin(x)|clip jnp.clip(x, -1, 1)
to_int x.astype(jnp.int32)|to_byte x.astype(jnp.uint8)|to_bool x.astype(bool)|softmax nn.softmax(x)
""", "ints small bytes": """
abs jnp.abs(x)|sign jnp.sign(x)|square jnp.square(x)|negative -x|sum jnp.sum(x)|prod jnp.prod(x)|mean jnp.mean(x)
cumsum jnp.cumsum(x)|cumprod jnp.cumprod(x)|max jnp.max(x)|argmin jnp.argmin(x)|sort jnp.sort(x)|floor jnp.floor(x)
reciprocal jnp.reciprocal(x * 1.0)|cube x ** 3|to_real x.astype(jnp.float32)|to_small x.astype(jnp.int8)|exp jnp.exp(x)
to_bool x.astype(bool)|invert ~x|sqrt jnp.sqrt(x)|var jnp.var(x)|isnan jnp.isnan(x)|to_word x.astype(jnp.uint32)
""", "nans": """
max_rows jnp.max(x, 1)|min_rows jnp.min(x, 1)|argmax_rows jnp.argmax(x, 1)|argmin_rows jnp.argmin(x, 1)
sort_rows jnp.sort(x, 1)|sort_falling jnp.sort(x, 1, descending=True)|argsort_rows jnp.argsort(x, 1)|any jnp.any(x, 0)
argsort_falling jnp.argsort(x, 1, descending=True)|softmax_rows nn.softmax(x, 1)|logsumexp_rows nn.logsumexp(x, 1)
all jnp.all(x, 0)|top jax.lax.top_k(x, 3)[0]|top_index jax.lax.top_k(x, 3)[1]|cummax jax.lax.cummax(x, 1)|diff jnp.diff(x)
cummin jax.lax.cummin(x, 1)|logcumsumexp jax.lax.cumlogsumexp(x, 1)|norm jnp.linalg.norm(x, axis=1)
""", "none": """
sum jnp.sum(x)|prod jnp.prod(x)|mean jnp.mean(x)|var jnp.var(x)|sort jnp.sort(x)|argsort jnp.argsort(x)|any jnp.any(x)
all jnp.all(x)|cumsum jnp.cumsum(x)|cumprod jnp.cumprod(x)|diff jnp.diff(x)|max_given jnp.max(x, initial=2)|exp jnp.exp(x)
flip jnp.flip(x)|roll jnp.roll(x, 3)|tile jnp.tile(x, 2)|repeat jnp.repeat(x, 2)|pad jnp.pad(x, (1, 2))|norm jnp.linalg.norm(x)
diag jnp.diag(x)|diag_off jnp.diag(x, 1)|dot jnp.dot(x, x)|outer jnp.outer(x, x)|logsumexp nn.logsumexp(x)|stack jnp.stack([x, x])
searchsorted jnp.searchsorted(x, jnp.float32([1, 2]))|search_none jnp.searchsorted(jnp.float32([1, 2]), x)|slice x[1:3]
set x.at[:].set(1)|vander jnp.concatenate([x, jnp.float32([1])])|one_hot nn.one_hot(x.astype(jnp.int32), 3)|where jnp.where(x > 0, x, 1)
interp jnp.interp(x, jnp.float32([1, 2]), jnp.float32([1, 2]))|segment jax.ops.segment_sum(x, x.astype(jnp.int32), 2)|einsum jnp.einsum("i,j->ij", x, x)
""", "rows columns square": """
sum_first jnp.sum(x, 0)|sum_last jnp.sum(x, 1)|mean_first jnp.mean(x, 0)|mean_last jnp.mean(x, 1)|transpose x.T|ravel x.ravel()
gram x @ x.T|other x.T @ x|tril jnp.tril(x)|concatenate jnp.concatenate([x, x], 1)|sort_last jnp.sort(x, 1)|expand x[None, ..., None]
cumsum_first jnp.cumsum(x, 0)|tile jnp.tile(x, (2, 2))|repeat jnp.repeat(x, 2, 1)|pad jnp.pad(x, 1)|norm jnp.linalg.norm(x)|flip jnp.flip(x)
reshape x.reshape((0, 5))|any_last jnp.any(x, 1)|var_last jnp.var(x, 1)|logsumexp_last nn.logsumexp(x, 1)|softmax_first nn.softmax(x, 0)
prod_first jnp.prod(x, 0)|roll jnp.roll(x, 1, 0)|standardize nn.standardize(x)|stack jnp.stack([x, x], 2)|diagonal jnp.diagonal(x)|kron jnp.kron(x, x)
qr_q jnp.linalg.qr(x)[0]|qr_r jnp.linalg.qr(x)[1]|svdvals jnp.linalg.svdvals(x)|pinv jnp.linalg.pinv(x)|tensordot jnp.tensordot(x, x, 2)
""", "square": """
det jnp.linalg.det(x)|inv jnp.linalg.inv(x)|logdet jnp.linalg.slogdet(x)[1]|trace jnp.trace(x)|cholesky jnp.linalg.cholesky(x)
eigvalsh jnp.linalg.eigvalsh(x)|matrix_power jnp.linalg.matrix_power(x, 3)|solve jnp.linalg.solve(x, x)
""", "one": """
det jnp.linalg.det(x)|inv jnp.linalg.inv(x)|var jnp.var(x)|var_ddof jnp.var(x, ddof=1)|softmax nn.softmax(x)|diff jnp.diff(x)
argmax jnp.argmax(x)|cumsum jnp.cumsum(x, 1)|svdvals jnp.linalg.svdvals(x)|standardize nn.standardize(x)|cholesky jnp.linalg.cholesky(x)
""", "cm": """
det jnp.linalg.det(x)|sign jnp.linalg.slogdet(x)[0]|logdet jnp.linalg.slogdet(x)[1]|inv jnp.linalg.inv(x)|var jnp.var(x)|abs jnp.abs(x)
norm jnp.linalg.norm(x)|matmul x @ x|vdot jnp.vdot(x, x)|power x ** 3|power_real x ** 0.5|sort jnp.sort(x, 0)|max jnp.max(x)|min jnp.min(x, 1)
round jnp.round(x, 1)|prod jnp.prod(x, 1)|mean jnp.mean(x, 0)|std jnp.std(x, 1)|conj jnp.conj(x)|cumsum jnp.cumsum(x, 1)
"""}
BINARY = {"spec": """
add x + y|subtract x - y|multiply x * y|divide x / y|floor_divide x // y|remainder x % y|fmod jnp.fmod(x, y)|power x ** y
maximum jnp.maximum(x, y)|minimum jnp.minimum(x, y)|atan2 jnp.arctan2(x, y)|hypot jnp.hypot(x, y)|logaddexp jnp.logaddexp(x, y)
copysign jnp.copysign(x, y)|heaviside jnp.heaviside(x, y)|less x < y|equal x == y|greater_equal x >= y|not_equal x != y
isclose jnp.isclose(x, y)
""", "ints small bytes": """
add x + y|subtract x - y|multiply x * y|divide x / y|maximum jnp.maximum(x, y)|less x < y|hypot jnp.hypot(x, y)
left_shift jnp.left_shift(x, y)|right_shift jnp.right_shift(x, y)|bitwise_xor x ^ y|floor_divide jnp.where(y == 0, 0, x // jnp.where(y == 0, 1, y))
remainder jnp.where(y == 0, 0, x % jnp.where(y == 0, 1, y))|fmod jnp.where(y == 0, 0, jnp.fmod(x, jnp.where(y == 0, 1, y)))
""", "cz": """
add x + y|subtract x - y|equal x == y
""", "cm": """
multiply x * y|divide x / y|power x ** y
"""}


def edges():
    for table, unary in (UNARY, True), (BINARY, False):
        for inputs, text in table.items():
            for entry in text.strip().replace("\n", "|").split("|"):
                name, expression = entry.split(None, 1)
                for given in inputs.split():
                    f = eval(f"lambda x, y: {expression}", {"jnp": jnp, "jax": jax, "nn": nn})
                    x = jnp.asarray(INPUTS[given])
                    try:
                        out = f(x, None) if unary else f(x[..., None], x)
                    except (TypeError, ValueError, ZeroDivisionError) as error:
                        raise SystemExit(f"{name} of {given}: {error}")
                    yield f"edge_{name}_{given}" if unary else f"edge_{name}_{given}_both", plain(out)


def plain(a):
    a = np.asarray(a)
    dtype, shape = str(a.dtype), list(a.shape)
    if np.iscomplexobj(a):  # the two parts of each number
        a = np.stack([a.real, a.imag], -1)
    values = a.astype(np.float64).ravel() if a.dtype != bool else a.ravel().astype(np.int64)
    # JSON has no NaN: strings stand for what is not a number.
    texts = [float(f"{v:.9g}") if np.isfinite(v) else str(v) for v in values]
    return {"dtype": dtype, "shape": shape, "values": texts}


def case(text):
    name, rest = text.split(None, 1)
    inputs, expression = (part.strip() for part in rest.split("| ", 1))
    derive = not inputs.startswith("-")
    names = list(dict.fromkeys(inputs.removeprefix("-").split()))
    function = eval(f"lambda {', '.join(names)}: {expression}", {"jnp": jnp, "jax": jax, "nn": nn})
    arrays = [jnp.asarray(INPUTS[n]) for n in names]
    out = function(*arrays)
    entry = plain(out)
    if derive:
        moving = [n for n, a in enumerate(arrays) if jnp.issubdtype(a.dtype, jnp.floating)]
        weights = jnp.cos(jnp.arange(out.size, dtype=jnp.float32)).reshape(out.shape)
        grads = jax.grad(lambda *a: jnp.sum(weights * function(*a)), moving)(*arrays)
        entry["grads"] = {names[n]: plain(g)["values"] for n, g in zip(moving, grads)}
    return name, entry


if __name__ == "__main__":
    cases = dict(case(line) for line in CASES.strip().splitlines()) | dict(edges())
    data = {"inputs": {n: plain(a) for n, a in INPUTS.items()}, "cases": cases}
    rows = [f'"{n}":{json.dumps(e, separators=(",", ":"))}' for n, e in cases.items()]
    inputs = json.dumps(data["inputs"], separators=(",", ":"))
    print('{"inputs":' + inputs + ',\n"cases":{\n' + ",\n".join(rows) + "\n}}")
