// key: keys and the bits that they give.
#include "random/draw.h"

namespace baton::random {

std::pair<Array, Array> words(const Key& key, const Shape& shape) {
  if (key.data.empty() || key.data.type() != Type{u32, {2}})
    type_error("random", "a key is u32[2], found " +
                             (key.data.empty() ? "an empty array" : show(key.data.type())) +
                             ".\n  Make one with random::key(seed).");
  for (std::int64_t extent : shape)
    if (extent < 0) type_error("random", "an extent of the shape " + show(shape) + " is negative.");
  auto word = [&](std::int64_t i) {
    return lax::broadcast_in_dim(lax::reshape(lax::slice_in_dim(key.data, i, i + 1), {}), shape, {});
  };
  return {word(0), word(1)};
}

std::pair<Array, Array> blocks(const Key& key, const Shape& shape) {
  const auto [key0, key1] = words(key, shape);
  const std::int64_t n = product(shape);
  Array high, low;
  if (n <= std::int64_t{1} << 32) {
    low = lax::reshape(lax::iota({u32, {n}}, 0), shape);
    high = lax::zeros({u32, shape});
  } else {
    const Array count = lax::reshape(lax::iota({u64, {n}}, 0), shape);
    low = lax::convert_element_type(count, u32);
    high = lax::convert_element_type(lax::shift_right_logical(count, 32), u32);
  }
  return lax::threefry2x32(key0, key1, high, low);
}

Key key(std::uint64_t seed, Where where) {
  return {Array({static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(seed)}, where)};
}

Array split_array(const Key& key, const Shape& shape, Where where) {
  const Frame frame(where);
  const auto [a, b] = blocks(key, shape);
  const auto last = static_cast<std::int64_t>(shape.size());
  return lax::concatenate({lax::expand_dims(a, {last}), lax::expand_dims(b, {last})}, static_cast<int>(last));
}

std::vector<Key> split(const Key& key, int count, Where where) {
  const Frame frame(where);
  const Array all = split_array(key, {count}, where);
  std::vector<Key> keys;
  for (int i = 0; i < count; ++i) keys.push_back({lax::reshape(lax::slice_in_dim(all, i, i + 1), {2})});
  return keys;
}

Key fold_in(const Key& key, Operand data) {
  const Frame frame(data.where());
  const auto [key0, key1] = words(key, {});
  const Array number = as(data, u32);
  if (number.rank() != 0)
    type_error("random::fold_in",
               "the number must be a scalar, found " + show(number.type()) + ".\n  Use vmap.");
  const auto [a, b] = lax::threefry2x32(key0, key1, lax::zeros({u32, {}}), number);
  return {lax::concatenate({lax::reshape(a, {1}), lax::reshape(b, {1})}, 0)};
}

Array bits(const Key& key, const Shape& shape, Dtype dtype, Where where) {
  const Frame frame(where);
  if (!is_unsigned(dtype))
    type_error("random::bits",
               "the dtype must be u8, u16, u32 or u64, found " + std::string(name_of(dtype)) + ".");
  const auto [a, b] = blocks(key, shape);
  if (dtype == u64)
    return lax::bitwise_or(lax::shift_left(lax::convert_element_type(a, u64), 32),
                           lax::convert_element_type(b, u64));
  const Array both = lax::bitwise_xor(a, b);
  return dtype == u32 ? both : lax::convert_element_type(both, dtype);
}

// ---- parameters
// ---------------------------------------------------------------------------------------------------

void require_floating(std::string_view name, Dtype dtype) {
  if (!is_real_floating(dtype))
    type_error(name, "the dtype must be f16, bf16, f32 or f64, found " + std::string(name_of(dtype)) + ".");
}
void require_integer(std::string_view name, Dtype dtype) {
  if (!is_integer(dtype))
    type_error(name, "the dtype must be an integer, found " + std::string(name_of(dtype)) + ".");
}

namespace {
Shape broadcast_shapes(std::string_view name, const std::vector<Shape>& shapes) {
  if (const auto common = numpy::broadcast_of(shapes)) return *common;
  std::vector<std::string> all;
  for (const Shape& shape : shapes) all.push_back(show(shape));
  type_error(name, "the shapes of its parameters do not broadcast: " + join(all, ", ") + ".");
}
}  // namespace

Shape shape_of(std::string_view name, const Shape& asked, const std::vector<Shape>& parameters) {
  const Shape own = broadcast_shapes(name, parameters);
  if (asked.empty()) return own;
  if (broadcast_shapes(name, {asked, own}) != asked)
    type_error(
        name, "its parameters, of shape " + show(own) + ", must broadcast to the shape " + show(asked) + ".");
  return asked;
}

Array as(Operand x, Dtype dtype) {
  if (!x.is_array() && !(x.kind() == Operand::Kind::real && is_integer(dtype))) return x.array(dtype);
  const Array a = x.array();
  return a.empty() || a.dtype() == dtype ? a : lax::convert_element_type(a, dtype);
}

}  // namespace baton::random
