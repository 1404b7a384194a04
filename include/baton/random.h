#pragma once
// random: numbers from keys, with the functions and, for a seed, the numbers of jax.random: threefry-2x32,
// the layout of jax_threefry_partitionable, seeds as with x64 on. A key is never changed by a call; split it
// for new ones.
//   auto [w, b] = random::split<2>(key);
//   const Array x = random::normal(w, {32, 784});
#include <array>
#include <optional>

#include "baton/array.h"

namespace baton::random {

/// Two words of u32. A key used twice gives the same numbers twice.
struct Key {
  Array data;
};

Key key(std::uint64_t seed, Where where = Where::here());
/// Keys that are independent of each other and of `key`.
std::vector<Key> split(const Key& key, int count, Where where = Where::here());
/// The same as one array u32[shape..., 2], to vmap over.
Array split_array(const Key& key, const Shape& shape, Where where = Where::here());
template <std::size_t count>
std::array<Key, count> split(const Key& key, Where where = Where::here()) {
  std::vector<Key> keys = split(key, static_cast<int>(count), where);
  std::array<Key, count> result;
  for (std::size_t i = 0; i < count; ++i) result[i] = std::move(keys[i]);
  return result;
}
/// A key for this number, which may be traced: fold_in(key, step).
Key fold_in(const Key& key, Operand data);

/// Random bits as u8, u16, u32 or u64.
Array bits(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::u32, Where where = Where::here());

// ---- continuous
// ---------------------------------------------------------------------------------------------------
// Parameters broadcast to the shape. Where a parameter comes first, an empty shape means the parameters' own.

/// On [low, high).
Array uniform(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32, Operand low = 0.0,
              Operand high = 1.0, Where where = Where::here());
/// With mean 0 and variance 1; complex dtypes: variance 1 in all.
Array normal(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32, Where where = Where::here());
/// A normal distribution kept within (lower, upper).
Array truncated_normal(const Key& key, Operand lower, Operand upper, const Shape& shape = {},
                       Dtype dtype = Dtype::f32);
Array exponential(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32,
                  Where where = Where::here());
Array gumbel(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32, Where where = Where::here());
Array laplace(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32, Where where = Where::here());
Array logistic(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32,
               Where where = Where::here());
Array cauchy(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::f32, Where where = Where::here());
/// Shape parameter a, scale 1. Differentiable in a.
Array gamma(const Key& key, Operand a, const Shape& shape = {}, Dtype dtype = Dtype::f32);
/// The logarithm of gamma, also where that is too small for the dtype.
Array loggamma(const Key& key, Operand a, const Shape& shape = {}, Dtype dtype = Dtype::f32);
Array beta(const Key& key, Operand a, Operand b, const Shape& shape = {}, Dtype dtype = Dtype::f32);
/// alpha[..., n] gives samples [shape..., n] that sum to 1; an empty shape means alpha's leading axes.
Array dirichlet(const Key& key, Operand alpha, const Shape& shape = {}, Dtype dtype = Dtype::f32);
/// Matrices [shape..., n, m] with orthonormal columns (rows where n < m); m < 0 means n.
Array orthogonal(const Key& key, std::int64_t n, const Shape& shape = {}, Dtype dtype = Dtype::f32,
                 std::int64_t m = -1, Where where = Where::here());

// ---- discrete
// -----------------------------------------------------------------------------------------------------

/// true with probability p; bool.
Array bernoulli(const Key& key, Operand p = 0.5, const Shape& shape = {});
/// -1 or 1.
Array rademacher(const Key& key, const Shape& shape = {}, Dtype dtype = Dtype::s32,
                 Where where = Where::here());
/// Integers on [low, high).
Array randint(const Key& key, const Shape& shape, Operand low, Operand high, Dtype dtype = Dtype::s32);
Array poisson(const Key& key, Operand rate, const Shape& shape = {}, Dtype dtype = Dtype::s32);
struct CategoricalOptions {
  int axis = -1;
  std::optional<Shape> shape =
      {};               // of the result, ending in the logits' shape without the axis; default: that shape
  bool replace = true;  // false: the samples of one distribution are all different
};
/// Indices along an axis, with probabilities softmax(logits); s32.
Array categorical(const Key& key, Operand logits, const CategoricalOptions& options = {});
/// 0 to n - 1 in random order; s32.
Array permutation(const Key& key, std::int64_t n, Where where = Where::here());
/// x with an axis in random order: slices move as wholes, or each lane on its own if `independent`.
Array permutation(const Key& key, const Array& x, int axis = 0, bool independent = false,
                  Where where = Where::here());
struct ChoiceOptions {
  bool replace = true;
  Array p = {};  // probabilities, one for each element; empty: all alike
  int axis = 0;
};
/// Numbers from 0 to n - 1; s32.
Array choice(const Key& key, std::int64_t n, const Shape& shape, const ChoiceOptions& options = {},
             Where where = Where::here());
/// Slices of an axis, which the shape replaces.
Array choice(const Key& key, const Array& x, const Shape& shape, const ChoiceOptions& options = {},
             Where where = Where::here());

}  // namespace baton::random

namespace baton::initializers {

enum class Fan { in, out, average, geometric_average };
enum class Distribution { truncated_normal, normal, uniform };

/// A function (key, shape, dtype) -> array, as a value: `initializers::he_normal()(key, {784, 128})`.
/// Kernels have their input axis last but one and their output axis last; axes before are those of a window.
class Initializer {
 public:
  Array operator()(const random::Key& key, const Shape& shape, Dtype dtype = Dtype::f32,
                   Where where = Where::here()) const;

  enum class Kind {
    constant,
    uniform,
    normal,
    truncated_normal,
    variance_scaling,
    orthogonal,
    delta_orthogonal
  };
  Kind kind = Kind::constant;
  double scale = 0;              // the value, or what samples are multiplied with
  double lower = -2, upper = 2;  // truncated_normal
  Fan fan = Fan::in;
  Distribution distribution = Distribution::normal;
  std::vector<int> in_axis = {-2}, out_axis = {-1}, batch_axis = {};
  int column_axis = -1;
};

/// Where the fans of a kernel are.
struct Axes {
  std::vector<int> in_axis = {-2}, out_axis = {-1}, batch_axis = {};
};
Initializer zeros();
Initializer ones();
Initializer constant(double value);
Initializer uniform(double scale = 1e-2);  // on [0, scale)
Initializer normal(double stddev = 1e-2);
Initializer truncated_normal(double stddev = 1e-2, double lower = -2,
                             double upper = 2);  // stddev before truncation
/// With variance scale / fan.
Initializer variance_scaling(double scale, Fan fan, Distribution distribution, const Axes& axes = {});
Initializer glorot_uniform(const Axes& axes = {});
Initializer glorot_normal(const Axes& axes = {});
Initializer lecun_uniform(const Axes& axes = {});
Initializer lecun_normal(const Axes& axes = {});
Initializer he_uniform(const Axes& axes = {});
Initializer he_normal(const Axes& axes = {});
Initializer orthogonal(double scale = 1, int column_axis = -1);
Initializer delta_orthogonal(double scale = 1, int column_axis = -1);

}  // namespace baton::initializers
