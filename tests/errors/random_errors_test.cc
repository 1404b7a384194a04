// random_errors: what distributions and initializers say to shapes, dtypes and parameters that do not fit.
#include "errors.h"

namespace baton {
namespace {

const random::Key key = random::key(0);
const Array two = zeros({2}), three = zeros({3}), one = zeros({});

TEST(RandomMessages, Keys) {
  SAYS(random::normal({}, {2}),
       "random: a key is u32[2], found an empty array.\n"
       "  Make one with random::key(seed).");
  SAYS(random::normal({Array({1, 2})}, {2}),
       "random: a key is u32[2], found s32[2].\n"
       "  Make one with random::key(seed).");
  SAYS(random::fold_in(key, Array({1, 2})),
       "random::fold_in: the number must be a scalar, found u32[2].\n"
       "  Use vmap.");
  SAYS(random::split(key, -1), "random: an extent of the shape (-1) is negative.");
  SAYS(random::bits(key, {2}, s32), "random::bits: the dtype must be u8, u16, u32 or u64, found s32.");
  SAYS(random::normal(key, {-1}), "random: an extent of the shape (-1) is negative.");
}

TEST(RandomMessages, Distributions) {
  SAYS(random::uniform(key, {2}, s32),
       "random::uniform: the dtype must be f16, bf16, f32 or f64, found s32.");
  SAYS(random::uniform(key, {2}, f32, three),
       "random::uniform: the shapes of its parameters do not broadcast: (2), (3).");
  SAYS(random::uniform(key, {}, f32, two, three),
       "random::uniform: the shapes of its parameters do not broadcast: (2), (3).");
  SAYS(random::uniform(key, {1}, f32, two),
       "random::uniform: its parameters, of shape (2), must broadcast to the shape (1).");
  SAYS(random::uniform(key, {}, f32, two),
       "random::uniform: bounds of shapes (2) and () must broadcast to the shape ().");
  SAYS(random::gamma(key, two, {3}),
       "random::gamma: the shapes of its parameters do not broadcast: (3), (2).");
  SAYS(random::beta(key, two, three),
       "random::beta: the shapes of its parameters do not broadcast: (2), (3).");
  SAYS(random::dirichlet(key, one), "random::dirichlet: alpha must have an axis, found f32[].");
  SAYS(random::orthogonal(key, -1), "random: an extent of the shape (-1,-1) is negative.");
  SAYS(random::bernoulli(key, Array(1)), "random::bernoulli: the probability must be floating, found s32[].");
  SAYS(random::bernoulli(key, Array()),
       "random::bernoulli: the probability must be floating, found an empty array.");
  SAYS(random::rademacher(key, {2}, boolean),
       "random::rademacher: a dtype that holds -1 and 1 is required, found bool.");
  SAYS(random::randint(key, {2}, 0, 1, f32), "random::randint: the dtype must be an integer, found f32.");
  SAYS(random::randint(key, {2}, 0.5, 1), "random::randint: bounds must be integers, found f32[].");
  SAYS(random::randint(key, {2}, 0, Array()),
       "random::randint: bounds must be integers, found an empty array.");
  SAYS(random::randint(key, {2}, 0, Array({1, 2, 3})),
       "random::randint: the shapes of its parameters do not broadcast: (2), (3).");
  SAYS(random::randint(key, {}, 0, Array({1, 2, 3})),
       "random::randint: bounds of shapes () and (3) must broadcast to the shape ().");
  SAYS(random::poisson(key, one, {2}, f32), "random::poisson: the dtype must be an integer, found f32.");
}

TEST(RandomMessages, Choices) {
  SAYS(random::categorical(key, one),
       "random::categorical: logits must be floating, with an axis, found f32[].");
  SAYS(random::categorical(key, Array({1, 2})),
       "random::categorical: logits must be floating, with an axis, found s32[2].");
  SAYS(random::categorical(key, Array()),
       "random::categorical: logits must be floating, with an axis, found an empty array.");
  SAYS(random::categorical(key, two, {.axis = 1}), "random::categorical: axis 1 is out of range for f32[2].");
  SAYS(random::categorical(key, zeros({2, 3}), {.shape = Shape{5}}),
       "random::categorical: the shape must end in that of the logits without the axis, (2), found (5).");
  SAYS(random::categorical(key, two, {.shape = Shape{5}, .replace = false}),
       "random::categorical: 5 samples without replacement are more than the 2 categories.");
  SAYS(random::permutation(key, -1), "random::permutation: a number of at least 0 is required, found -1.");
  SAYS(random::permutation(key, two, 1), "random::permutation: axis 1 is out of range for f32[2].");
  SAYS(random::permutation(key, Array()), "random::permutation: axis 0 is out of range for an empty array.");
  SAYS(random::choice(key, 0, {2}), "random::choice: there is nothing to choose from.");
  SAYS(random::choice(key, -1, {2}), "random::choice: there is nothing to choose from.");
  SAYS(random::choice(key, 3, {2, 2}, {.replace = false}),
       "random::choice: 4 draws without replacement are more than the 3 elements.");
  SAYS(random::choice(key, 3, {2}, {.p = two}),
       "random::choice: p must hold one floating probability for each of the 3 elements, found f32[2].");
  SAYS(random::choice(key, two, {2}, {.p = Array({1, 1})}),
       "random::choice: p must hold one floating probability for each of the 2 elements, found s32[2].");
  SAYS(random::choice(key, two, {2}, {.axis = 2}), "random::choice: axis 2 is out of range for f32[2].");
}

TEST(RandomMessages, Initializers) {
  SAYS(initializers::he_normal()(key, {3}),
       "initializers::variance_scaling: axis -2 is out of range for the shape (3).\n"
       "  Kernels need two axes; or name them: {.in_axis = ...}.");
  SAYS(initializers::orthogonal()(key, {3}),
       "initializers::orthogonal: at least two axes are required, found the shape (3).");
  SAYS(initializers::orthogonal(1, 2)(key, {3, 3}),
       "initializers::orthogonal: column axis 2 is out of range for the shape (3,3).");
  SAYS(initializers::delta_orthogonal()(key, {3, 3}),
       "initializers::delta_orthogonal: three to five axes are required, found the shape (3,3).");
  SAYS(initializers::delta_orthogonal()(key, {3, 4, 2}),
       "initializers::delta_orthogonal: as many outputs (the last axis) as inputs are required, found the "
       "shape (3,4,2).");
  SAYS(initializers::normal()(key, {2}, s32),
       "random::normal: the dtype must be f16, bf16, f32 or f64, found s32.");
}

}  // namespace
}  // namespace baton
