// named_leaves: a model to a file and back.
#include <gtest/gtest.h>

#include <filesystem>

#include "baton/baton.h"
#include "baton/safetensors.h"
#include "error_of.h"

namespace baton {
namespace {

struct Dense {
  Array weight, bias;
};
struct Model {
  std::vector<Dense> layers;
  Array scale;
};
constexpr Where train{"train.cc", 41};
Model model() { return {{{Array({{1.f, 2.f}, {3.f, 4.f}}), Array({5.f, 6.f})}}, Array(7.f)}; }

TEST(NamedLeaves, AModelGoesToAFileAndBack) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "baton_named_leaves.safetensors").string();
  save_safetensors(path, named_leaves(model()));
  Model other = tree_map([](const Array& a) { return a * 0.f; }, model());
  other = with_named_leaves(other, load_safetensors(path));
  EXPECT_EQ(other.layers[0].weight.at(1, 0).item(), 3.f);
  EXPECT_EQ(other.scale.item(), 7.f);
  std::filesystem::remove(path);
}

TEST(NamedLeaves, EveryNameMustFit) {
  NamedArrays arrays = named_leaves(model());
  arrays.erase("scale");
  EXPECT_EQ(error_of([&] { with_named_leaves(model(), arrays, train); }),
            "with_named_leaves: no array is named scale.\n  called at train.cc:41\n"
            "  There are layers[0].bias, layers[0].weight.");
  arrays = named_leaves(model());
  arrays["scale"] = Array({1.f});
  EXPECT_EQ(error_of([&] { with_named_leaves(model(), arrays, train); }),
            "with_named_leaves: leaf scale must be f32[], found f32[1].\n  called at train.cc:41");
  arrays = named_leaves(model());
  arrays["more"] = Array(1.f);
  EXPECT_EQ(error_of([&] { with_named_leaves(model(), arrays, train); }),
            "with_named_leaves: the tree has no leaf named more.\n  called at train.cc:41\n"
            "  Its leaves are layers[0].weight, layers[0].bias, scale.");
}

}  // namespace
}  // namespace baton
