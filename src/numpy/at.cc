// at: reads and updates by x.at(...). Ranges and whole numbers become slices, arrays one gather or scatter.
// As in numpy, the axes of index arrays stand where the first of them stood if they are side by side, and in
// front otherwise.
#include "baton/indexing.h"

#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

/// What is taken of one axis of the array, or a new axis.
struct Item {
  enum class Kind { part, integer, array, newaxis } kind = Kind::part;
  std::int64_t axis = -1;
  std::int64_t start = 0, count = 0, step = 1;  // part; integer: start, counted from the front
  Array array = {};                             // of s32 or s64, counted from the front
};
using Items = std::vector<Item>;
using Kind = Item::Kind;

/// start:stop:step of n elements, as Python counts.
Item part_of(const range& r, std::int64_t axis, std::int64_t n) {
  if (r.step == 0) type_error("at", "the step of a range must not be 0.");
  const bool back = r.step < 0;
  // A step beyond the axis takes one element, as a step of the whole axis does.
  const std::int64_t by = std::clamp(r.step, -std::max<std::int64_t>(n, 1), std::max<std::int64_t>(n, 1));
  auto end = [&](range::End e, std::int64_t missing) {
    if (!e) return missing;
    const std::int64_t i = *e < 0 ? *e + n : *e;
    return back ? std::clamp<std::int64_t>(i, -1, n - 1) : std::clamp<std::int64_t>(i, 0, n);
  };
  const std::int64_t start = end(r.start, back ? n - 1 : 0), stop = end(r.stop, back ? -1 : n);
  const std::int64_t distance = back ? start - stop : stop - start, step = std::abs(by);
  return {Kind::part, axis, start, distance > 0 ? (distance + step - 1) / step : 0, by};
}

Items resolve(const Type& type, const std::vector<Index>& indices) {
  std::int64_t used = 0, ellipses = 0;
  for (const Index& i : indices) {
    if (i.kind == Index::Kind::ellipsis)
      ++ellipses;
    else if (i.kind != Index::Kind::newaxis)
      ++used;
  }
  if (ellipses > 1) type_error("at", "one ellipsis at most, found " + std::to_string(ellipses) + ".");
  if (used > type.rank())
    type_error("at", "too many indices: found " + std::to_string(used) + " for " + show(type) + ".");
  Items items;
  std::int64_t axis = 0;
  auto whole = [&](std::int64_t count) {
    for (; count > 0; --count, ++axis) items.push_back(part_of(range({}, {}), axis, type.shape[at(axis)]));
  };
  for (const Index& i : indices) {
    switch (i.kind) {
      case Index::Kind::newaxis:
        items.push_back({Kind::newaxis});
        continue;
      case Index::Kind::ellipsis:
        whole(type.rank() - used);
        continue;
      default:
        break;
    }
    const std::int64_t n = type.shape[at(axis)];
    if (i.kind == Index::Kind::range) {
      items.push_back(part_of(i.part, axis, n));
    } else if (i.kind == Index::Kind::integer) {
      items.push_back({Kind::integer, axis, i.integer < 0 ? i.integer + n : i.integer});
    } else {
      require_integers("at", i.array);
      items.push_back({Kind::array, axis, 0, 0, 1, wrapped_index(i.array, n)});
    }
    ++axis;
  }
  whole(type.rank() - axis);
  return items;
}

/// A whole number as an index array: s64 only where s32 does not hold it.
Array place(std::int64_t i) { return Operand(i).array(i < INT32_MIN || i > INT32_MAX ? s64 : s32); }

bool any_array(const Items& items) {
  return std::any_of(items.begin(), items.end(), [](const Item& i) { return i.kind == Kind::array; });
}
bool inside(const Item& i, const Shape& shape) { return i.start >= 0 && i.start < shape[at(i.axis)]; }
bool whole(const Item& i, const Shape& shape) { return i.step == 1 && i.count == shape[at(i.axis)]; }

/// x cut to the parts; afterwards they are whole axes.
Array sliced(const Array& x, Items& items) {
  Shape start(at(x.rank()), 0), limit = x.shape(), stride(at(x.rank()), 1);
  List reversed;
  bool cut = false;
  for (Item& i : items) {
    if (i.kind != Kind::part || whole(i, x.shape())) continue;
    const std::size_t k = at(i.axis);
    const std::int64_t last = i.start + (i.count - 1) * i.step;
    start[k] = i.count == 0 ? 0 : std::min(i.start, last);
    limit[k] = i.count == 0 ? 0 : std::max(i.start, last) + 1;
    stride[k] = std::abs(i.step);
    if (i.step < 0 && i.count > 1) reversed.push_back(i.axis);
    cut = true;
    i.start = 0, i.step = 1;
  }
  const Array part = cut ? lax::slice(x, start, limit, stride) : x;
  return reversed.empty() ? part : lax::rev(part, reversed);
}

