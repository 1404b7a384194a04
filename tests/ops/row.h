#pragma once
// row: one example of one primitive in one choice of dtypes, with inputs drawn for it.
// Everything here is a function of the primitive's name and the example's index, so a failure can be
// repeated.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "program/primitive.h"

namespace baton::testing {

/// An example of a primitive: the parameter of the generated tests.
struct Row {
  const Primitive* primitive = nullptr;
  Example example;
  int index = 0;
  std::string edge = {};     // of a row made from another: what was changed
  std::string name() const;  // sin__2
};
void PrintTo(const Row&, std::ostream*);  // for gtest
/// Of the primitive that BATON_ONLY names alone, if it is set: making all takes longer than running one's
/// tests.
const std::vector<Row>& rows();
bool wanted(std::string_view primitive);
/// The rows with an extent, or all that are alike, replaced by 0 and by 1, where the type rule accepts that.
const std::vector<Row>& edge_rows();

/// The row with other dtypes in its inputs, and in Programs that its Params hold.
struct Variant {
  Types inputs, outputs;
  Params params;
  std::string label;  // sin{...} of f64[2,3]
};
/// Every choice of dtypes that the type rule accepts, the row's own first; of rows at the edges its own
/// alone.
std::vector<Variant> variants(const Row&);
/// Those of which finite differences are taken: f64, and c128 where the rule accepts it.
std::vector<Variant> precise_variants(const Row&);

/// Random numbers by counter: splitmix64 of (seed, count).
class Random {
 public:
  explicit Random(std::string_view seed);
  std::uint64_t bits();
  double uniform(double low, double high);

 private:
  std::uint64_t state_, count_ = 0;
};

/// Inputs from the example's range.
Arrays draw(const Row&, const Types&, Random&);
/// Directions and cotangents: between -1 and 1.
Array draw_direction(const Type&, Random&);
/// NaN, infinities, -0, the largest and the smallest; of integers, their extremes.
Array specials(const Type&, Random&);

/// The Program of the one equation.
Program program_of(const Primitive&, const Types& inputs, const Params&);
/// Runs on the reference engine.
Arrays run(const Program&, const Arrays& inputs);

bool same_bits(const Array&, const Array&);
/// Empty if they agree to what their dtype can hold (times `slack`), or else what differs first.
std::string difference(const Array& found, const Array& wanted, double slack = 1);
/// Empty if all bits agree, those of NaN aside, or else what differs first.
std::string difference_of_bits(const Array& found, const Array& wanted);
/// The elements as complex numbers of long double; integers and bool too.
std::vector<std::complex<long double>> elements(const Array&);
Array from_elements(const Type&, const std::vector<std::complex<long double>>&);

/// Lanes to one array with the lanes along `axis`, and back.
Array stack(const Arrays& lanes, int axis);
Arrays unstack(const Array&, int axis);

/// Whether there is a while, whose condition special values might never make false.
bool may_loop_for_ever(const Primitive&, const Params&);
bool differentiable(const Row&, const Types&, std::size_t input);

}  // namespace baton::testing
