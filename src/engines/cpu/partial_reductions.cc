// partial_reductions: the reduced axes in front become two, by a reshape that moves nothing, and the outer
// one of them is reduced last.
#include "engines/cpu/partial_reductions.h"

#include <algorithm>
#include <optional>

#include "ops/convert_element_type.h"
#include "ops/reduction.h"
#include "ops/reshape.h"
#include "passes/rewrite.h"

namespace baton::cpu {
namespace {

using ops::at;

constexpr std::int64_t worth_parts = 1 << 16;  // elements of the operand
constexpr std::int64_t long_sum = 4096;        // elements of it for each of the result
constexpr std::int64_t most_results = 1024;    // more can be shared out as they are
constexpr std::int64_t few_parts = 4, most_parts = 64;

/// The operand's new shape, whose axis 0 counts the parts, and what to reduce in it first.
struct Cut {
  Shape shape;
  std::vector<std::int64_t> axes;
};

std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  while (n % most) --most;
  return most;
}

/// Of the axes in front that are reduced as many become one as can be cut into the most parts.
std::optional<Cut> cut_of(const Shape& shape, const std::vector<std::int64_t>& axes) {
  std::size_t best = 0, count = 0;
  std::int64_t parts = few_parts - 1, extent = 1, part = 1;
  for (; count < shape.size() && ops::holds(axes, static_cast<std::int64_t>(count)); ++count) {
    extent *= shape[count];
    const std::int64_t divisor = largest_divisor(extent, most_parts);
    if (divisor > parts) best = count + 1, parts = divisor, part = extent / divisor;
  }
  if (best == 0) return std::nullopt;
  Cut cut{{parts, part}, {1}};
  for (std::size_t i = best; i < shape.size(); ++i) {
    if (ops::holds(axes, static_cast<std::int64_t>(i)))
      cut.axes.push_back(static_cast<std::int64_t>(cut.shape.size()));
    cut.shape.push_back(shape[i]);
  }
  return cut;
}

class Cutter {
 public:
  explicit Cutter(const Program& program) : p_(*program), rewrite_(program) {}

  Program run() {
    for (const Equation& e : p_.equations) {
      const auto cut = e.params.is<ops::Reduction>() && is_worth(e)
                           ? cut_of(p_.type(e.inputs[0]).shape, e.params.as<ops::Reduction>().axes)
                           : std::nullopt;
      rewrite_.set(e.outputs, cut ? in_parts(e, *cut) : rewrite_.copy(e, e.params));
    }
    return rewrite_.finish();
  }

 private:
  bool is_worth(const Equation& e) const {
    const std::int64_t elements = p_.type(e.inputs[0]).size(), results = p_.type(e.outputs[0]).size();
    return elements >= worth_parts && results <= most_results && elements / results >= long_sum;
  }

  /// Small floats are f32 until the end, as they are within one reduction.
  std::vector<Var> in_parts(const Equation& e, const Cut& cut) {
    const Type& result = p_.type(e.outputs[0]);
    const Dtype stored = result.dtype, between = is_inexact(stored) && size_of(stored) < 4 ? f32 : stored;
    Shape partial = result.shape;
    partial.insert(partial.begin(), cut.shape[0]);
    Var x = add(ops::reshape, ops::Reshape{cut.shape}, rewrite_(e.inputs[0]), {stored, cut.shape}, e);
    x = converted(x, {between, cut.shape}, e);
    x = add(*e.primitive, ops::Reduction{cut.axes}, x, {between, partial}, e);
    x = add(*e.primitive, ops::Reduction{{0}}, x, {between, result.shape}, e);
    return {converted(x, result, e)};
  }
  Var converted(Var x, const Type& type, const Equation& e) {
    if (rewrite_.builder().type(x).dtype == type.dtype) return x;
    return add(ops::convert_element_type, ops::ConvertElementType{type.dtype}, x, type, e);
  }
  Var add(const Primitive& primitive, Params params, Var x, const Type& type, const Equation& e) {
    return rewrite_.builder().equation(primitive, std::move(params), {x}, {type}, e.number)[0];
  }

  const ProgramData& p_;
  Rewrite rewrite_;
};

}  // namespace

Program reduce_in_parts(const Program& program) { return Cutter(program).run(); }

}  // namespace baton::cpu