/// The shape of what is read, in which index arrays have the shape `batch` at axis `front`, counted without
/// new axes.
struct Layout {
  Shape batch = {};
  Shape plain = {}, result = {};  // without and with new axes
  std::size_t front = 0;
};
Layout layout_of(const Items& items) {
  Layout l;
  std::vector<Shape> shapes;
  std::size_t groups = 0, parts = 0;
  bool open = false;
  const bool arrays = any_array(items);
  auto chooses = [&](const Item& i) { return i.kind == Kind::array || (arrays && i.kind == Kind::integer); };
  for (const Item& i : items) {
    if (chooses(i)) {
      if (!open && groups++ == 0) l.front = parts;
      shapes.push_back(i.array.empty() ? Shape{} : i.array.shape());
    } else if (i.kind == Kind::part) {
      ++parts;
    }
    open = chooses(i);
  }
  l.batch = common_shape("at", shapes);
  const bool apart = groups > 1;
  if (apart) l.front = 0;
  bool placed = !arrays;
  auto place = [&] {
    if (!placed) l.result.insert(l.result.end(), l.batch.begin(), l.batch.end());
    placed = true;
  };
  if (apart) place();
  for (const Item& i : items) {
    if (chooses(i))
      place();
    else if (i.kind == Kind::newaxis)
      l.result.push_back(1);
    else if (i.kind == Kind::part)
      l.result.push_back(i.count), l.plain.push_back(i.count);
  }
  l.plain.insert(l.plain.begin() + static_cast<std::ptrdiff_t>(l.front), l.batch.begin(), l.batch.end());
  return l;
}

/// Index vectors of a gather or scatter, and which axes they and its windows have.
struct Located {
  Array indices;
  List axes;     // of the array: those that index vectors count along
  List windows;  // axes of the plain layout that are whole axes of the array
};
/// Parts that are not whole are listed element by element.
Located locate(const Items& items, const Layout& l, const Shape& shape) {
  Located out;
  Shape grid;  // the axes of the plain layout that index vectors have
  List places;
  std::vector<std::pair<Array, List>> components;  // an array and the axes of the grid that it has
  std::size_t plain = 0;
  auto batch_places = [&] {
    for (std::size_t i = 0; i < l.batch.size(); ++i, ++plain) {
      places.push_back(static_cast<std::int64_t>(grid.size()));
      grid.push_back(l.batch[i]);
    }
  };
  std::vector<std::int64_t> part_place(items.size(), -1);
  std::size_t parts = 0;
  if (l.front == 0) batch_places();
  for (std::size_t n = 0; n < items.size(); ++n) {
    if (items[n].kind != Kind::part) continue;
    if (whole(items[n], shape)) {
      out.windows.push_back(static_cast<std::int64_t>(plain));
    } else {
      part_place[n] = static_cast<std::int64_t>(grid.size());
      grid.push_back(items[n].count);
    }
    ++plain;
    if (++parts == l.front) batch_places();
  }
  bool wide = false;
  for (std::size_t n = 0; n < items.size(); ++n) {
    const Item& i = items[n];
    Array index;
    List axes;
    if (i.kind == Kind::array) {
      index = i.array;
      axes.assign(places.end() - i.array.rank(), places.end());
    } else if (i.kind == Kind::integer) {
      index = place(i.start);
    } else if (i.kind == Kind::part && part_place[n] >= 0) {
      index = lax::add(lax::mul(lax::iota({s32, {i.count}}, 0), i.step), i.start);
      axes = {part_place[n]};
    } else {
      continue;
    }
    out.axes.push_back(i.axis);
    wide = wide || index.dtype() == s64;
    components.emplace_back(index, axes);
  }
  Shape vector = grid;
  vector.push_back(1);
  Arrays vectors;
  for (const auto& [index, axes] : components)
    vectors.push_back(lax::broadcast_in_dim(to(index, wide ? s64 : s32), vector, axes));
  out.indices = vectors.size() == 1 ? vectors[0] : lax::concatenate(vectors, static_cast<int>(grid.size()));
  return out;
}

