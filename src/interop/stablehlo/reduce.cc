// reduce: reductions, windows and sorts. Bodies of one known operation become the functions that have
// gradients.
#include <algorithm>
#include <limits>

#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

Types twice(Types types) {
  const Types again = types;
  types.insert(types.end(), again.begin(), again.end());
  return types;
}
/// (a0, b0, a1, b1, ...) as comparators of sort take them.
Types interleaved(const Types& types) {
  Types pairs;
  for (const Type& t : types) pairs.insert(pairs.end(), {t, t});
  return pairs;
}

/// The Program of `applies stablehlo.add`.
Program applied(const Context& c, Text word, const Types& types) {
  const Handler handler = find_handler(word);
  if (!handler || types.size() != 2) c.fail("`applies " + std::string(word) + "` is not a reducer.");
  return make_program("reducer", types, [&](const Arrays& in) -> Arrays {
    Op op;
    op.name = word;
    op.at = c.op.at;
    op.operands = {{"a", 0, c.op.at}, {"b", 0, c.op.at}};
    Scope scope;
    const Narrow* n = c.narrow(0);
    scope.names["a"] = {{in[0], nullptr, -1, {}, n}};
    scope.names["b"] = {{in[1], nullptr, -1, {}, n}};
    Context inner(c.importer, op, scope);
    handler(inner);
    const Array& out = inner.results.at(0).array;
    return {n ? in_format(*n, out, c.where) : out};
  });
}
Program combiner_of(const Context& c, const Types& types) {
  return c.op.regions.empty() && !c.op.words.empty() ? applied(c, c.op.words[0], types)
                                                     : c.closed_region(0, types);
}

Array monoid_call(Monoid m, const Array& a, const Array& b) {
  switch (m) {
    case Monoid::add:
      return lax::add(a, b);
    case Monoid::mul:
      return lax::mul(a, b);
    case Monoid::max:
      return lax::max(a, b);
    case Monoid::min:
      return lax::min(a, b);
    case Monoid::and_:
      return lax::bitwise_and(a, b);
    case Monoid::or_:
      return lax::bitwise_or(a, b);
    default:
      return lax::bitwise_xor(a, b);
  }
}
Array reduce_by(Monoid m, Operand x, const std::vector<std::int64_t>& axes) {
  switch (m) {
    case Monoid::add:
      return lax::reduce_sum(x, axes);
    case Monoid::mul:
      return lax::reduce_prod(x, axes);
    case Monoid::max:
      return lax::reduce_max(x, axes);
    case Monoid::min:
      return lax::reduce_min(x, axes);
    case Monoid::and_:
      return lax::reduce_and(x, axes);
    case Monoid::or_:
      return lax::reduce_or(x, axes);
    default:
      return lax::reduce_xor(x, axes);
  }
}
bool admits(Monoid m, Dtype d) {
  switch (m) {
    case Monoid::add:
    case Monoid::mul:
      return d != boolean;
    case Monoid::max:
    case Monoid::min:
      return d != boolean && !is_complex(d);
    case Monoid::and_:
    case Monoid::or_:
    case Monoid::xor_:
      return !is_inexact(d);
    default:
      return false;
  }
}

/// The reducer that jax.lax.argmax lowers to, for (value, index).
Program arg_reducer(Dtype value, Dtype index, bool largest) {
  const Type v{value, {}}, k{index, {}};
  return make_program("reducer", {v, k, v, k}, [&](const Arrays& a) -> Arrays {
    Array better = largest ? lax::gt(a[0], a[2]) : lax::lt(a[0], a[2]);
    better = lax::bitwise_or(better, lax::ne(a[0], a[0]));
    const Array same = lax::eq(a[0], a[2]);
    const Array earlier = lax::lt(a[1], a[3]);
    const Array first = lax::bitwise_or(better, lax::bitwise_and(same, earlier));
    return {lax::select(better, a[0], a[2]), lax::select(first, a[1], a[3])};
  });
}

