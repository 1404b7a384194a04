// models: the forward passes and losses of the networks.
#include "models.h"

namespace bench {
namespace {

/// Mean over all but the last axis, that of the classes.
Array cross_entropy(const Array& logits, const Array& labels) {
  const Array of_label = squeeze(take_along_axis(logits, expand_dims(labels, -1)), -1);
  return mean(logsumexp(logits, -1) - of_label);
}

Array max_pool_2x2(const Array& x) {
  return lax::reduce_window_max(x, {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}});
}

}  // namespace

Array Conv::operator()(const Array& x) const {
  const lax::ConvDims nhwc = {.lhs = {0, 3, 1, 2}, .rhs = {3, 2, 0, 1}, .out = {0, 3, 1, 2}};
  return lax::conv_general_dilated(x, kernel, {.dims = nhwc}) + bias;
}

Array LayerNorm::operator()(const Array& x) const {
  const Array centred = x - mean(x, -1, {.keepdims = true});
  const Array variance = mean(square(centred), -1, {.keepdims = true});
  return centred * rsqrt(variance + 1e-5) * scale + bias;
}

Array Tiny::loss(const Batch& batch) const { return mean(square(out(tanh(hidden(batch.x))) - batch.y)); }

Array Mlp::loss(const Batch& batch) const {
  return cross_entropy(out(relu(second(relu(first(batch.x))))), batch.y);
}

Array Cnn::loss(const Batch& batch) const {
  const Array maps = max_pool_2x2(relu(second(relu(first(batch.x)))));
  const Array flat = reshape(maps, {maps.dim(0), -1});
  return cross_entropy(out(relu(hidden(flat))), batch.y);
}

Array Block::operator()(Array h, int heads, Activation activation) const {
  const std::int64_t batch = h.dim(0), length = h.dim(1), width = h.dim(2);
  const Array u = reshape(qkv(before_attention(h)), {batch, length, 3, heads, width / heads});
  const Array seen =
      dot_product_attention(u.at(all, all, 0), u.at(all, all, 1), u.at(all, all, 2), {.is_causal = true});
  h = h + mixed(reshape(seen, {batch, length, width}));
  const Array v = up(before_dense(h));
  return h + down(activation == Activation::gelu ? gelu(v) : relu(v));
}

Array Gpt::loss(const Batch& batch) const {
  Array h = tokens.at(batch.x) + positions;
  for (const Block& block : blocks) h = block(h, heads, activation);
  return cross_entropy(matmul(norm(h), head.empty() ? transpose(tokens) : head), batch.y);
}

}  // namespace bench