/// An index that is one scalar moves a window; every start is clamped by dynamic_slice.
Array windowed(const Array& x, const Items& items) {
  Arrays starts(at(x.rank()));
  Shape sizes = x.shape();
  bool wide = false;
  for (const Item& i : items)
    wide = wide || (i.kind == Kind::array ? i.array.dtype() == s64 : i.start > INT32_MAX);
  const Dtype d = wide ? s64 : s32;
  for (const Item& i : items) {
    if (i.kind == Kind::newaxis) continue;
    if (i.kind != Kind::part) sizes[at(i.axis)] = 1;
    starts[at(i.axis)] = i.kind == Kind::array ? to(i.array, d) : Operand(i.start).array(d);
  }
  return lax::dynamic_slice(x, starts, sizes, {.allow_negative_indices = false});
}

void require_elements(const Items& items, const Type& type) {
  for (const Item& i : items)
    if ((i.kind == Kind::integer || (i.kind == Kind::array && i.array.size() > 0)) &&
        type.shape[at(i.axis)] == 0)
      type_error("at", "axis " + std::to_string(i.axis) + " of " + show(type) + " has no elements to read.");
}

Array read(const Array& x, const std::vector<Index>& indices, const IndexOptions& o) {
  Items items = resolve(x.type(), indices);
  const auto options = gather_options("at", o.mode, IndexMode::clip, o.fill_value);
  require_elements(items, x.type());
  Array part = sliced(x, items);
  bool arrays = false, scalars = true;  // index arrays; all of them scalars
  for (Item& i : items) {
    if (i.kind == Kind::array) arrays = true, scalars = scalars && i.array.rank() == 0;
    if (i.kind != Kind::integer) continue;
    if (options.mode == lax::GatherMode::fill && !inside(i, x.shape())) {
      i.kind = Kind::array, i.array = place(i.start), arrays = true, scalars = false;
    } else {
      i.start = std::clamp<std::int64_t>(i.start, 0, std::max<std::int64_t>(x.shape()[at(i.axis)] - 1, 0));
    }
  }
  const Layout l = layout_of(items);
  if (!arrays) {
    Shape start(at(x.rank()), 0), limit = part.shape();
    bool cut = false;
    for (const Item& i : items)
      if (i.kind == Kind::integer) start[at(i.axis)] = i.start, limit[at(i.axis)] = i.start + 1, cut = true;
    if (cut) part = lax::slice(part, start, limit);
    return reshape(part, l.result);
  }
  if (scalars && options.mode != lax::GatherMode::fill) return reshape(windowed(part, items), l.result);
  if (product(l.result) == 0) return lax::zeros({x.dtype(), l.result});  // a slice of one may not fit
  const Located found = locate(items, l, part.shape());
  Shape sizes = part.shape();
  for (std::int64_t axis : found.axes) sizes[at(axis)] = 1;
  lax::GatherOptions how = options;
  how.indices_are_sorted = o.indices_are_sorted, how.unique_indices = o.unique_indices;
  const Array out =
      lax::gather(part, found.indices, {found.windows, found.axes, found.axes, {}, {}}, sizes, how);
  return reshape(out, l.result);
}

using Scatter = Array (*)(Operand, Operand, Operand, const lax::ScatterDims&, const lax::ScatterOptions&);
using Combine = Array (*)(Operand, Operand);

/// The value in the dtype of x and the shape of the part.
Array update_value(std::string_view name, const Array& x, Operand value, const Shape& shape) {
  const Dtype d = x.dtype();
  const Dtype from = value.is_array() ? value.dtype() : value.dtype_beside(d);
  const bool loses = (d == boolean && from != boolean) || (!is_inexact(d) && is_inexact(from)) ||
                     (!is_complex(d) && is_complex(from));
  if (loses)
    type_error(name, "the value must fit into " + std::string(name_of(d)) + ", found " +
                         show(Type{from, value.is_array() ? value.array().shape() : Shape{}}) +
                         ".\n  Convert one with astype.");
  const Array v = as(value, d);
  const Shape shapes[] = {v.shape(), shape};
  bool fits = v.shape().size() <= shape.size();
  for (std::size_t k = 0; fits && k < v.shape().size(); ++k)
    fits = v.shape()[k] == 1 || v.shape()[k] == shape[shape.size() - v.shape().size() + k];
  if (!fits)
    type_error(name, "the value " + show(v.type()) + " must broadcast to the part " + show(shape) + ".");
  return broadcast(v, common_shape(name, shapes));
}

