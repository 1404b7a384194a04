#pragma once
// numpy: the functions of jax.numpy, with its names: they broadcast, promote, and count axes from the end if
// negative. Differences that C++ asks for: `std` is `stddev`, `equal(x, y)` stands for `==`, lists of arrays
// are braced.
#include <optional>
#include <string>

#include "baton/array.h"

namespace baton {

// ---- arguments
// ----------------------------------------------------------------------------------------------------

/// Axes of a reduction: `0`, `{0, -1}`, or nothing for all of them.
class Axes {
 public:
  Axes() : all_(true) {}
  Axes(int axis) : list_{axis} {}
  Axes(std::initializer_list<int> list) : list_(list.begin(), list.end()) {}
  Axes(std::vector<std::int64_t> list) : list_(std::move(list)) {}
  bool all() const { return all_; }
  const std::vector<std::int64_t>& list() const { return list_; }

 private:
  std::vector<std::int64_t> list_;
  bool all_ = false;
};

/// A number whose value must be known while a function is traced.
struct Number {
  template <class T>
  requires(std::is_arithmetic_v<T>) Number(T number) : value(static_cast<double>(number)) {
    if constexpr (std::is_integral_v<T>) {
      whole = static_cast<std::int64_t>(number);
      integer = std::is_signed_v<T> || whole >= 0;  // what no s64 holds is a floating number
    }
  }
  double value;
  std::int64_t whole = 0;  // of an integer
  bool integer = false;
};

/// What happens to an index that is out of bounds. `automatic` is JAX's: reads clip, updates drop, `take`
/// fills.
enum class IndexMode { automatic, fill, drop, clip, wrap, promise_in_bounds };

struct ReduceOptions {
  bool keepdims = false;            // reduced axes stay, with extent 1
  std::optional<Dtype> dtype = {};  // to compute and answer in
  std::optional<double> initial = {};
  Array where = {};  // elements where this bool array is false are left out
};
struct VarianceOptions {
  bool keepdims = false;
  int ddof = 0;  // divide by n - ddof
};
struct KeepOptions {
  bool keepdims = false;
};
struct SortingOptions {
  bool descending = false;
};
struct TakeOptions {
  IndexMode mode = IndexMode::automatic;
  std::optional<double> fill_value = {};
};
struct LinspaceOptions {
  bool endpoint = true;
  std::optional<Dtype> dtype = {};
};
struct MeshOptions {
  bool ij = false;  // matrix order; otherwise the first two axes are x, y: swapped
};
struct TensordotAxes {
  std::vector<std::int64_t> x = {}, y = {};
};
struct NanToNum {
  double nan = 0;
  std::optional<double> posinf = {}, neginf = {};  // default: the largest and lowest number of the dtype
};
struct InterpOptions {
  std::optional<double> left = {}, right = {};  // outside of xp; default: its end values
};

// ---- operators: broadcast, promote
// --------------------------------------------------------------------------------
// `==` and `!=` are not overloaded; see equal and not_equal. `/` of integers is true division.

#define BATON_OPERATOR(op)                                                               \
  Array operator op(Operand x, Operand y);                                               \
  Array& operator op##=(Array& x, Operand y);                                            \
  template <class T>                                                                     \
  requires(!std::is_same_v<T, Array> && std::is_convertible_v<const T&, const Array&> && \
           std::is_assignable_v<T&, Array>) T&                                           \
  operator op##=(T& x, Operand y) {                                                      \
    x = static_cast<const Array&>(x) op y;                                               \
    return x;                                                                            \
  }
BATON_OPERATOR(+)
BATON_OPERATOR(-)
BATON_OPERATOR(*)
BATON_OPERATOR(/)
#undef BATON_OPERATOR
Array operator-(Operand x);
Array operator<(Operand x, Operand y);
Array operator<=(Operand x, Operand y);
Array operator>(Operand x, Operand y);
Array operator>=(Operand x, Operand y);

// ---- elementwise
// --------------------------------------------------------------------------------------------------

