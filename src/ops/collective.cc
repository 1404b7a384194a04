// collective: the shared pieces of operations over an axis name.
#include "ops/collective.h"

namespace baton::ops {
extern const Primitive psum;

void evaluate_collective(std::span<const View>, std::span<const View>, const Params&, Evaluator&) {
  throw UsageError(
      "a Program with an operation over the axis name of a vmap (psum and its like) cannot run outside of it."
      "\n  Trace the vmapped function instead of the function inside.");
}

Collective collective(std::string_view name, const std::string& axis_name, Where where) {
  return {axis_name, AxisName::size_of(axis_name, name, where)};
}

Array bind_over_lanes(const Primitive& primitive, Operand x, const std::string& axis_name) {
  return bind_one(primitive, {x.array()}, collective(primitive.name, axis_name, x.where()), x.where());
}

Arrays chosen_lane_jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  const Array chosen = lax::convert_element_type(lax::eq(x[0], out[0]), dx[0].dtype());
  auto sum = [&](const Array& a) { return bind_one(psum, {a}, params, {}); };
  return {lax::div(sum(lax::mul(dx[0], chosen)), sum(chosen))};
}

void require_split(std::string_view name, const Type& x, std::int64_t axis, std::int64_t size, bool tiled) {
  require_axis(name, x, axis);
  if (size < 1) type_error(name, "at least one lane is required, found " + std::to_string(size) + ".");
  const std::int64_t extent = x.shape[static_cast<std::size_t>(axis)];
  if (tiled ? extent % size != 0 : extent != size)
    type_error(name,
               "axis " + std::to_string(axis) + " of " + show(x) + " must " +
                   (tiled ? "be a multiple of the number of lanes, " : "have one element for each lane, ") +
                   std::to_string(size) + ".");
}

}  // namespace baton::ops
