// constant: an array written into the Program. Scalars are literals instead.
#include "ops/constant.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type>, const Params& p) {
  const auto& c = p.as<Constant>();
  if (c.bytes.data.size() != c.type.bytes())
    type_error("constant", show(c.type) + " takes " + std::to_string(c.type.bytes()) + " bytes, found " +
                               std::to_string(c.bytes.data.size()) + ".");
  return {c.type};
}
void evaluate(std::span<const View>, std::span<const View> out, const Params& p, Evaluator&) {
  const std::string& data = p.as<Constant>().bytes.data;
  copy_all(out[0], data.data());
}
std::string ramp() {  // 0, 1, 2 as f32
  const float values[] = {0, 1, 2};
  return {reinterpret_cast<const char*>(values), sizeof values};
}
}  // namespace
extern const Primitive constant = {.name = "constant",
                                   .cost = Cost::free,
                                   .params = Constant{},
                                   .type = type,
                                   .evaluate = evaluate,
                                   .examples = {{.params = Constant{{f32, {3}}, {ramp()}}, .order = 0},
                                                {.params = Constant{{f32, {0}}, {}}, .order = 0}}};
}  // namespace ops

Array constant(const Type& type, const void* data, Where where) {
  std::string bytes;
  if (type.bytes()) bytes.assign(static_cast<const char*>(data), type.bytes());
  return bind_one(ops::constant, {}, ops::Constant{type, {std::move(bytes)}}, where);
}
}  // namespace baton
