// golden_nn: The functions of jax.nn.
#include <gtest/gtest.h>

#include "numpy/golden.h"

namespace baton {
namespace {

// One row a case.
// clang-format off
const std::vector<GoldenCase> cases = {
    {"relu", "x", [](const Arrays& a) -> Array { return relu(a[0]); }},
    {"relu6", "x", [](const Arrays& a) -> Array { return relu6(a[0] * 4); }},
    {"leaky_relu", "x", [](const Arrays& a) -> Array { return leaky_relu(a[0], 0.2); }},
    {"elu", "x", [](const Arrays& a) -> Array { return elu(a[0]); }},
    {"selu", "x", [](const Arrays& a) -> Array { return selu(a[0]); }},
    {"celu", "x", [](const Arrays& a) -> Array { return celu(a[0], 2.0); }},
    {"gelu", "x", [](const Arrays& a) -> Array { return gelu(a[0]); }},
    {"gelu_exact", "x", [](const Arrays& a) -> Array { return gelu(a[0], {.approximate = false}); }},
    {"silu", "x", [](const Arrays& a) -> Array { return silu(a[0]); }},
    {"mish", "x", [](const Arrays& a) -> Array { return mish(a[0]); }},
    {"softplus", "x", [](const Arrays& a) -> Array { return softplus(a[0]); }},
    {"soft_sign", "x", [](const Arrays& a) -> Array { return soft_sign(a[0]); }},
    {"sigmoid", "x", [](const Arrays& a) -> Array { return sigmoid(a[0]); }},
    {"log_sigmoid", "x", [](const Arrays& a) -> Array { return log_sigmoid(a[0]); }},
    {"hard_tanh", "x", [](const Arrays& a) -> Array { return hard_tanh(a[0]); }},
    {"hard_sigmoid", "x", [](const Arrays& a) -> Array { return hard_sigmoid(a[0] * 2); }},
    {"hard_silu", "x", [](const Arrays& a) -> Array { return hard_silu(a[0] * 2); }},
    {"squareplus", "x", [](const Arrays& a) -> Array { return squareplus(a[0]); }},
    {"sparse_plus", "x", [](const Arrays& a) -> Array { return sparse_plus(a[0]); }},
    {"sparse_sigmoid", "x", [](const Arrays& a) -> Array { return sparse_sigmoid(a[0]); }},
    {"log1mexp", "p", [](const Arrays& a) -> Array { return log1mexp(a[0]); }},
    {"glu", "c", [](const Arrays& a) -> Array { return glu(a[0], 2); }},
    {"one_hot", "k", [](const Arrays& a) -> Array { return one_hot(a[0], 3); }},
    {"one_hot_axis", "kk", [](const Arrays& a) -> Array { return one_hot(a[0], 3, f32, 0); }},
    {"softmax", "c", [](const Arrays& a) -> Array { return softmax(a[0], {0, 1}); }},
    {"softmax_where", "x b", [](const Arrays& a) -> Array { return softmax(a[0], 0, {.where = logical_or(a[1], equal(arange(3), 1))}); }},
    {"softmax_large", "big", [](const Arrays& a) -> Array { return softmax(a[0]); }},
    {"log_softmax", "c", [](const Arrays& a) -> Array { return log_softmax(a[0]); }},
    {"log_softmax_large", "big", [](const Arrays& a) -> Array { return log_softmax(a[0].at(range(1))); }},
    {"logsumexp", "c", [](const Arrays& a) -> Array { return logsumexp(a[0], {0, 2}); }},
    {"logsumexp_large", "big", [](const Arrays& a) -> Array { return logsumexp(a[0], 1); }},
    {"logsumexp_weights", "x p", [](const Arrays& a) -> Array { return logsumexp(a[0], 1, {.keepdims = true, .b = a[1]}); }},
    {"logsumexp_where", "x b", [](const Arrays& a) -> Array { return logsumexp(a[0], 1, {.where = a[1]}); }},
    {"standardize", "c", [](const Arrays& a) -> Array { return standardize(a[0], {1, 2}); }},
    {"edge_relu", "edge", [](const Arrays& a) -> Array { return relu(a[0]); }},
    {"edge_relu6", "edge", [](const Arrays& a) -> Array { return relu6(a[0]); }},
    {"edge_hard_tanh", "edge", [](const Arrays& a) -> Array { return hard_tanh(a[0]); }},
    {"edge_leaky_relu", "edge", [](const Arrays& a) -> Array { return leaky_relu(a[0]); }},
    {"edge_elu", "edge", [](const Arrays& a) -> Array { return elu(a[0]); }},
    {"edge_celu", "edge", [](const Arrays& a) -> Array { return celu(a[0]); }},
    {"edge_selu", "edge", [](const Arrays& a) -> Array { return selu(a[0]); }},
    {"edge_hard_sigmoid", "edge", [](const Arrays& a) -> Array { return hard_sigmoid(a[0]); }},
    {"edge_sparse_plus", "edge", [](const Arrays& a) -> Array { return sparse_plus(a[0]); }},
    {"edge_sparse_sigmoid", "edge", [](const Arrays& a) -> Array { return sparse_sigmoid(a[0]); }},
    {"edge_squareplus", "edge", [](const Arrays& a) -> Array { return squareplus(a[0]); }},
    {"edge_softplus", "edge", [](const Arrays& a) -> Array { return softplus(a[0]); }},
    {"attention", "Q K4 V4", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2]); }},
    {"attention_causal", "Q K4 V4", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2], {.is_causal = true, .scale = 0.5}); }},
    {"attention_groups", "Q K V", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2]); }},
    {"attention_bias", "Q K V bias", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2], {.bias = a[3]}); }},
    {"attention_mask", "Q K V seen", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2], {.mask = a[3]}); }},
    {"attention_lengths", "Q K V qlen klen", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2], {.query_seq_lengths = a[3], .key_value_seq_lengths = a[4]}); }},
    {"attention_window", "Q K4 V4", [](const Arrays& a) -> Array { return dot_product_attention(a[0], a[1], a[2], {.local_window = {{1, 0}}}); }},
    {"attention_single", "Q K4 V4", [](const Arrays& a) -> Array { return dot_product_attention(a[0].at(0), a[1].at(0), a[2].at(0)); }},
};
// clang-format on

TEST(Golden, Activations) { check_golden(cases); }

}  // namespace
}  // namespace baton
