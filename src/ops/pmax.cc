// pmax: the largest over the lanes of an axis name; every lane gets it. Lanes that hold it share the
// gradient.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive pmax, psum;
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("pmax", in, 1);
  return {in[0]};
}
Arrays jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params& params) {
  const Array chosen = lax::convert_element_type(lax::eq(x[0], out[0]), dx[0].dtype());
  auto sum = [&](const Array& a) { return bind_one(psum, {a}, params, {}); };
  return {lax::div(sum(lax::mul(dx[0], chosen)), sum(chosen))};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  if (params.as<Collective>().axis_name != axis.name)
    return {{bind_one(pmax, {in[0].value}, params, {}), in[0].axis}};
  if (in[0].axis >= 0) return {{lax::reduce_max(in[0].value, {in[0].axis}), -1}};
  return {in[0]};
}
}  // namespace
const Primitive pmax = {.name = "pmax",
                        .params = Collective{},
                        .type = type,
                        .evaluate = evaluate_collective,
                        .jvp = jvp,
                        .batch = batch,
                        .names_axis = names_axis<Collective>};
}  // namespace ops
Array lax::pmax(Operand x, const std::string& axis_name) {
  return bind_one(ops::pmax, {x.array()}, ops::collective("pmax", axis_name, x.where()), x.where());
}
}  // namespace baton
