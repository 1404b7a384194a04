#pragma once
// activations: the functions of jax.nn, with its names. Integers become f32.
#include <optional>
#include <utility>

#include "baton/numpy.h"

namespace baton {

Array relu(Operand x);  // derivative 0 at 0, at every order
Array relu6(Operand x);
Array leaky_relu(Operand x, Operand negative_slope = 0.01);
Array elu(Operand x, Operand alpha = 1.0);
Array selu(Operand x);
Array celu(Operand x, Operand alpha = 1.0);
struct GeluOptions {
  bool approximate = true;  // by tanh; false: by erf
};
Array gelu(Operand x, const GeluOptions& options = {});
Array silu(Operand x);
Array swish(Operand x);  // the same
Array mish(Operand x);
Array softplus(Operand x);
Array soft_sign(Operand x);
Array sigmoid(Operand x);
Array log_sigmoid(Operand x);
Array hard_tanh(Operand x);
Array hard_sigmoid(Operand x);
Array hard_silu(Operand x);
Array hard_swish(Operand x);  // the same
Array squareplus(Operand x, Operand b = 4.0);
Array sparse_plus(Operand x);
Array sparse_sigmoid(Operand x);
Array log1mexp(Operand x);
Array glu(Operand x, int axis = -1);

/// log of the sum of b * exp(x), safe for large x; no axes: all.
struct LogSumExp {
  bool keepdims = false;
  Array b = {};      // weights
  Array where = {};  // elements where this is false are left out
};
Array logsumexp(Operand x, const Axes& axes = {}, const LogSumExp& options = {});
Array logmeanexp(Operand x, const Axes& axes = {}, const KeepOptions& options = {});
struct SoftmaxOptions {
  Array where = {};  // elements where this is false get 0
};
Array softmax(Operand x, const Axes& axes = -1, const SoftmaxOptions& options = {});
Array log_softmax(Operand x, const Axes& axes = -1, const SoftmaxOptions& options = {});
struct Standardize {
  double epsilon = 1e-5;
  Array mean = {}, variance = {};  // default: those of x
};
/// x with mean 0 and variance 1 along the axes.
Array standardize(Operand x, const Axes& axes = -1, const Standardize& options = {});
/// 1 at the class, 0 elsewhere; all 0 for classes out of [0, classes).
Array one_hot(Operand x, std::int64_t classes, Dtype dtype = Dtype::f32, int axis = -1);

struct Attention {
  Array bias = {};                   // added to the logits; broadcasts to [B, N, T, S]
  Array mask = {};                   // bool, broadcasts to [B, N, T, S]; false: not attended to
  bool is_causal = false;            // position t sees positions up to t
  std::optional<double> scale = {};  // default: 1 / sqrt(H)
  Array query_seq_lengths = {};      // s32[B]; results beyond are 0
  Array key_value_seq_lengths = {};  // s32[B]; keys beyond are not seen
  std::optional<std::pair<std::int64_t, std::int64_t>> local_window =
      {};  // how far t sees to the left, to the right
};
/// softmax(scale * query key^T + bias) value. query [B, T, N, H], key and value [B, S, K, H] -> [B, T, N, H];
/// each of the K heads serves N / K heads of the query. The batch axis may be missing.
Array dot_product_attention(Operand query, Operand key, Operand value, const Attention& options = {});

}  // namespace baton
