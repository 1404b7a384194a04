#pragma once
// data: the first weights and the batches of a workload, from a file or from a generator.
#include <string>

#include "models.h"

namespace bench {

struct Data {
  Arrays weights;  // in the order of the file, which is that of the model's leaves
  std::vector<Batch> batches;
};

/// Reads a file of named arrays: their count; for each the length of its name, its name, its rank, its
/// extents, 0 for f32 or 1 for s32, and its elements, row-major. Counts and lengths are 32 bits wide, extents
/// 64, little-endian. The arrays `xs` and `ys` hold one batch for each index of their first axis; the others
/// are weights.
Data read(const std::string& path);

/// A model with the weights of the data in the places of its leaves. The data keep none, so that the model
/// owns its memory alone and can donate it.
template <class Model>
Model take_weights(Model model, Data& data) {
  return with_leaves(std::move(model), std::exchange(data.weights, {}));
}

struct GptSize {
  std::int64_t vocabulary = 0, width = 0, blocks = 0, heads = 0, length = 0;
};
/// Uniform weights of standard deviation 0.02; the head is the embedding of the tokens.
Gpt random_gpt(const GptSize&, Activation);
/// Batches of random tokens; the labels are the tokens that follow.
std::vector<Batch> random_text(const GptSize&, std::int64_t batch, int count);

}  // namespace bench
