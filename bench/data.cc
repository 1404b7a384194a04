// data: reads the files of arrays, and draws those of the workload that has no file.
#include "data.h"

#include <cmath>
#include <fstream>
#include <random>

namespace bench {
namespace {

class File {
 public:
  explicit File(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::ate) {
    if (!file_)
      throw UsageError("bench: cannot read " + path + ".\n  Give the folder of the data files with --data.");
    left_ = file_.tellg();
    file_.seekg(0);
  }
  template <class T>
  std::vector<T> take(std::int64_t count) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    if (count < 0 || count > left_ / size)
      fail("must hold the " + std::to_string(count) + " numbers that it announces");
    left_ -= count * size;
    std::vector<T> values(static_cast<std::size_t>(count));
    file_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * size));
    return values;
  }
  std::int32_t take() { return take<std::int32_t>(1)[0]; }
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError("bench: " + path_ + " " + what + ".");
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::int64_t left_ = 0;  // bytes
};

struct Named {
  std::string name;
  Array array;
};

Named read_array(File& file) {
  const std::vector<char> name = file.take<char>(file.take());
  const Shape shape = file.take<std::int64_t>(file.take());
  const std::int32_t kind = file.take();
  if (kind != 0 && kind != 1) file.fail("must hold arrays of kind 0 or 1, found " + std::to_string(kind));
  const std::int64_t size = Type{f32, shape}.size();
  return {std::string(name.begin(), name.end()),
          kind == 0 ? Array(file.take<float>(size), shape) : Array(file.take<std::int32_t>(size), shape)};
}

/// The parts of an array along its first axis, each in memory of its own.
Arrays rows(const Array& all) {
  const Type row = {all.dtype(), Shape(all.shape().begin() + 1, all.shape().end())};
  const char* data = static_cast<const char*>(all.data());
  Arrays parts;
  for (std::int64_t i = 0; i < all.dim(0); ++i, data += row.bytes()) parts.push_back(Array(row, data));
  return parts;
}

}  // namespace

Data read(const std::string& path) {
  File file(path);
  Data data;
  Arrays xs, ys;
  for (std::int32_t left = file.take(); left > 0; --left) {
    Named read = read_array(file);
    if (read.name != "xs" && read.name != "ys")
      data.weights.push_back(std::move(read.array));
    else if (read.array.rank() == 0)
      file.fail("must hold batches in " + read.name + ", found one number");
    else
      (read.name == "xs" ? xs : ys) = rows(read.array);
  }
  if (xs.empty() || xs.size() != ys.size())
    file.fail("must hold as many batches in xs as in ys, found " + std::to_string(xs.size()) + " and " +
              std::to_string(ys.size()));
  for (std::size_t i = 0; i < xs.size(); ++i) data.batches.push_back({xs[i], ys[i]});
  return data;
}

Gpt random_gpt(const GptSize& size, Activation activation) {
  std::mt19937 random(0);
  const float limit = 0.02f * std::sqrt(3.f);
  std::uniform_real_distribution<float> uniform(-limit, limit);
  const auto weight = [&](std::int64_t rows, std::int64_t columns) {
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    for (float& v : values) v = uniform(random);
    return Array(values, {rows, columns});
  };
  const auto dense = [&](std::int64_t in, std::int64_t out) { return Dense{weight(in, out), zeros({out})}; };
  const std::int64_t d = size.width;
  Gpt gpt = {.heads = static_cast<int>(size.heads), .activation = activation};
  gpt.tokens = weight(size.vocabulary, d);
  gpt.positions = weight(size.length, d);
  for (std::int64_t i = 0; i < size.blocks; ++i)
    gpt.blocks.push_back({.before_attention = {ones({d}), zeros({d})},
                          .qkv = dense(d, 3 * d),
                          .mixed = dense(d, d),
                          .before_dense = {ones({d}), zeros({d})},
                          .up = dense(d, 4 * d),
                          .down = dense(4 * d, d)});
  gpt.norm = {ones({d}), zeros({d})};
  return gpt;
}

std::vector<Batch> random_text(const GptSize& size, std::int64_t batch, int count) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int32_t> token(0, static_cast<std::int32_t>(size.vocabulary - 1));
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i) {
    std::vector<std::int32_t> x, y;
    for (std::int64_t sentence = 0; sentence < batch; ++sentence) {
      std::int32_t next = token(random);
      for (std::int64_t t = 0; t < size.length; ++t) {
        x.push_back(next);
        y.push_back(next = token(random));
      }
    }
    batches.push_back({Array(x, {batch, size.length}), Array(y, {batch, size.length})});
  }
  return batches;
}

}  // namespace bench
