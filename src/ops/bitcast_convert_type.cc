// bitcast_convert_type: the same bits as another dtype. A narrower dtype adds a last axis, a wider one takes
// it away.
#include "ops/element_rules.h"
#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
struct BitcastConvertType {
  Dtype dtype = s32;
  BATON_FIELDS(dtype)
};
bool plain(Dtype d) { return d != boolean && !is_complex(d); }
Types type(std::span<const Type> in, const Params& params) {
  require_count("bitcast_convert_type", in, 1);
  const Dtype to = params.as<BitcastConvertType>().dtype, from = in[0].dtype;
  if (to != from && !(plain(to) && plain(from)))
    type_error("bitcast_convert_type", "bool and complex dtypes cannot be cast, found " + show(in[0]) +
                                           " to " + std::string(name_of(to)) + ".");
  Shape shape = in[0].shape;
  const auto old_size = static_cast<std::int64_t>(size_of(from)),
             new_size = static_cast<std::int64_t>(size_of(to));
  if (new_size < old_size) shape.push_back(old_size / new_size);
  if (new_size > old_size) {
    if (shape.empty() || shape.back() != new_size / old_size)
      type_error("bitcast_convert_type", "the last axis must have extent " +
                                             std::to_string(new_size / old_size) + " to make one " +
                                             std::string(name_of(to)) + ", found " + show(in[0]) + ".");
    shape.pop_back();
  }
  return {{to, shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  copy_all(out[0], in[0].data);
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  return {{lax::bitcast_convert_type(batch_to_front(in[0]), params.as<BitcastConvertType>().dtype), 0}};
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  const Dtype from = w.operand_type(0).dtype, to = params.as<BitcastConvertType>().dtype;
  const auto plain = [](Dtype d) { return d != boolean && d != f16 && d != bf16; };
  if (size_of(from) != size_of(to) || !plain(from) || !plain(to)) return {};
  return emit(Do::bits, to, w.operand(0, at));
}
}  // namespace
extern const Primitive bitcast_convert_type = {
    .name = "bitcast_convert_type",
    .cost = Cost::free,
    .params = BitcastConvertType{},
    .type = type,
    .evaluate = evaluate,
    .element = element,
    .jvp = zero_jvp,
    .batch = batch,
    .examples = {
        {.inputs = {{f32, {2, 3}}}, .params = BitcastConvertType{s32}, .order = 0},
        {.inputs = {{s32, {}}}, .params = BitcastConvertType{f32}, .order = 0},
        {.inputs = {{u32, {3}}}, .params = BitcastConvertType{u8}, .order = 0, .note = "a last axis more"},
        {.inputs = {{u16, {3, 4}}}, .params = BitcastConvertType{f64}, .order = 0, .note = "one less"},
        {.inputs = {{f32, {0}}}, .params = BitcastConvertType{u16}, .order = 0}}};
}  // namespace ops
Array lax::bitcast_convert_type(Operand x, Dtype dtype) {
  return bind_one(ops::bitcast_convert_type, {x.array()}, ops::BitcastConvertType{dtype}, x.where());
}
}  // namespace baton
