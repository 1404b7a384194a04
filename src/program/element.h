#pragma once
// element: what one element of a result is, in words from which an engine writes loops. A rule asks for
// elements of its operands at positions, computes with them, and knows neither the order of the loops nor the
// processor.
#include <span>
#include <vector>

#include "baton/function_ref.h"
#include "baton/type.h"
#include "program/position.h"

namespace baton {

/// What can be done with elements.
enum class Do : unsigned char {
  constant,  // imm: the bits
  add,
  sub,
  mul,
  div,    // of integers: the divisor is neither 0 nor, below the least number, -1
  rem,    // of integers, as div; the remainder has the sign of the dividend
  mulhi,  // the upper half of the product of two integers
  min,
  max,  // as lax: those of NaN are NaN, and -0 is less than 0
  fma,  // x * y + z, rounded once
  neg,
  abs,
  sqrt,
  floor,
  ceil,
  trunc,
  nearest,  // halves to even
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,
  shift_right_logical,
  shift_right_arithmetic,  // by less than the width
  leading_zeros,
  ones,  // how many bits are set
  eq,
  ne,
  lt,
  le,
  gt,
  ge,       // bool; false for NaN but ne
  select,   // bool, where true, where false
  convert,  // to the dtype, in range
  bits,     // the same bits as another dtype of the same size
  // Functions of real numbers.
  exp,
  exp2,
  expm1,
  log,
  log1p,
  logistic,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  erf_inv,
  cbrt,
  lgamma,
  digamma,
  bessel_i0e,
  bessel_i1e,
  pow,
  atan2,
  zeta,
  polygamma,
  igamma,
  igammac,
  igamma_grad_a,
  // What engines alone write.
  pointer,  // imm: which argument; its dtype is that of the elements
  from,     // the first and the end of the range that this call works on, s64
  until,
  lane,    // 0, 1, ..., 15
  repeat,  // a scalar in every lane
  load,    // pointer, index s64 (of the first lane where wide); third operand, if any: the mask
  gather,  // pointer, wide index s64; third operand, if any: the mask. Lanes that are off are zero
  store,   // value, pointer, index; the mask of a store is imm: a value, or -1
  moved,   // lane l is lane l + imm, for l < imm; the others stay
  first,   // lane 0
  any,     // whether a bool is true in any lane
  join,    // two real numbers as a complex one lies in memory
  part,    // imm 0: the real part of one, 1: the imaginary part
};

constexpr bool is_function(Do what) { return what >= Do::exp && what <= Do::igamma_grad_a; }

class ElementWriter;

/// An element in the code that is being written. 16-bit floats are computed with as f32; the result of a rule
/// is rounded once. A complex number is two values.
struct Scalar {
  ElementWriter* writer = nullptr;
  int value = -1;
  int imaginary = -1;

  bool empty() const { return value < 0; }
  bool is_complex() const { return imaginary >= 0; }
  Scalar real() const { return {writer, value}; }
  Scalar imag() const { return {writer, imaginary}; }
  Dtype dtype() const;
};
/// The complex number of two real ones.
inline Scalar complex(Scalar real, Scalar imag) { return {real.writer, real.value, imag.value}; }

/// Combines the elements at all positions of some extents, in an order that depends on the extents alone.
struct Fold {
  std::span<const std::int64_t> extents;
  /// What combining does not change.
  std::span<const Scalar> start;
  /// Whether the last extent is the innermost one of the array in memory: then 16 chains go side by side.
  bool along_lanes = false;
  /// The elements at a position.
  FunctionRef<std::vector<Scalar>(std::span<const Position>)> at;
  FunctionRef<std::vector<Scalar>(std::span<const Scalar> left, std::span<const Scalar> right)> combine;
};

class ElementWriter {
 public:
  virtual std::size_t operands() const = 0;
  virtual const Type& operand_type(std::size_t which) const = 0;
  virtual const Type& result_type(std::size_t which) const = 0;
  /// The element of an operand at one position for each axis.
  virtual Scalar operand(std::size_t which, std::span<const Position> at) = 0;
  /// A number of this dtype; of integers the bits.
  virtual Scalar number(Dtype, double) = 0;
  virtual Scalar integer(Dtype, std::int64_t) = 0;
  virtual Scalar literal(Dtype, const void* bytes) = 0;
  /// A position as a number, and a number as a position that lies in the range.
  virtual Scalar count(const Position&, Dtype = Dtype::s64) = 0;
  virtual Position position(Scalar, Range) = 0;
  /// The result has this dtype.
  virtual Scalar emit(Do, Dtype, Scalar x, Scalar y = {}, Scalar z = {}) = 0;
  virtual Dtype dtype(Scalar) const = 0;
  /// `inside` where the condition holds, and only there does it read memory; `otherwise` elsewhere.
  virtual Scalar guarded(Scalar condition, FunctionRef<Scalar()> inside, Scalar otherwise) = 0;
  virtual std::vector<Scalar> fold(const Fold&) = 0;

 protected:
  ~ElementWriter() = default;
};

inline Dtype Scalar::dtype() const { return writer->dtype(*this); }

inline Scalar emit(Do what, Dtype dtype, Scalar x, Scalar y = {}, Scalar z = {}) {
  return x.writer->emit(what, dtype, x, y, z);
}
inline Scalar emit(Do what, Scalar x, Scalar y = {}, Scalar z = {}) { return emit(what, x.dtype(), x, y, z); }
inline Scalar operator+(Scalar x, Scalar y) { return emit(Do::add, x, y); }
inline Scalar operator-(Scalar x, Scalar y) { return emit(Do::sub, x, y); }
inline Scalar operator*(Scalar x, Scalar y) { return emit(Do::mul, x, y); }
inline Scalar operator/(Scalar x, Scalar y) { return emit(Do::div, x, y); }
inline Scalar operator-(Scalar x) { return emit(Do::neg, x); }
inline Scalar operator&(Scalar x, Scalar y) { return emit(Do::bit_and, x, y); }
inline Scalar operator|(Scalar x, Scalar y) { return emit(Do::bit_or, x, y); }
inline Scalar operator^(Scalar x, Scalar y) { return emit(Do::bit_xor, x, y); }
inline Scalar compare(Do how, Scalar x, Scalar y) { return emit(how, Dtype::boolean, x, y); }
inline Scalar select(Scalar condition, Scalar where_true, Scalar where_false) {
  return emit(Do::select, where_true.dtype(), condition, where_true, where_false);
}

}  // namespace baton
