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

/// all_gather and psum_scatter with their params given, as each other's adjoints need them.
Array gather_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                        bool tiled);
Array scatter_over_lanes(const Array& x, const std::string& name, std::int64_t size, std::int64_t axis,
                         bool tiled);

/// "axis 1 of f32[2,3] must ...", an extent that must be the axis's size, or be divided by it.
void require_split(std::string_view name, const Type& x, std::int64_t axis, std::int64_t size, bool tiled);

}  // namespace baton::ops
