#pragma once
// models: the networks that bench_train trains, as structs of arrays. Leaves stand in the order of the data
// files.
#include <vector>

#include "baton/baton.h"

namespace bench {

using namespace baton;

struct Batch {
  Array x, y;
};

// ---- layers

struct Dense {
  Array weight, bias;
  Array operator()(const Array& x) const { return matmul(x, weight) + bias; }
};

struct Conv {
  Array kernel, bias;  // kernel: height, width, in, out
  /// Images [batch, height, width, channels]; no padding.
  Array operator()(const Array& x) const;
};

struct LayerNorm {
  Array scale, bias;
  Array operator()(const Array& x) const;
};

// ---- networks; each has the loss that it is trained on

/// 2-16-1, mean squared error: what a step costs beside its arithmetic.
struct Tiny {
  Dense hidden, out;
  Array loss(const Batch&) const;
};

/// 784-1024-1024-10.
struct Mlp {
  Dense first, second, out;
  Array loss(const Batch&) const;
};

/// Images of 28 x 28, two convolutions, max pooling, two dense layers.
struct Cnn {
  Conv first, second;
  Dense hidden, out;
  Array loss(const Batch&) const;
};

enum class Activation { gelu, relu };

/// A block of a transformer, with layer norm before attention and before the two dense layers.
struct Block {
  LayerNorm before_attention;
  Dense qkv, mixed;
  LayerNorm before_dense;
  Dense up, down;
  Array operator()(Array h, int heads, Activation) const;
};

/// A causal language model.
struct Gpt {
  int heads = 0;
  Activation activation = Activation::gelu;
  Array tokens, positions;  // embeddings
  std::vector<Block> blocks;
  LayerNorm norm;
  Array head;  // empty: the embeddings of the tokens once more
  Array loss(const Batch&) const;
};

}  // namespace bench
