// ppermute: lane `destination` gets the array of lane `source`; lanes without a source get zeros. Its adjoint
// goes back.
#include "ops/collective.h"
#include "ops/indexing.h"

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
  std::vector<std::int32_t> sources(at(axis.size));
  auto given = std::make_unique<bool[]>(at(axis.size));  // not std::vector<bool>, whose elements are no bool
  for (std::size_t k = 0; k < p.sources.size(); ++k) {
    sources[at(p.destinations[k])] = static_cast<std::int32_t>(p.sources[k]);
    given[at(p.destinations[k])] = true;
  }
  const Array from({s32, {axis.size}}, sources.data()), mask({boolean, {axis.size}}, given.get());
  const Array taken = take("ppermute", x, from, 0);
  if (static_cast<std::int64_t>(p.sources.size()) == axis.size) return {{taken, 0}};
  return {{lax::select(lax::broadcast_in_dim(mask, x.shape(), {0}), taken, zeros_like(x)), 0}};
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