#define BATON_UNARY(name) Array name(Operand x);
#define BATON_BINARY(name) Array name(Operand x, Operand y);
BATON_BINARY(add)
BATON_BINARY(subtract)
BATON_BINARY(multiply)
BATON_BINARY(divide)  // true division: integers give f32
BATON_BINARY(floor_divide)
BATON_BINARY(remainder)  // the sign of y, as Python's %
BATON_BINARY(mod)        // the same
BATON_BINARY(fmod)       // the sign of x
BATON_BINARY(power)
BATON_BINARY(maximum)  // NaN if either is
BATON_BINARY(minimum)
BATON_BINARY(atan2)
BATON_BINARY(hypot)
BATON_BINARY(logaddexp)
BATON_BINARY(copysign)
BATON_BINARY(heaviside)
BATON_BINARY(equal)  // bool
BATON_BINARY(not_equal)
BATON_BINARY(less)
BATON_BINARY(less_equal)
BATON_BINARY(greater)
BATON_BINARY(greater_equal)
BATON_BINARY(logical_and)
BATON_BINARY(logical_or)
BATON_BINARY(logical_xor)
BATON_UNARY(logical_not)
BATON_BINARY(bitwise_and)
BATON_BINARY(bitwise_or)
BATON_BINARY(bitwise_xor)
BATON_UNARY(bitwise_not)
BATON_BINARY(left_shift)
BATON_BINARY(right_shift)  // arithmetic for signed integers
BATON_UNARY(negative)
BATON_UNARY(abs)
BATON_UNARY(sign)
BATON_UNARY(square)
BATON_UNARY(reciprocal)
// Integers and bool become f32.
BATON_UNARY(exp)
BATON_UNARY(exp2)
BATON_UNARY(expm1)
BATON_UNARY(log)
BATON_UNARY(log2)
BATON_UNARY(log10)
BATON_UNARY(log1p)
BATON_UNARY(sqrt)
BATON_UNARY(rsqrt)
BATON_UNARY(cbrt)
BATON_UNARY(sin)
BATON_UNARY(cos)
BATON_UNARY(tan)
BATON_UNARY(asin)
BATON_UNARY(acos)
BATON_UNARY(atan)
BATON_UNARY(sinh)
BATON_UNARY(cosh)
BATON_UNARY(tanh)
BATON_UNARY(asinh)
BATON_UNARY(acosh)
BATON_UNARY(atanh)
BATON_UNARY(erf)
BATON_UNARY(erfc)
BATON_UNARY(erf_inv)
BATON_UNARY(lgamma)
BATON_UNARY(digamma)
BATON_UNARY(floor)  // integers stay as they are; so for ceil, trunc and round
BATON_UNARY(ceil)
BATON_UNARY(trunc)
BATON_UNARY(isnan)
BATON_UNARY(isinf)
BATON_UNARY(isfinite)
BATON_UNARY(real)
BATON_UNARY(imag)
BATON_UNARY(conj)
#undef BATON_BINARY
#undef BATON_UNARY
Array round(Operand x, int decimals = 0);  // to nearest, ties to even
Array astype(Operand x, Dtype dtype);
/// x where the condition holds, else y; all three broadcast.
Array where(Operand condition, Operand x, Operand y);
Array clip(Operand x, std::optional<Operand> low, std::optional<Operand> high);
Array nan_to_num(Operand x, const NanToNum& options = {});
/// |x - y| <= atol + rtol * |y|, element by element.
Array isclose(Operand x, Operand y, double rtol = 1e-5, double atol = 1e-8);
Array allclose(Operand x, Operand y, double rtol = 1e-5, double atol = 1e-8);

// ---- reductions
// ---------------------------------------------------------------------------------------------------