/// Parts with step 1 or -1 and whole numbers: one window at a place that is known.
Array update_window(const Array& x, const Items& items, const Array& value, Combine combine) {
  Shape sizes(at(x.rank()), 1), start(at(x.rank()), 0);
  List reversed;
  for (const Item& i : items) {
    if (i.kind == Kind::newaxis) continue;
    start[at(i.axis)] = i.step < 0 ? i.start - i.count + 1 : i.start;
    if (i.kind != Kind::part) continue;
    sizes[at(i.axis)] = i.count;
    if (i.step < 0) reversed.push_back(i.axis);
  }
  Array update = reshape(value, sizes);
  if (!reversed.empty()) update = lax::rev(update, reversed);
  if (combine) {
    Shape limit = start;
    for (std::size_t k = 0; k < limit.size(); ++k) limit[k] += sizes[k];
    update = combine(sizes == x.shape() ? x : lax::slice(x, start, limit), update);
  }
  if (sizes == x.shape()) return update;
  Arrays starts;
  for (std::int64_t s : start) starts.push_back(place(s));
  return lax::dynamic_update_slice(x, update, starts, {.allow_negative_indices = false});
}

Array updated(std::string_view name, const Array& x, const std::vector<Index>& indices, Operand value,
              const IndexOptions& o, Scatter scatter, Combine combine) {
  const Frame frame(value.where());
  if (o.mode == IndexMode::wrap || o.fill_value)
    type_error(name, "updates have the modes drop, clip and promise_in_bounds, and no fill_value.");
  const bool clips = o.mode == IndexMode::clip || o.mode == IndexMode::promise_in_bounds;
  Items items = resolve(x.type(), indices);
  const Layout l = layout_of(items);
  const Array v = update_value(name, x, value, l.result);
  if (v.size() == 0 || x.size() == 0) return x;
  bool window = !any_array(items);
  for (Item& i : items) {
    if (i.kind == Kind::part) window = window && std::abs(i.step) == 1;
    if (i.kind != Kind::integer || inside(i, x.shape())) continue;
    if (!clips) return x;  // dropped
    i.start = std::clamp<std::int64_t>(i.start, 0, x.shape()[at(i.axis)] - 1);
  }
  if (window) return update_window(x, items, v, combine);
  const Located found = locate(items, l, x.shape());
  const auto mode = o.mode == IndexMode::clip                ? lax::ScatterMode::clip
                    : o.mode == IndexMode::promise_in_bounds ? lax::ScatterMode::promise_in_bounds
                                                             : lax::ScatterMode::drop;
  return scatter(x, found.indices, reshape(v, l.plain), {found.windows, found.axes, found.axes, {}, {}},
                 {mode, o.indices_are_sorted, o.unique_indices});
}

}  // namespace

Array Indexed::get(const IndexOptions& options, Where where) const {
  const Frame frame(where);
  return read(x_, indices_, options);
}
Indexed::operator const Array&() const {
  read_ = get({}, where_);  // each time anew: it may be asked for in another trace
  return read_;
}

Array Indexed::set(Operand value, const IndexOptions& o) const {
  return updated("at().set", x_, indices_, value, o, lax::scatter, nullptr);
}
Array Indexed::add(Operand value, const IndexOptions& o) const {
  return updated("at().add", x_, indices_, value, o, lax::scatter_add, lax::add);
}
Array Indexed::subtract(Operand value, const IndexOptions& o) const {
  return updated("at().subtract", x_, indices_, value, o, lax::scatter_sub, lax::sub);
}
Array Indexed::mul(Operand value, const IndexOptions& o) const {
  return updated("at().mul", x_, indices_, value, o, lax::scatter_mul, lax::mul);
}
Array Indexed::div(Operand value, const IndexOptions& o) const {
  const Frame frame(value.where());
  const Array ones = lax::full_like(x_, 1);
  return lax::div(x_, updated("at().div", ones, indices_, value, o, lax::scatter_mul, lax::mul));
}
Array Indexed::min(Operand value, const IndexOptions& o) const {
  return updated("at().min", x_, indices_, value, o, lax::scatter_min, lax::min);
}
Array Indexed::max(Operand value, const IndexOptions& o) const {
  return updated("at().max", x_, indices_, value, o, lax::scatter_max, lax::max);
}

}  // namespace baton
