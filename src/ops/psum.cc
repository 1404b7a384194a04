// psum: the sum over the lanes of an axis name; every lane gets it. Its adjoint is itself.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive psum;
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("psum", in, 1);
  require_dtype("psum", in, 0, Domain::number);
  return {in[0]};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  return {bind_one(psum, {ct[0]}, params, {})};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  if (params.as<Collective>().axis_name != axis.name)
    return {{bind_one(psum, {in[0].value}, params, {}), in[0].axis}};
  if (in[0].axis >= 0) return {{lax::reduce_sum(in[0].value, {in[0].axis}), -1}};
  return {{lax::mul(in[0].value, axis.size), -1}};
}
}  // namespace
const Primitive psum = {.name = "psum",
                        .linear = true,
                        .params = Collective{},
                        .type = type,
                        .evaluate = evaluate_collective,
                        .transpose = transpose_rule,
                        .batch = batch,
                        .names_axis = names_axis<Collective>};
}  // namespace ops
Array lax::psum(Operand x, const std::string& axis_name) {
  return ops::bind_over_lanes(ops::psum, x, axis_name);
}
Array lax::pmean(Operand x, const std::string& axis_name) {
  const Frame frame(x.where());
  const std::int64_t size = AxisName::size_of(axis_name, "pmean", x.where());
  const Array a = x.array();
  if (!a.empty() && !is_inexact(a.dtype()))
    type_error("pmean", "operand 0 must be floating or complex, found " + show(a.type()) +
                            ".\n  Convert it first: astype(x, f32).");
  return lax::div(lax::psum(a, axis_name), size);
}
std::int64_t lax::axis_size(const std::string& axis_name, Where where) {
  return AxisName::size_of(axis_name, "axis_size", where);
}
}  // namespace baton
