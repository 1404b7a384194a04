// ravel: a tree to a vector and back.
#include "baton/ravel.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

struct Layer {
  Array w, b;
};
struct Model {
  std::vector<Layer> layers;
  Array step;
  float rate = 0.5f;
};
Model model() {
  return {{{Array({1.f, 2.f, 3.f, 4.f}, {2, 2}), Array({5.f, 6.f})}, {Array({7.f}, {1, 1}), Array()}},
          Array(8)};
}

TEST(Ravel, ATreeIsAVectorAndBack) {
  const auto [flat, unravel] = ravel(model());
  EXPECT_EQ(flat.type(), (Type{f32, {8}}));  // as JAX: f32 and s32 promote to f32
  EXPECT_EQ(flat.read<float>().vector(), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  const Model back = unravel(flat * 2.f);
  EXPECT_EQ(back.layers[0].w.type(), (Type{f32, {2, 2}}));
  EXPECT_EQ(back.layers[0].w.read<float>()[3], 8.f);
  EXPECT_TRUE(back.layers[1].b.empty());
  EXPECT_EQ(back.step.item<int>(), 16);
  EXPECT_EQ(back.rate, 0.5f);
}

/// What ravel keeps for the way back holds no memory, so the tree can be donated.
TEST(Ravel, KeepsNoMemory) {
  Model m = model();
  const auto unravel = ravel(m).unravel;
  auto step =
      jit([](Model s) { return s.layers[0].w = s.layers[0].w + 1.f, s; }, {.donation = Donation::required});
  EXPECT_EQ(unravel(ravel(step(std::move(m))).flat).layers[0].w.read<float>()[0], 2.f);
}

TEST(Ravel, HasDerivatives) {
  const auto loss = [](const Model& m) { return sum(square(ravel(m).flat)); };
  EXPECT_EQ(grad(loss)(model()).layers[0].b.read<float>()[1], 12.f);
  const auto unravel = ravel(model()).unravel;
  const auto of_vector = [&](const Array& v) { return sum(unravel(v).layers[0].w * 3.f); };
  EXPECT_EQ(grad(of_vector)(ravel(model()).flat).read<float>().vector(),
            (std::vector<float>{3, 3, 3, 3, 0, 0, 0, 0}));
}

TEST(Ravel, NothingIsAnEmptyVector) {
  EXPECT_EQ(ravel(Layer{}).flat.type(), (Type{f32, {0}}));
  EXPECT_TRUE(ravel(Layer{}).unravel(Array(std::vector<float>{}, {0})).w.empty());
}

TEST(Ravel, OtherLengthsAreRefused) {
  const auto unravel = ravel(model()).unravel;
  EXPECT_EQ(
      error_of([&] {
        unravel(Array({1.f, 2.f}), {"train.cc", 41});
      }),
      "unravel: a vector of the 8 elements of the tree is required, found f32[2].\n  called at train.cc:41");
}

}  // namespace
}  // namespace baton
