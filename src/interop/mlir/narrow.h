#pragma once
// narrow: the element types that Baton does not have as dtypes: i2, i4 and floats of 4 to 8 bits. Their
// numbers are carried by a dtype that holds each of them exactly.
#include <string_view>

#include "baton/dtype.h"

namespace baton::mlir {

struct Narrow {
  enum class Kind : unsigned char {
    integer,
    ieee,      // infinities and NaN at the largest exponent
    fn,        // no infinity; NaN at the largest exponent and mantissa
    fnuz,      // no infinity and no negative zero, whose place is NaN's
    finite,    // neither infinity nor NaN: what is too large becomes the largest number, NaN negative zero
    exponent,  // powers of two and one NaN: no sign, no zero
  };
  std::string_view name = {};  // as MLIR writes it
  Kind kind = Kind::integer;
  int bits = 0;
  Dtype carrier = s8;
  int mantissa_bits = 0;
  int min_exponent = 0;  // the smallest normal number is 2 to this
  double largest = 0;    // the largest finite number

  bool floating() const { return kind != Kind::integer; }
  /// The type as MLIR writes it that holds the numbers of the format.
  std::string_view carrier_name() const { return floating() ? "f32" : is_signed(carrier) ? "i8" : "ui8"; }
};

/// The format of this name; nullptr where there is none.
const Narrow* narrow_type(std::string_view name);
/// The number that these bits stand for.
double value_of(const Narrow&, unsigned bits);
/// The number of a floating format nearest to x, ties to even, with the format's own overflow, zero and NaN.
double nearest(const Narrow&, double x);

}  // namespace baton::mlir
