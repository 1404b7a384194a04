#pragma once
// collective: what operations over an axis name of vmap share. Batching over that axis turns them into
// operations on the batch axis; any other batch axis is carried along. So none is left when a Program runs.
#include "ops/rules.h"

namespace baton::ops {

struct Collective {
  std::string axis_name;
  std::int64_t axis_size = 0;
  BATON_FIELDS(axis_name, axis_size)
};

template <class P>
bool names_axis(const Params& params, std::string_view name) {
  return params.as<P>().axis_name == name;
}
/// evaluate of every collective: batching should have replaced it.
void evaluate_collective(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&);
Collective collective(std::string_view name, const std::string& axis_name, Where where);
/// psum, pmax and pmin of an array, the size of the axis taken from the traces around.
Array bind_over_lanes(const Primitive&, Operand x, const std::string& axis_name);

// ---- the rules of pmax and pmin
// -----------------------------------------------------------------------------------

template <const Primitive& self>
Types chosen_lane_type(std::span<const Type> in, const Params&) {
  require_count(self.name, in, 1);
  return {in[0]};
}
/// Lanes that hold the result share its tangent.
Arrays chosen_lane_jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params&);
/// `reduce` chooses among the elements of an axis.
template <const Primitive& self, auto reduce>
std::vector<Batched> chosen_lane_batch(const BatchAxis& axis, std::span<const Batched> in,
                                       const Params& params, Transformer&) {
  if (params.as<Collective>().axis_name != axis.name)
    return {{bind_one(self, {in[0].value}, params, {}), in[0].axis}};
  if (in[0].axis >= 0) return {{reduce(in[0].value, {in[0].axis}), -1}};
  return {in[0]};
}

// ---- all_gather, psum_scatter and all_to_all
// ----------------------------------------------------------------------

/// all_gather and psum_scatter with their params given, as each other's adjoints need them.
Array gather_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                        bool tiled);
Array scatter_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                         bool tiled);

/// "axis 1 of f32[2,3] must ...", an extent that must be the axis's size, or be divided by it.
void require_split(std::string_view name, const Type& x, std::int64_t axis, std::int64_t size, bool tiled);

}  // namespace baton::ops
