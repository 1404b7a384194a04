// elementwise: binding, and the rows that most elementwise operations are tested with.
#include "ops/elementwise.h"

namespace baton::ops {

Array bind_binary(const Primitive& p, Operand x, Operand y) {
  const Where where = x.where();
  if (x.is_array() && y.is_array()) return bind_one(p, {x.array(), y.array()}, p.params, where);
  if (!x.is_array() && !y.is_array()) {
    const Dtype d = x.dtype_beside(y.dtype_beside(x.dtype()));
    return bind_one(p, {x.array(d), y.array(d)}, p.params, where);
  }
  const bool number_first = !x.is_array();
  const Array partner = number_first ? y.array() : x.array();
  if (partner.empty()) return bind_one(p, {partner, partner}, p.params, where);  // bind says why it is empty
  const Operand& number = number_first ? x : y;
  const Frame frame(where);
  Array value = number.array(number.dtype_beside(partner.dtype()));
  if (partner.rank() > 0) value = lax::broadcast_in_dim(value, partner.shape(), {});
  return number_first ? bind_one(p, {value, partner}, p.params, where)
                      : bind_one(p, {partner, value}, p.params, where);
}

std::vector<Example> unary_examples(double low, double high, int order) {
  return {{.inputs = {{f32, {}}}, .low = low, .high = high, .order = order},
          {.inputs = {{f32, {2, 3}}}, .low = low, .high = high, .order = order},
          {.inputs = {{f32, {0, 3}}}, .low = low, .high = high, .order = order, .note = "no elements"},
          {.inputs = {{f32, {1, 4, 1}}}, .low = low, .high = high, .order = order}};
}

std::vector<Example> complex_examples() {
  std::vector<Example> rows = unary_examples();
  for (Example& row : rows) row.inputs[0].dtype = c64;
  return rows;
}

std::vector<Example> binary_examples(double low, double high, int order) {
  std::vector<Example> rows = unary_examples(low, high, order);
  for (Example& row : rows) row.inputs.push_back(row.inputs[0]);
  return rows;
}

std::vector<Example> integer_examples(int operands) {
  const auto count = static_cast<std::size_t>(operands);
  return {{.inputs = std::vector<Type>(count, {s32, {}}), .low = -70, .high = 70, .order = 0},
          {.inputs = std::vector<Type>(count, {s32, {3, 4}}), .low = -70, .high = 70, .order = 0},
          {.inputs = std::vector<Type>(count, {u8, {5}}), .low = 0, .high = 12, .order = 0},
          {.inputs = std::vector<Type>(count, {s64, {2, 0}}), .order = 0, .note = "no elements"}};
}

namespace {
/// 1 where x is the result, a half where y is too.
Array share_ties(const Array& x, const Array& result, const Array& y) {
  const Array mine = lax::select(lax::eq(x, result), lax::full_like(x, 1), lax::full_like(x, 0));
  return lax::div(mine, lax::select(lax::eq(y, result), lax::full_like(x, 2), lax::full_like(x, 1)));
}
}  // namespace

Arrays chooser_of_two_jvp(const Arrays& x, const Arrays& result, const Arrays& dx, const Params&) {
  Array sum;
  if (!dx[0].empty()) sum = lax::mul(dx[0], share_ties(x[0], result[0], x[1]));
  if (!dx[1].empty()) sum = add_any(sum, lax::mul(dx[1], share_ties(x[1], result[0], x[0])));
  return {sum};
}

}  // namespace baton::ops