/// argmax or argmin with the index counted from 0 along the reduced axis.
bool read_arg_reduction(Context& c, const Program& combiner, const std::vector<std::int64_t>& axes) {
  if (c.count() != 4 || axes.size() != 1 || c.value(1).iota != axes[0]) return false;
  const Array& x = c.array(0);
  const Dtype index = c.array(1).dtype();
  if (is_complex(x.dtype()) || x.dtype() == boolean || !is_integer(index) ||
      !is_identity(Monoid::add, c.value(3)))
    return false;
  const bool largest = combiner == arg_reducer(x.dtype(), index, true);
  if (!largest && combiner != arg_reducer(x.dtype(), index, false)) return false;
  if (!is_identity(largest ? Monoid::max : Monoid::min, c.value(2))) return false;
  const int axis = static_cast<int>(axes[0]);
  if (x.dim(axis) == 0) return false;
  c.give(reduce_by(largest ? Monoid::max : Monoid::min, c.in(0), axes));
  c.give(largest ? lax::argmax(c.in(0), axis, index) : lax::argmin(c.in(0), axis, index));
  return true;
}

}  // namespace

// ---- monoids
// ------------------------------------------------------------------------------------------------------

Monoid monoid_of(const Program& p) {
  if (p.equation_count() != 1 || p->input_count != 2 || p->outputs.size() != 1) return Monoid::none;
  const Types in = p.inputs();
  if (in[0] != in[1]) return Monoid::none;
  for (Monoid m :
       {Monoid::add, Monoid::mul, Monoid::max, Monoid::min, Monoid::and_, Monoid::or_, Monoid::xor_}) {
    if (!admits(m, in[0].dtype)) continue;
    for (bool swapped : {false, true})
      if (p == make_program("reducer", in, [&](const Arrays& a) -> Arrays {
            return {monoid_call(m, a[swapped ? 1 : 0], a[swapped ? 0 : 1])};
          }))
        return m;
  }
  return Monoid::none;
}

Array combine(Monoid m, const Array& a, const Array& b, Where where) {
  const Frame frame(where);
  return monoid_call(m, a, b);
}

bool is_identity(Monoid m, const Value& v) {
  if (!v.constant || !v.constant->splat || v.constant->bytes.empty()) return false;
  const Dtype d = v.constant->type.dtype;
  const auto equals = [&](const Literal& l) {
    return std::memcmp(l.bytes, v.constant->bytes.data(), size_of(d)) == 0;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const auto extreme = [&](bool lowest) {
    if (is_inexact(d)) return make_literal(d, lowest ? -inf : inf);
    const int bits = static_cast<int>(size_of(d)) * 8;
    if (is_unsigned(d) || d == boolean) return make_integer_literal(d, lowest ? 0 : -1);
    const std::int64_t low =
        bits == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bits - 1));
    return make_integer_literal(d, lowest ? low : -(low + 1));
  };
  switch (m) {
    case Monoid::add:
      return equals(make_literal(d, 0)) || (is_inexact(d) && equals(make_literal(d, -0.0)));
    case Monoid::mul:
      return equals(make_literal(d, 1));
    case Monoid::max:
      return equals(extreme(true));
    case Monoid::min:
      return equals(extreme(false));
    case Monoid::and_:
      return equals(make_integer_literal(d, d == boolean ? 1 : -1));
    case Monoid::or_:
    case Monoid::xor_:
      return equals(make_integer_literal(d, 0));
    default:
      return false;
  }
}

// ---- reduce
// -------------------------------------------------------------------------------------------------------