Array sum(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array prod(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array max(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array min(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array amax(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array amin(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array mean(Operand x, const Axes& axes = {}, const ReduceOptions& options = {});
Array var(Operand x, const Axes& axes = {}, const VarianceOptions& options = {});
Array stddev(Operand x, const Axes& axes = {}, const VarianceOptions& options = {});
Array any(Operand x, const Axes& axes = {}, const KeepOptions& options = {});
/// `all(x)` is true where every element is; `x.at(all, 0)` keeps a whole axis.
struct All {
  Array operator()(Operand x, const Axes& axes = {}, const KeepOptions& options = {}) const;
};
inline constexpr All all;
Array argmax(Operand x, std::optional<int> axis = {},
             const KeepOptions& options = {});  // no axis: of x flattened
Array argmin(Operand x, std::optional<int> axis = {}, const KeepOptions& options = {});
Array cumsum(Operand x, std::optional<int> axis = {});
Array cumprod(Operand x, std::optional<int> axis = {});
Array diff(Operand x, int n = 1, int axis = -1);
/// Sums of the slices of `data` (axis 0) that have one id; ids out of [0, count) are dropped. Empty segments:
/// 0, 1, the lowest and the highest number.
Array segment_sum(Operand data, Operand ids, std::int64_t count);
Array segment_prod(Operand data, Operand ids, std::int64_t count);
Array segment_max(Operand data, Operand ids, std::int64_t count);
Array segment_min(Operand data, Operand ids, std::int64_t count);

// ---- shapes
// -------------------------------------------------------------------------------------------------------

Array reshape(Operand x, const Shape& shape);  // one extent may be -1: what remains
Array ravel(Operand x);
Array transpose(Operand x, const std::vector<std::int64_t>& axes = {});  // no axes: all reversed
Array swapaxes(Operand x, int axis1, int axis2);
Array moveaxis(Operand x, const Axes& source, const Axes& destination);
Array expand_dims(Operand x, const Axes& axes);
Array squeeze(Operand x, const Axes& axes = {});  // no axes: all of extent 1
Array broadcast_to(Operand x, const Shape& shape);
Arrays broadcast_arrays(Operands operands);
Shape broadcast_shapes(const std::vector<Shape>& shapes, Where where = Where::here());
Array concatenate(Operands operands, int axis = 0);
Array stack(Operands operands, int axis = 0);
Array vstack(Operands operands);
Array hstack(Operands operands);
Arrays split(Operand x, int sections, int axis = 0);
Arrays split(Operand x, const std::vector<std::int64_t>& indices, int axis = 0);
Array tile(Operand x, const std::vector<std::int64_t>& repeats);
Array repeat(Operand x, std::int64_t repeats, std::optional<int> axis = {});
Array flip(Operand x, const Axes& axes = {});
Array roll(Operand x, std::int64_t shift, std::optional<int> axis = {});
/// widths[i] is before and after axis i; one pair stands for all axes.
Array pad(Operand x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, Operand value = 0);
Array tril(Operand x, int k = 0);
Array triu(Operand x, int k = 0);
Array diag(Operand x, int k = 0);  // of a vector: the matrix; of a matrix: its diagonal
Array diagonal(Operand x, int offset = 0, int axis1 = 0, int axis2 = 1);

// ---- new arrays
// ---------------------------------------------------------------------------------------------------

Array zeros(const Shape& shape, Dtype dtype = Dtype::f32, Where where = Where::here());
Array ones(const Shape& shape, Dtype dtype = Dtype::f32, Where where = Where::here());
Array full(const Shape& shape, Operand value, std::optional<Dtype> dtype = {});
Array zeros_like(Operand x);
Array ones_like(Operand x);
Array full_like(Operand x, Operand value);
Array eye(std::int64_t rows, std::int64_t columns = -1, int k = 0, Dtype dtype = Dtype::f32,
          Where where = Where::here());
/// s32 where all numbers are integers, else f32.
Array arange(Number stop, std::optional<Dtype> dtype = {}, Where where = Where::here());
Array arange(Number start, Number stop, Number step = 1, std::optional<Dtype> dtype = {},
             Where where = Where::here());
Array linspace(Operand start, Operand stop, std::int64_t count = 50, const LinspaceOptions& options = {});
Arrays meshgrid(Operands operands, const MeshOptions& options = {});

// ---- products
// -----------------------------------------------------------------------------------------------------

/// [.., m, k] x [.., k, n] -> [.., m, n]; leading axes broadcast; vectors are rows on the left, columns on
/// the right.
Array matmul(Operand x, Operand y);
/// The last axis of x with the second-to-last of y; no axes broadcast: [a.., k] x [b.., k, n] -> [a.., b..,
/// n].
Array dot(Operand x, Operand y);
Array vdot(Operand x, Operand y);                     // of both flattened, x conjugated
Array vecdot(Operand x, Operand y, int axis = -1);    // x conjugated
Array inner(Operand x, Operand y);                    // over the last axes
Array outer(Operand x, Operand y);                    // of both flattened
Array tensordot(Operand x, Operand y, int axes = 2);  // the last of x with the first of y
Array tensordot(Operand x, Operand y, const TensordotAxes& axes);
/// `einsum("bij,bjk->bik", {x, y})`. Without `->`, letters that occur once are kept, sorted. `...` stands for
/// any axes.
Array einsum(const std::string& subscripts, Operands operands);
Array kron(Operand x, Operand y);
Array cross(Operand x, Operand y, int axis = -1);  // of vectors of three

// ---- by index; x.at(...) is in baton/indexing.h
// -------------------------------------------------------------------

/// Slices of x along an axis (none: x flattened), which the shape of the indices replaces.
Array take(Operand x, Operand indices, std::optional<int> axis = {}, const TakeOptions& options = {});
/// One element for each index: result[i][j] = x[i][indices[i][j]] for axis 1.
Array take_along_axis(Operand x, Operand indices, int axis = -1, const TakeOptions& options = {});
/// Where the queries would go in a sorted vector.
Array searchsorted(Operand sorted, Operand queries, bool right = false);
Array sort(Operand x, int axis = -1, const SortingOptions& options = {});
Array argsort(Operand x, int axis = -1, const SortingOptions& options = {});
/// Values at x of the piecewise linear function through (xp, fp); xp rises.
Array interp(Operand x, Operand xp, Operand fp, const InterpOptions& options = {});

}  // namespace baton
