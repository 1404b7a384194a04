// elementwise: operations whose meaning differs from the function of lax, or that need attributes.
#include <limits>

#include "base/element.h"
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {

// ---- comparisons
// --------------------------------------------------------------------------------------------------

Array total_order_key(const Array& x, Where where) {
  const Dtype bits = size_of(x.dtype()) == 2 ? s16 : size_of(x.dtype()) == 4 ? s32 : s64;
  const Array key = lax::bitcast_convert_type({x, where}, bits);
  const std::int64_t largest = bits == s16   ? std::numeric_limits<std::int16_t>::max()
                               : bits == s32 ? std::numeric_limits<std::int32_t>::max()
                                             : std::numeric_limits<std::int64_t>::max();
  return lax::select({lax::lt({key, where}, 0), where}, lax::bitwise_xor({key, where}, largest), key);
}

void read_compare(Context& c) {
  Text direction = c.op.words.empty() ? c.word("comparison_direction") : c.op.words[0];
  const Text type = c.op.words.size() > 1 ? c.op.words[1] : c.word("compare_type");
  if (!type.empty() && type != "NOTYPE" && type != "FLOAT" && type != "TOTALORDER" && type != "SIGNED" &&
      type != "UNSIGNED")
    c.fail("a type FLOAT, TOTALORDER, SIGNED or UNSIGNED is required, found `" + std::string(type) + "`.");
  Array x = c.array(0), y = c.array(1);
  if (type == "TOTALORDER" && is_real_floating(x.dtype())) {
    if (x.type() != y.type()) c.fail("two operands of one type are required.");
    x = total_order_key(x, c.where);
    y = total_order_key(y, c.where);
  } else if (x.dtype() == boolean && y.dtype() == boolean && direction != "EQ" && direction != "NE") {
    x = lax::convert_element_type({x, c.where}, u8);
    y = lax::convert_element_type({y, c.where}, u8);
  }
  const Operand a(x, c.where), b(y, c.where);
  if (direction == "EQ")
    c.give(lax::eq(a, b));
  else if (direction == "NE")
    c.give(lax::ne(a, b));
  else if (direction == "LT")
    c.give(lax::lt(a, b));
  else if (direction == "LE")
    c.give(lax::le(a, b));
  else if (direction == "GT")
    c.give(lax::gt(a, b));
  else if (direction == "GE")
    c.give(lax::ge(a, b));
  else
    c.fail("a direction EQ, NE, LT, LE, GT or GE is required, found `" + std::string(direction) + "`.");
}

// ---- numbers
// ------------------------------------------------------------------------------------------------------

void read_convert(Context& c) {
  if (const Narrow* n = c.narrow_result())
    c.results.push_back({converted(*n, c.array(0), c.where), nullptr, -1, {}, n});
  else if (const Narrow* from = c.narrow(0))
    c.give(without_format(*from, c.array(0), c.result().dtype, c.where));
  else if (is_complex(c.array(0).dtype()) && !is_complex(c.result().dtype))  // also to i1: the real part
    c.give(lax::convert_element_type({lax::real(c.in(0)), c.where}, c.result().dtype));
  else
    c.give(lax::convert_element_type(c.in(0), c.result().dtype));
}

void read_power(Context& c) {
  const Array &x = c.array(0), &y = c.array(1);
  if (!is_integer(x.dtype()) || x.type() != y.type()) {
    c.give(lax::pow(c.in(0), c.in(1)));
    return;
  }
  // By squaring, over the bits of the exponent. A negative one leaves 1/x, truncated: only 1 and -1 have it.
  const bool is_signed_type = is_signed(x.dtype());
  const int bits = static_cast<int>(size_of(x.dtype())) * 8 - (is_signed_type ? 1 : 0);
  const Frame frame(c.where);
  Array base = x, exponent = y, result = lax::full_like(x, 1);
  for (int i = 0; i < bits; ++i) {
    const Array odd = lax::ne(lax::bitwise_and(exponent, 1), 0);
    result = lax::select(odd, lax::mul(result, base), result);
    base = lax::mul(base, base);
    exponent = lax::shift_right_logical(exponent, 1);
  }
  if (is_signed_type) {
    const Array one = lax::full_like(x, 1), minus_one = lax::full_like(x, -1), zero = lax::full_like(x, 0);
    const Array even = lax::eq(lax::bitwise_and(y, 1), 0);
    const Array of_minus_one = lax::select(even, one, minus_one);
    const Array inverse = lax::select(lax::eq(x, 1), one, lax::select(lax::eq(x, -1), of_minus_one, zero));
    result = lax::select(lax::lt(y, 0), inverse, result);
  }
  c.give(result);
}

void read_sign(Context& c) {
  if (is_unsigned(c.array(0).dtype())) {
    const Frame frame(c.where);
    c.give(lax::convert_element_type(lax::ne(c.array(0), 0), c.array(0).dtype()));
    return;
  }
  c.give(lax::sign(c.in(0)));
}
void read_real(Context& c) { c.give(is_complex(c.array(0).dtype()) ? lax::real(c.in(0)) : c.array(0)); }
void read_imag(Context& c) {
  c.give(is_complex(c.array(0).dtype()) ? lax::imag(c.in(0)) : lax::zeros(c.array(0).type(), c.where));
}
void read_is_infinite(Context& c) {
  const Frame frame(c.where);
  const double inf = std::numeric_limits<double>::infinity();
  const Array& x = c.array(0);
  if (c.op.name == "chlo.is_inf")
    c.give(lax::eq(lax::abs(x), inf));
  else
    c.give(lax::eq(x, c.op.name == "chlo.is_pos_inf" ? inf : -inf));
}

/// Truth values are single bits, the lowest first.
void read_bitcast_convert(Context& c) {
  const Frame frame(c.where);
  const Type out = c.result();
  const Narrow *from = c.narrow(0), *to = c.narrow_result();
  if (from && to && !from->floating() && !to->floating() && from->bits == to->bits)
    return c.give(lax::bitcast_convert_type(c.array(0), out.dtype));  // brought back to the format afterwards
  if (from != to) c.refuse_narrow();
  Array x = c.array(0);
  if (is_complex(x.dtype()) && is_complex(out.dtype) && x.dtype() != out.dtype) {  // c128 and pairs of c64
    if (x.dtype() == c64)
      c.unsupported(c.name() + ": complex<f32> as bits of complex<f64> is not supported.");
    const auto part = [&](const Array& a) {  // f64[...] -> c64[..., 1]
      const Array halves = lax::bitcast_convert_type(a, f32);
      const int last = halves.rank() - 1;
      return lax::complex(lax::slice_in_dim(halves, 0, 1, 1, last), lax::slice_in_dim(halves, 1, 2, 1, last));
    };
    return c.give(lax::concatenate({part(lax::real(x)), part(lax::imag(x))}, x.rank()));
  }
  if (is_complex(x.dtype()) != is_complex(out.dtype))
    c.unsupported(c.name() + ": complex numbers as bits of others are not supported.");
  if (x.dtype() == out.dtype || (x.dtype() != boolean && out.dtype != boolean))
    return c.give(lax::bitcast_convert_type(x, out.dtype));
  const auto unsigned_of = [](Dtype d) {
    return size_of(d) == 1 ? u8 : size_of(d) == 2 ? u16 : size_of(d) == 4 ? u32 : u64;
  };
  const Dtype word = unsigned_of(x.dtype() == boolean ? out.dtype : x.dtype());
  const auto bits = static_cast<std::int64_t>(size_of(word)) * 8;
  if (x.dtype() == boolean) {
    if (x.rank() == 0 || x.shape().back() != bits)
      c.fail("a last axis of " + std::to_string(bits) + " bits is required.");
    const Array place = lax::iota({word, x.shape()}, x.rank() - 1);
    const Array sum =
        lax::reduce_or(lax::shift_left(lax::convert_element_type(x, word), place), {x.rank() - 1});
    return c.give(lax::bitcast_convert_type(sum, out.dtype));
  }
  Shape shape = x.shape();
  shape.push_back(bits);
  std::vector<std::int64_t> axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  x = lax::broadcast_in_dim(lax::bitcast_convert_type(x, word), shape, axes);
  const Array place = lax::iota({word, shape}, static_cast<int>(axes.size()));
  c.give(lax::ne(lax::bitwise_and(lax::shift_right_logical(x, place), 1), 0));
}

// ---- integers whose width matters
// ----------------------------------------------------------------------------------

void read_shift_right_logical(Context& c) {
  const Frame frame(c.where);
  const Narrow* n = c.narrow(0);
  c.give(lax::shift_right_logical(n ? zero_extended(*n, c.array(0)) : c.array(0), c.array(1)));
}
void read_shift_right_arithmetic(Context& c) {
  const Frame frame(c.where);
  const Narrow* n = c.narrow(0);
  c.give(lax::shift_right_arithmetic(n ? sign_extended(*n, c.array(0)) : c.array(0), c.array(1)));
}
void read_popcnt(Context& c) {
  const Frame frame(c.where);
  const Narrow* n = c.narrow(0);
  c.give(lax::population_count(n ? zero_extended(*n, c.array(0)) : c.array(0)));
}
void read_count_leading_zeros(Context& c) {
  const Frame frame(c.where);
  const Narrow* n = c.narrow(0);
  if (!n) return c.give(lax::clz(c.array(0)));
  c.give(lax::sub(lax::clz(zero_extended(*n, c.array(0))), 8 - n->bits));
}

void read_cbrt(Context& c) {
  if (!is_complex(c.array(0).dtype())) return c.give(lax::cbrt(c.in(0)));
  c.give(lax::pow(c.in(0), lax::full_like(c.array(0), 1.0 / 3)));
}

void read_reduce_precision(Context& c) {
  std::int64_t exponent = c.integer("exponent_bits", -1), mantissa = c.integer("mantissa_bits", -1);
  if (c.find("format")) {  // e5m10
    const std::string text(c.word("format"));
    const std::size_t m = text.find('m');
    if (text.size() < 4 || text[0] != 'e' || m == std::string::npos || text.size() > 12 ||
        text.find_first_not_of("em0123456789") != std::string::npos || m == 1 || m + 1 == text.size())
      c.fail("a format such as e5m10 is required, found `" + text + "`.");
    exponent = std::atoi(text.c_str() + 1);
    mantissa = std::atoi(text.c_str() + m + 1);
  }
  Array y = lax::reduce_precision(c.in(0), static_cast<int>(exponent), static_cast<int>(mantissa));
  if (mantissa == 0) {  // no bit is left that tells NaN from infinity
    const Frame frame(c.where);
    const double inf = std::numeric_limits<double>::infinity();
    y = lax::select(lax::ne(c.array(0), c.array(0)), lax::full_like(y, inf), y);
  }
  c.give(y);
}

void read_clamp(Context& c) { c.give(lax::clamp(c.in(0), c.in(1), c.in(2))); }
void read_select(Context& c) { c.give(lax::select(c.in(0), c.in(1), c.in(2))); }

/// The body's operations on whole arrays: they are elementwise.
void read_map(Context& c) {
  if (c.op.regions.size() != 1 || c.op.regions[0].arguments.size() != c.count())
    c.fail("a region with one argument for each operand is required.");
  const Shape shape = c.count() ? c.array(0).shape() : Shape{};
  const Shape* saved = c.importer.map_shape;
  c.importer.map_shape = &shape;
  Scope inner{&c.scope, {}};
  for (std::size_t i = 0; i < c.count(); ++i)
    c.importer.define(inner, c.op.regions[0].arguments[i].name, {c.value(i)}, c.op.at);
  Values out = c.importer.block(c.op.regions[0], inner, c.op.at);
  c.importer.map_shape = saved;
  for (const Value& v : out) c.give(v.array);
}

// ---- chlo
// ---------------------------------------------------------------------------------------------------------

void read_broadcasting(Context& c) {
  const Frame frame(c.where);
  const Type out = c.result();
  Arrays in;
  const auto dims = c.integers("broadcast_dimensions");
  for (std::size_t i = 0; i < c.count(); ++i) {
    const Array& x = c.array(i);
    std::vector<std::int64_t> axes;
    const bool shorter = x.rank() < static_cast<int>(out.shape.size());
    for (int k = 0; k < x.rank(); ++k)
      axes.push_back(shorter && !dims.empty() && static_cast<int>(dims.size()) == x.rank()
                         ? dims[static_cast<std::size_t>(k)]
                         : k + static_cast<int>(out.shape.size()) - x.rank());
    in.push_back(lax::broadcast_in_dim(x, out.shape, axes));
  }
  static const std::unordered_map<Text, Text> names = {{"chlo.broadcast_atan2", "stablehlo.atan2"},
                                                       {"chlo.broadcast_compare", "stablehlo.compare"},
                                                       {"chlo.broadcast_next_after", "chlo.next_after"},
                                                       {"chlo.broadcast_polygamma", "chlo.polygamma"},
                                                       {"chlo.broadcast_zeta", "chlo.zeta"}};
  const auto it = names.find(c.op.name);
  const std::string target =
      it != names.end() ? std::string(it->second)
                        : "stablehlo." + std::string(c.op.name.substr(Text("chlo.broadcast_").size()));
  const Handler handler = find_handler(target);
  if (!handler) c.unsupported("`" + c.name() + "` is not an operation that Baton reads.");
  Op op = c.op;
  op.operands.clear();
  Scope scope;
  static const Text names3[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < in.size() && i < 3; ++i) {
    op.operands.push_back({names3[i], 0, c.op.at});
    scope.names[names3[i]] = {{in[i], nullptr, -1, {}, c.narrow(i)}};
  }
  Context inner(c.importer, op, scope);
  handler(inner);
  c.results = inner.results;
}

void read_constant_like(Context& c) {
  const Frame frame(c.where);
  const Attribute& a = c.need("value");
  if (a.kind != Attribute::Kind::real && a.kind != Attribute::Kind::integer)
    c.fail("`value` must be a number.");
  const Narrow* n = c.narrow(0);
  c.give(lax::full_like(c.array(0), n && n->floating() ? mlir::nearest(*n, a.real) : a.real));
}

void read_top_k(Context& c) {
  const Array& x = c.array(0);
  const bool truth = x.dtype() == boolean;
  auto [values, indices] =
      lax::top_k({truth ? lax::convert_element_type({x, c.where}, u8) : x, c.where}, c.integer("k"));
  c.give(truth ? lax::convert_element_type({values, c.where}, boolean) : values);
  c.give(indices);
}

}  // namespace baton::stablehlo