void read_reduce(Context& c) {
  if (c.count() == 0 || c.count() % 2)
    c.fail("operands and as many initial values are required, found " + std::to_string(c.count()) +
           " in all.");
  const std::size_t n = c.count() / 2;
  const auto axes = c.integers("dimensions");
  const Arrays operands = c.arrays(0, n), inits = c.arrays(n, 2 * n);
  const Program combiner = combiner_of(c, twice(scalars_of(operands)));
  const Monoid m = n == 1 ? monoid_of(combiner) : Monoid::none;
  if (m != Monoid::none && (is_identity(m, c.value(1)) || operands[0].size() > 0)) {
    Array out = reduce_by(m, c.in(0), axes);
    if (!is_identity(m, c.value(1)))
      out = combine(m, lax::broadcast_in_dim(c.in(1), out.shape(), {}), out, c.where);
    c.give(out);
    return;
  }
  if (n == 2 && read_arg_reduction(c, combiner, axes)) return;
  c.give(lax::reduce(c.in(0, n), c.in(n, 2 * n), combiner, axes));
}

// ---- windows
// ------------------------------------------------------------------------------------------------------

namespace {

lax::Window window_of(const Context& c) {
  return {c.integers("window_dimensions"), c.integers("window_strides"), c.padding("padding"),
          c.integers("base_dilations"), c.integers("window_dilations")};
}

/// The axis of a running combination: a window over all of one axis that starts (or, reversed, ends) at each
/// element.
int running_axis(const lax::Window& w, const Shape& shape, bool& reverse) {
  const auto ones = [](const Shape& s) {
    return std::all_of(s.begin(), s.end(), [](auto x) { return x == 1; });
  };
  if (!ones(w.strides) || !ones(w.base_dilation) || !ones(w.window_dilation) ||
      w.padding.size() != shape.size() || w.dimensions.size() != shape.size())
    return -1;
  int axis = -1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const lax::Padding& p = w.padding[i];
    if (w.dimensions[i] == 1 && p.low == 0 && p.high == 0) continue;
    if (axis >= 0 || w.dimensions[i] != shape[i]) return -1;
    if (p.low == shape[i] - 1 && p.high == 0)
      reverse = false;
    else if (p.high == shape[i] - 1 && p.low == 0)
      reverse = true;
    else
      return -1;
    axis = static_cast<int>(i);
  }
  return axis;
}

}  // namespace

void read_reduce_window(Context& c) {
  if (c.count() == 0 || c.count() % 2)
    c.fail("operands and as many initial values are required, found " + std::to_string(c.count()) +
           " in all.");
  const std::size_t n = c.count() / 2;
  const lax::Window window = window_of(c);
  const Program combiner = c.closed_region(0, twice(scalars_of(c.arrays(0, n))));
  const Monoid m = n == 1 ? monoid_of(combiner) : Monoid::none;
  if (m != Monoid::none && is_identity(m, c.value(1))) {
    bool reverse = false;
    const int axis = running_axis(window, c.array(0).shape(), reverse);
    if (m == Monoid::mul && axis >= 0) return c.give(lax::cumprod(c.in(0), axis, reverse));
    if (m == Monoid::add) return c.give(lax::reduce_window_sum(c.in(0), window));
    if (m == Monoid::max) return c.give(lax::reduce_window_max(c.in(0), window));
    if (m == Monoid::min) return c.give(lax::reduce_window_min(c.in(0), window));
  }
  c.give(lax::reduce_window(c.in(0, n), c.in(n, 2 * n), combiner, window));
}

void read_select_and_scatter(Context& c) {
  const lax::Window window = window_of(c);
  const Type scalar{c.array(0).dtype(), {}};
  const Program select = c.closed_region(0, {scalar, scalar}), scatter = c.closed_region(1, {scalar, scalar});
  const auto is_select = [&](bool largest) {
    return select == make_program("select", {scalar, scalar}, [&](const Arrays& a) -> Arrays {
             return {largest ? lax::ge(a[0], a[1]) : lax::le(a[0], a[1])};
           });
  };
  const bool ordered = scalar.dtype != boolean && !is_complex(scalar.dtype);
  if (ordered && monoid_of(scatter) == Monoid::add && is_identity(Monoid::add, c.value(2))) {
    if (is_select(true)) return c.give(lax::select_and_scatter_add(c.in(1), c.in(0), true, window));
    if (is_select(false)) return c.give(lax::select_and_scatter_add(c.in(1), c.in(0), false, window));
  }
  c.give(lax::select_and_scatter(c.in(0), c.in(1), c.in(2), select, scatter, window));
}

