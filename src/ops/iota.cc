// iota: counts 0, 1, 2, ... along one axis, the same on all others. Integers wrap.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct Iota {
  Type type;
  int dimension = 0;
  BATON_FIELDS(type, dimension)
};
Types type(std::span<const Type> in, const Params& params) {
  require_count("iota", in, 0);
  const auto& p = params.as<Iota>();
  if (p.type.dtype == boolean)
    type_error("iota", "a dtype that counts is required, found " + show(p.type) + ".");
  for (std::int64_t extent : p.type.shape)
    if (extent < 0) type_error("iota", "an extent of the shape " + show(p.type.shape) + " is negative.");
  require_axis("iota", p.type, p.dimension);
  return {p.type};
}
void evaluate(std::span<const View>, std::span<const View> out, const Params& params, Evaluator&) {
  const auto axis = static_cast<std::size_t>(params.as<Iota>().dimension);
  with_type(out[0].dtype(), [&]<class T>(Tag<T>) {
    const auto y = out[0].as<T>();
    std::size_t i = 0;
    for (Counter c(out[0].shape()); !c.done(); c.next(), ++i) y[i] = convert_element<T>(c[axis]);
  });
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return w.count(at[static_cast<std::size_t>(params.as<Iota>().dimension)], params.as<Iota>().type.dtype);
}
}  // namespace
extern const Primitive iota = {.name = "iota",
                               .cost = Cost::free,
                               .params = Iota{},
                               .type = type,
                               .evaluate = evaluate,
                               .element = element,
                               .examples = {{.params = Iota{{f32, {4}}, 0}, .order = 0},
                                            {.params = Iota{{s32, {2, 3}}, 1}, .order = 0},
                                            {.params = Iota{{c64, {2, 3}}, 0}, .order = 0},
                                            {.params = Iota{{u8, {300}}, 0}, .order = 0, .note = "wraps"},
                                            {.params = Iota{{bf16, {0, 3}}, 1}, .order = 0}}};
}  // namespace ops
Array lax::iota(const Type& type, int dimension, Where where) {
  const int axis = static_cast<int>(ops::canonical_axis(dimension, type.rank()));
  return bind_one(ops::iota, {}, ops::Iota{type, axis}, where);
}
}  // namespace baton
