// tree: structs of arrays as flat lists of named leaves, and what works on them.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

using Names = std::vector<std::string>;

struct Sixty4 {
  Array a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21,
      a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42,
      a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63;
};

TEST(Tree, ReflectsSixtyFourFields) {
  const Names names = leaf_paths(Sixty4{});
  ASSERT_EQ(names.size(), 64u);
  EXPECT_EQ(names[0], "a0");
  EXPECT_EQ(names[63], "a63");
  Sixty4 s;
  s.a63 = Array(1.f);
  EXPECT_EQ(leaves(s)[63].item(), 1.f);
  EXPECT_TRUE(leaves(s)[0].empty());
}

class Private {
 public:
  Private() = default;
  explicit Private(float x) : b_(x) {}
  const Array& b() const { return b_; }

 private:
  Array a0_, a1_, a2_, a3_, a4_, a5_, a6_, a7_, a8_, a9_, a10_, a11_, a12_, a13_, a14_, a15_, a16_, a17_,
      a18_, a19_, a20_, a21_, a22_, a23_, a24_, a25_, a26_, a27_, a28_, b_;

 public:
  BATON_TREE(a0_, a1_, a2_, a3_, a4_, a5_, a6_, a7_, a8_, a9_, a10_, a11_, a12_, a13_, a14_, a15_, a16_, a17_,
             a18_, a19_, a20_, a21_, a22_, a23_, a24_, a25_, a26_, a27_, a28_, b_)
};

TEST(Tree, ListedFieldsMayBePrivate) {
  const Private p(2.f);
  EXPECT_EQ(leaf_paths(p).size(), 30u);
  EXPECT_EQ(leaf_paths(p)[29], "b_");
  EXPECT_EQ(tree_map([](const Array& x) { return lax::mul(x, 3.f); }, p).b().item(), 6.f);
  EXPECT_EQ(jit([](Private x) { return lax::neg(x.b()); })(p).item(), -2.f);
}

struct Layer {
  Array weight, bias;
  float rate = 0.5f;
};
enum class Kind { plain, fancy };
struct Model {
  std::vector<Layer> hidden;
  std::array<Array, 2> ends;
  std::map<std::string, Layer> named;
  std::optional<Layer> head;
  std::optional<Array> none;
  std::pair<Array, Stat> moments;
  std::tuple<Array, std::vector<Array>> rest;
  std::string title = "net";
  Kind kind = Kind::plain;
};
Model model() {
  const auto a = [](float x) { return Array(x); };
  return {.hidden = {{a(1), a(2)}, {a(3), a(4)}},
          .ends = {a(5), a(6)},
          .named = {{"left", {a(7), a(8)}}},
          .head = Layer{a(9), a(10)},
          .none = {},
          .moments = {a(11), {a(12)}},
          .rest = {a(13), {a(14), a(15)}}};
}

TEST(Tree, ContainersNest) {
  EXPECT_EQ(leaf_paths(model()),
            (Names{"hidden[0].weight", "hidden[0].bias", "hidden[1].weight", "hidden[1].bias", "ends[0]",
                   "ends[1]", "named.left.weight", "named.left.bias", "head.weight", "head.bias",
                   "moments[0]", "moments[1]", "rest[0]", "rest[1][0]", "rest[1][1]"}));
  const Arrays all = leaves(model());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].item(), static_cast<float>(i + 1));
}

TEST(Tree, ConstantsAndSizesArePartOfTheSignature) {
  auto f = jit([](const Model& m) { return lax::mul(m.hidden[0].weight, m.hidden[0].rate); });
  Model m = model();
  const auto traces = [&] {
    const Counters before = counters();
    f(m);
    return counters().traces - before.traces;
  };
  EXPECT_EQ(traces(), 1);
  EXPECT_EQ(traces(), 0);
  m.hidden[0].rate = 2;
  EXPECT_EQ(f(m).item(), 2.f);
  EXPECT_EQ(traces(), 0);
  m.hidden.push_back({Array(1.f), Array(1.f)});
  EXPECT_EQ(traces(), 1);
  m.named["right"] = {};
  EXPECT_EQ(traces(), 1);
  m.head.reset();
  EXPECT_EQ(traces(), 1);
  m.title = "other";
  EXPECT_EQ(traces(), 1);
  m.kind = Kind::fancy;
  EXPECT_EQ(traces(), 1);
}

struct Roles {
  Array weight, counter;
  Stat mean;
  Metric total;
  Seed seed;
  Slot momentum;
};