// ---- sort
// ---------------------------------------------------------------------------------------------------------

namespace {

/// The comparator that jax.lax.sort lowers to: lexicographic over the first `keys` operands, in the total
/// order with all zeros and all NaN made one.
Program jax_comparator(const Types& types, std::size_t keys) {
  return make_program("comparator", interleaved(types), [&](const Arrays& a) -> Arrays {
    const auto key = [&](const Array& x) {
      if (!is_real_floating(x.dtype())) return x;
      const Array zero = lax::select(lax::eq(x, 0.0), lax::full_like(x, 0.0), x);
      return lax::select(lax::ne(x, x), lax::full_like(x, std::numeric_limits<double>::quiet_NaN()), zero);
    };
    std::vector<std::pair<Array, Array>> pairs;
    for (std::size_t i = 0; i < keys; ++i) {
      const Array x = key(a[2 * i]);
      pairs.emplace_back(x, key(a[2 * i + 1]));
    }
    const auto total = [&](const Array& x) {
      return is_real_floating(x.dtype()) ? total_order_key(x, {}) : x;
    };
    Array before;
    for (std::size_t i = keys; i-- > 0;) {
      const auto& [x, y] = pairs[i];
      const Array tx = total(x), ty = total(y);
      const Array less = lax::lt(tx, ty);
      if (before.empty()) {
        before = less;
      } else {
        const Array ex = total(x), ey = total(y);
        before = lax::bitwise_or(less, lax::bitwise_and(lax::eq(ex, ey), before));
      }
    }
    return {before};
  });
}

/// A comparator that looks at the first operand alone.
Program plain_comparator(const Types& types, bool falling) {
  return make_program("comparator", interleaved(types), [&](const Arrays& a) -> Arrays {
    return {falling ? lax::gt(a[0], a[1]) : lax::lt(a[0], a[1])};
  });
}

bool sortable(const Type& t) { return t.dtype != boolean && !is_complex(t.dtype); }

}  // namespace

void read_sort(Context& c) {
  const std::size_t n = c.count();
  if (n == 0) c.fail("an operand is required.");
  const Arrays operands = c.arrays();
  const int axis = static_cast<int>(c.integer("dimension", -1));
  const bool stable = c.flag("is_stable");
  const Types types = scalars_of(operands);
  const Program comparator = c.closed_region(0, interleaved(types));
  for (std::size_t keys = 1; keys <= n && keys <= 8 && sortable(types[keys - 1]); ++keys)
    if (comparator == jax_comparator(types, keys))
      return c.give(lax::sort(c.in(0, n),
                              {.dimension = axis, .is_stable = stable, .num_keys = static_cast<int>(keys)}));
  if (sortable(types[0])) {
    if (comparator == plain_comparator(types, false))
      return c.give(lax::sort(c.in(0, n), {.dimension = axis, .is_stable = stable}));
    if (comparator == plain_comparator(types, true)) {
      // Falling: read from the end, sort rising, read from the end; equal elements keep their order.
      const std::int64_t at = axis < 0 ? axis + operands[0].rank() : axis;
      Arrays turned;
      for (const Array& x : operands) turned.push_back(lax::rev({x, c.where}, {at}));
      for (const Array& x : lax::sort({turned, c.where}, {.dimension = axis, .is_stable = true}))
        c.give(lax::rev({x, c.where}, {at}));
      return;
    }
  }
  c.give(lax::sort_by(c.in(0, n), comparator, axis, stable));
}

}  // namespace baton::stablehlo
