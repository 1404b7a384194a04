// ppermute: lane `destination` gets the array of lane `source`; lanes without a source get zeros. Its adjoint
// goes back.
#include "ops/collective.h"

namespace baton {
namespace ops {
extern const Primitive ppermute;
namespace {
struct Permute {
  std::string axis_name;
  std::int64_t axis_size = 0;
  std::vector<std::int64_t> sources, destinations;
  BATON_FIELDS(axis_name, axis_size, sources, destinations)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("ppermute", in, 1);
  const auto& p = params.as<Permute>();
  for (const auto* lanes : {&p.sources, &p.destinations}) {
    const char* what = lanes == &p.sources ? "sources" : "destinations";
    std::vector<std::int64_t> sorted = *lanes;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      type_error("ppermute", std::string(what) + " must be different lanes, found " + show(*lanes) + ".");
    if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= p.axis_size))
      type_error("ppermute", std::string(what) + " must be lanes of `" + p.axis_name + "`, from 0 to " +
                                 std::to_string(p.axis_size - 1) + ", found " + show(*lanes) + ".");
  }
  return {in[0]};
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand>, const Params& params, Transformer&) {
  const auto& p = params.as<Permute>();
  return {bind_one(ppermute, {ct[0]}, Permute{p.axis_name, p.axis_size, p.destinations, p.sources}, {})};
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<Permute>();
  if (p.axis_name != axis.name) return {{bind_one(ppermute, {in[0].value}, params, {}), in[0].axis}};
  const Array x = with_batch(in[0], axis);
  Arrays lanes;
  for (std::int64_t lane = 0; lane < axis.size; ++lane) {
    const auto it = std::find(p.destinations.begin(), p.destinations.end(), lane);
    const std::int64_t source =
        it == p.destinations.end() ? 0 : p.sources[static_cast<std::size_t>(it - p.destinations.begin())];
    const Array part = lax::slice_in_dim(x, source, source + 1);
    lanes.push_back(it == p.destinations.end() ? zeros_like(part) : part);
  }
  return {{lanes.empty() ? x : lax::concatenate(lanes, 0), 0}};
}
}  // namespace
const Primitive ppermute = {.name = "ppermute",
                            .linear = true,
                            .params = Permute{},
                            .type = type,
                            .evaluate = evaluate_collective,
                            .transpose = transpose_rule,
                            .batch = batch,
                            .names_axis = names_axis<Permute>};
}  // namespace ops
Array lax::ppermute(Operand x, const std::string& axis_name,
                    const std::vector<std::pair<int, int>>& source_destination) {
  ops::Permute p{axis_name, AxisName::size_of(axis_name, "ppermute", x.where()), {}, {}};
  for (const auto& [source, destination] : source_destination) {
    p.sources.push_back(source);
    p.destinations.push_back(destination);
  }
  return bind_one(ops::ppermute, {x.array()}, p, x.where());
}
}  // namespace baton