TEST(Tree, RolesFollowTypesAndDtypes) {
  const Roles r{Array(1.f), Array(1), {Array(2.f)}, {Array(3.f)}, {Array(4u)}, {Array(5.f)}};
  EXPECT_EQ(leaf_roles(r), (std::vector<Role>{Role::trainable, Role::integer, Role::statistic, Role::metric,
                                              Role::seed, Role::slot}));
  EXPECT_EQ(leaf_paths(r)[2], "mean");
  const Roles g = grad([](const Roles& x) { return lax::mul(lax::mul(x.weight, x.weight), x.mean); })(r);
  EXPECT_EQ(g.weight.item(), 4.f);
  EXPECT_TRUE(g.counter.empty() && g.mean.value.empty() && g.total.value.empty() && g.seed.value.empty() &&
              g.momentum.value.empty());
}

TEST(Tree, MapOverSeveralTreesSkipsEmptyLeaves) {
  const Layer a{Array(1.f), Array(2.f)}, b{Array(10.f), Array()};
  const Layer sum = tree_map([](const Array& x, const Array& y) { return lax::add(x, y); }, a, b);
  EXPECT_EQ(sum.weight.item(), 11.f);
  EXPECT_EQ(sum.bias.item(), 2.f);
  const std::vector<Array> two = {Array(1.f), Array(2.f)}, three(3);
  EXPECT_EQ(error_of([&] {
              tree_map([](const Array& x, const Array&) { return x; }, two, three, Where{"train.cc", 3});
            }),
            "tree_map: the trees must have the same structure; leaf 2 is nothing in the first and `[2]` in "
            "another.\n  called at train.cc:3");
  EXPECT_EQ(error_of([&] {
              with_leaves(two, three, Where{"train.cc", 3});
            }),
            "with_leaves: the tree has 2 leaves, found 3.\n  called at train.cc:3");
}

TEST(Tree, CloneSharesNothing) {
  const Model m = model();
  const Model c = clone(m);
  const Arrays a = leaves(m), b = leaves(c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NE(a[i].data(), b[i].data());
    EXPECT_EQ(a[i].item(), b[i].item());
  }
  EXPECT_TRUE(clone(Layer{}).weight.empty());
}

TEST(Tree, CopyIntoWritesInPlaceForOneOwner) {
  Layer to{Array({1.f, 2.f}), Array(3.f)};
  const Layer from{Array({4.f, 5.f}), Array(6.f)};
  const void* memory = to.weight.data();
  const Counters before = counters();
  copy_into(to, from);
  EXPECT_EQ(to.weight.data(), memory);
  EXPECT_EQ(counters().allocations, before.allocations);
  EXPECT_EQ(to.weight.read<float>()[1], 5.f);
  EXPECT_NE(to.weight.data(), from.weight.data());
  // A holder of the old values keeps them.
  const Array held = to.weight;
  copy_into(to, Layer{Array({7.f, 8.f}), Array(9.f)});
  EXPECT_EQ(held.read<float>()[0], 4.f);
  EXPECT_EQ(to.weight.read<float>()[0], 7.f);
  EXPECT_EQ(counters().copies - before.copies, 1);
  copy_into(to, to);
  EXPECT_EQ(to.bias.item(), 9.f);
  // One memory at two leaves becomes two.
  Layer same{Array({1.f, 2.f}), {}};
  same.bias = same.weight;
  copy_into(same, Layer{Array({3.f, 4.f}), Array({5.f, 6.f})});
  EXPECT_EQ(same.weight.read<float>()[0], 3.f);
  EXPECT_EQ(same.bias.read<float>()[0], 5.f);
}

TEST(Tree, CopyIntoChecksEverythingFirst) {
  Layer to{Array({1.f, 2.f}), Array(3.f)};
  EXPECT_EQ(error_of([&] {
              copy_into(to, Layer{Array({4.f, 5.f}), Array(6)}, Where{"train.cc", 3});
            }),
            "copy_into: leaf `bias` must be f32[], found s32[].\n  called at train.cc:3");
  EXPECT_EQ(to.weight.read<float>()[0], 1.f);
  EXPECT_EQ(error_of([&] {
              copy_into(to, Layer{Array({4.f, 5.f}), {}}, Where{"train.cc", 3});
            }),
            "copy_into: leaf `bias` must be f32[], found an empty leaf.\n  called at train.cc:3");
  std::vector<Layer> one(1), two(2);
  EXPECT_EQ(error_of([&] {
              copy_into(one, two, Where{"train.cc", 3});
            }),
            "copy_into: the trees must have the same structure; leaf 2 is nothing in the first and "
            "`[1].weight` in another.\n"
            "  called at train.cc:3");
  int call = 0;
  const auto copies = jit([&](const Array& x) {
    EXPECT_EQ(error_of([&] {
                copy_into(to, Layer{x, x}, Where{"train.cc", 3});
              }),
              "copy_into: leaf `weight` must be f32[2], found a traced value.\n  called at train.cc:3, while "
              "tracing for the call at tree_test.cc:" +
                  std::to_string(call));
    return x;
  });
  call = __LINE__ + 1;
  copies(Array({1.f, 2.f}));
}

}  // namespace
}  // namespace baton
