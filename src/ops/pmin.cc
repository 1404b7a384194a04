// pmin: the smallest over the lanes of an axis name; every lane gets it. Lanes that hold it share the
// gradient.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive pmin = {.name = "pmin",
                               .params = Collective{},
                               .type = chosen_lane_type<pmin>,
                               .evaluate = evaluate_collective,
                               .jvp = chosen_lane_jvp,
                               .batch = chosen_lane_batch<pmin, lax::reduce_min>,
                               .names_axis = names_axis<Collective>};
}  // namespace ops
Array lax::pmin(Operand x, const std::string& axis_name) {
  return ops::bind_over_lanes(ops::pmin, x, axis_name);
}
}  // namespace baton
