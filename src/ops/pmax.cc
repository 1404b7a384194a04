// pmax: the largest over the lanes of an axis name; every lane gets it. Lanes that hold it share the
// gradient.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive pmax = {.name = "pmax",
                               .params = Collective{},
                               .type = chosen_lane_type<pmax>,
                               .evaluate = evaluate_collective,
                               .jvp = chosen_lane_jvp,
                               .batch = chosen_lane_batch<pmax, lax::reduce_max>,
                               .names_axis = names_axis<Collective>};
}  // namespace ops
Array lax::pmax(Operand x, const std::string& axis_name) {
  return ops::bind_over_lanes(ops::pmax, x, axis_name);
}
}  // namespace baton
