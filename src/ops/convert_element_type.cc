// convert_element_type: the same values in another dtype. Real to integer truncates and saturates, NaN gives
// 0; complex to real drops the imaginary part; integers wrap; to bool is "not zero". Linear between inexact
// dtypes.
#include "ops/convert_element_type.h"

#include "ops/element_rules.h"
#include "ops/elementwise.h"
#include "ops/same_as.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("convert_element_type", in, 1);
  return {{params.as<ConvertElementType>().dtype, in[0].shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class From>(Tag<From>) {
    with_type(out[0].dtype(), [&]<class To>(Tag<To>) {
      const auto x = in[0].as<From>();
      const auto y = out[0].as<To>();
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = convert_element<To>(x[i]);
    });
  });
}
Arrays jvp(const Arrays&, const Arrays& y, const Arrays& dx, const Params&) {
  if (!is_inexact(y[0].dtype())) return {Array()};
  return {lax::convert_element_type(dx[0], y[0].dtype())};
}
Arrays transpose(const Arrays& ct, std::span<const LinearOperand> x, const Params&, Transformer&) {
  return {lax::convert_element_type(ct[0], x[0].type.dtype)};
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  for (Dtype to : {f64, f32, f16, bf16, c64, c128})
    rows.push_back(
        {.inputs = {{f32, {2, 3}}}, .params = ConvertElementType{to}, .tolerance = to == bf16 ? 5e-2 : 1e-5});
  for (Dtype to : {f64, f32, c64, boolean})
    rows.push_back(
        {.inputs = {{c64, {3}}}, .params = ConvertElementType{to}, .order = to == boolean ? 0 : 2});
  for (Dtype to : {s32, u8, boolean, s64})
    rows.push_back(
        {.inputs = {{f32, {3}}}, .params = ConvertElementType{to}, .low = -300, .high = 300, .order = 0});
  for (Dtype to : {f32, s8, u16, boolean, c64})
    rows.push_back(
        {.inputs = {{s32, {4}}}, .params = ConvertElementType{to}, .low = -300, .high = 300, .order = 0});
  rows.push_back({.inputs = {{boolean, {4}}}, .params = ConvertElementType{f32}, .order = 0});
  rows.push_back({.inputs = {{f32, {0, 2}}}, .params = ConvertElementType{f64}, .note = "no elements"});
  return rows;
}
int same_as(std::span<const Type> in, Filled, const Params& params) {
  return params.as<ConvertElementType>().dtype == in[0].dtype ? 0 : -1;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return converted(w.operand(0, at), w.operand_type(0).dtype, params.as<ConvertElementType>().dtype);
}
}  // namespace
extern const Primitive convert_element_type = {.name = "convert_element_type",
                                               .elementwise = true,
                                               .params = ConvertElementType{},
                                               .type = type,
                                               .evaluate = evaluate,
                                               .element = element,
                                               .jvp = jvp,
                                               .transpose = transpose,
                                               .same_as = same_as,
                                               .examples = examples()};
}  // namespace ops
Array lax::convert_element_type(Operand x, Dtype dtype) {
  // A number becomes an array of the dtype at once, without the rounding of its own, unless that would lose
  // it.
  const bool narrows = (x.kind() == Operand::Kind::real && is_integer(dtype)) ||
                       (x.kind() == Operand::Kind::complex && !is_complex(dtype));
  if (narrows)
    return bind_one(ops::convert_element_type, {x.array(x.kind() == Operand::Kind::real ? f64 : c128)},
                    ops::ConvertElementType{dtype}, x.where());
  if (!x.is_array()) return x.array(dtype);
  const Array a = x.array();
  if (!a.empty() && a.dtype() == dtype) return a;
  return bind_one(ops::convert_element_type, {a}, ops::ConvertElementType{dtype}, x.where());
}
}  // namespace baton
