// shape: constants and operations that move elements.
#include <numeric>

#include "base/text.h"
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

Array array_of(const mlir::Elements& e, Where where) {
  if (!e.splat) return Array(e.type, e.bytes.data(), where);
  const Array scalar({e.type.dtype, {}}, e.bytes.data(), where);
  return lax::broadcast_in_dim({scalar, where}, e.type.shape, {});
}

}  // namespace

void read_constant(Context& c) {
  const Attribute& a = c.op.values.empty() ? c.need("value") : c.resolve(c.op.values[0]);
  if ((a.kind == Attribute::Kind::dense || a.kind == Attribute::Kind::resource) && !a.type.type)
    c.unsupported(c.name() + ": the type " + std::string(a.type.text) + " is not supported.");
  auto e = std::make_shared<mlir::Elements>(mlir::decode(a, c.importer.module));
  if (c.importer.map_shape && e->type.shape.empty()) e->type.shape = *c.importer.map_shape;
  c.results.push_back({array_of(*e, c.where), e, -1, {}, a.type.narrow});
}

void read_iota(Context& c) {
  std::int64_t axis = c.integer(c.find("dim") ? "dim" : "iota_dimension");
  const Type type = c.result();
  if (axis < 0 || axis >= type.rank())
    c.fail("axis " + std::to_string(axis) + " is not one of " + show(type) + ".");
  c.results.push_back(
      {lax::iota(type, static_cast<int>(axis), c.where), nullptr, static_cast<int>(axis), {}});
}

void read_broadcast_in_dim(Context& c) {
  const auto dims = c.integers(c.find("dims") ? "dims" : "broadcast_dimensions");
  const Value& x = c.value(0);
  const Type out = c.result();
  c.give(lax::broadcast_in_dim(c.in(0), out.shape, dims));
  if (x.constant && x.constant->splat && x.array.size() > 0) {
    auto e = std::make_shared<mlir::Elements>(*x.constant);
    e->type.shape = out.shape;
    c.results[0].constant = e;
  }
}

void read_broadcast(Context& c) {
  const Array& x = c.array(0);
  Shape shape = c.integers(c.find("sizes") ? "sizes" : "broadcast_sizes");
  std::vector<std::int64_t> dims(static_cast<std::size_t>(x.rank()));
  std::iota(dims.begin(), dims.end(), static_cast<std::int64_t>(shape.size()));
  shape.insert(shape.end(), x.shape().begin(), x.shape().end());
  c.give(lax::broadcast_in_dim(c.in(0), shape, dims));
}

void read_reshape(Context& c) {
  c.give(lax::reshape(c.in(0), c.result().shape));
  if (c.value(0).constant) {
    auto e = std::make_shared<mlir::Elements>(*c.value(0).constant);
    e->type.shape = c.result().shape;
    c.results[0].constant = e;
  }
}
void read_transpose(Context& c) {
  c.give(lax::transpose(c.in(0), c.integers(c.find("dims") ? "dims" : "permutation")));
}
void read_reverse(Context& c) {
  c.give(lax::rev(c.in(0), c.integers(c.find("dims") ? "dims" : "dimensions")));
}

void read_slice(Context& c) {
  Shape start, limit, strides;
  if (!c.op.values.empty()) {
    for (const Attribute& range : c.op.values[0].items) {
      if (range.items.size() < 2 || range.items.size() > 3)
        c.fail("ranges start:limit or start:limit:stride are required.");
      start.push_back(range.items[0].integer);
      limit.push_back(range.items[1].integer);
      strides.push_back(range.items.size() == 3 ? range.items[2].integer : 1);
    }
  } else {
    start = c.integers("start_indices"), limit = c.integers("limit_indices"), strides = c.integers("strides");
  }
  c.give(lax::slice(c.in(0), start, limit, strides));
  if (const auto it = c.importer.qr_of.find(c.array(0).node()); it != c.importer.qr_of.end()) {
    c.importer.qr_of[c.results[0].array.node()] = it->second;
    c.importer.kept.push_back(c.results[0].array);
  }
}

void read_dynamic_slice(Context& c) {
  c.give(lax::dynamic_slice(c.in(0), c.in(1, c.count()),
                            c.integers(c.find("sizes") ? "sizes" : "slice_sizes"),
                            {.allow_negative_indices = false}));
}
void read_dynamic_update_slice(Context& c) {
  c.give(lax::dynamic_update_slice(c.in(0), c.in(1), c.in(2, c.count()), {.allow_negative_indices = false}));
}

std::vector<std::int64_t> constant_integers(const Context& c, std::size_t operand) {
  const Value& v = c.value(operand);
  if (!v.constant) c.unsupported(c.name() + ": operand " + std::to_string(operand) + " must be a constant.");
  Attribute a;
  a.at = c.op.at;
  std::vector<std::int64_t> list;
  const mlir::Elements& e = *v.constant;
  if (!is_integer(e.type.dtype) || e.type.size() > 64)
    c.fail("a list of at most 64 integers is required, found " + show(e.type) + ".");
  const std::size_t width = size_of(e.type.dtype);
  for (std::int64_t i = 0; i < e.type.size(); ++i) {
    std::int64_t value = 0;
    const char* from = e.bytes.data() + (e.splat ? 0 : static_cast<std::size_t>(i) * width);
    if (is_signed(e.type.dtype) && (from[width - 1] & 0x80)) value = -1;
    std::memcpy(&value, from, width);
    list.push_back(value);
  }
  return list;
}

void read_pad(Context& c) {
  const bool dynamic = c.op.name == "stablehlo.dynamic_pad";
  const auto part = [&](const char* pretty, const char* generic, std::size_t operand) {
    return dynamic ? constant_integers(c, operand) : c.integers(c.find(pretty) ? pretty : generic);
  };
  const auto low = part("low", "edge_padding_low", 2), high = part("high", "edge_padding_high", 3),
             interior = part("interior", "interior_padding", 4);
  if (low.size() != high.size() || low.size() != interior.size())
    c.fail("low, high and interior must be of one length.");
  std::vector<lax::Padding> padding;
  for (std::size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
  c.give(lax::pad(c.in(0), c.in(1), padding));
  if (const auto it = c.importer.qr_of.find(c.array(0).node()); it != c.importer.qr_of.end()) {
    c.importer.qr_of[c.results[0].array.node()] = it->second;
    c.importer.kept.push_back(c.results[0].array);
  }
}

void read_concatenate(Context& c) {
  const std::int64_t axis = c.integer(c.find("dim") ? "dim" : "dimension");
  if (c.count() == 1)
    c.give(c.array(0));
  else
    c.give(lax::concatenate(c.in(0, c.count()), static_cast<int>(axis)));
}

void read_get_dimension_size(Context& c) {
  const std::int64_t axis = c.integer(c.find("dim") ? "dim" : "dimension");
  const Array& x = c.array(0);
  if (axis < 0 || axis >= x.rank())
    c.fail("axis " + std::to_string(axis) + " is not one of " + show(x.type()) + ".");
  const auto extent = static_cast<std::int32_t>(x.dim(static_cast<int>(axis)));
  auto e = std::make_shared<mlir::Elements>();
  e->type = {s32, {}};
  e->bytes.assign(reinterpret_cast<const char*>(&extent), sizeof extent);
  e->splat = true;
  c.results.push_back({Array(extent, c.where), e, -1, {}});
}

void read_real_dynamic_slice(Context& c) {
  c.give(lax::slice(c.in(0), constant_integers(c, 1), constant_integers(c, 2), constant_integers(c, 3)));
}

// ---- gather and scatter
// -------------------------------------------------------------------------------------------

namespace {

struct DimensionNumbers {
  const Context& c;
  Fields fields;
  std::vector<std::int64_t> operator()(Text key) const {
    for (const auto& [k, a] : fields)
      if (k == key) return mlir::integers(a, c.importer.module);
    return {};
  }
  std::int64_t index_vector_dim() const {
    const auto list = (*this)("index_vector_dim");
    return list.empty() ? 0 : list[0];
  }
};

/// The indices with their index vector as the last axis, and the batching dims of the indices moved along.
Array index_vector_last(const Context& c, const Array& indices, std::int64_t axis,
                        std::vector<std::int64_t>& batching_dims) {
  if (axis < 0 || axis > indices.rank())
    c.fail("index_vector_dim is " + std::to_string(axis) + ", but the indices are " + show(indices.type()) +
           ".");
  if (axis == indices.rank()) return lax::expand_dims({indices, c.where}, {axis});
  if (axis == indices.rank() - 1) return indices;
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < indices.rank(); ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  for (std::int64_t& d : batching_dims)
    if (d > axis) --d;
  return lax::transpose({indices, c.where}, order);
}

}  // namespace

void read_gather(Context& c) {
  const DimensionNumbers d{c, mlir::fields_of(c.need("dimension_numbers"), c.importer.module)};
  lax::GatherDims dims{d("offset_dims"), d("collapsed_slice_dims"), d("start_index_map"),
                       d("operand_batching_dims"), d("start_indices_batching_dims")};
  const Array indices =
      index_vector_last(c, c.array(1), d.index_vector_dim(), dims.start_indices_batching_dims);
  const Shape sizes =
      c.op.name == "stablehlo.dynamic_gather" ? constant_integers(c, 2) : c.integers("slice_sizes");
  c.give(lax::gather(c.in(0), {indices, c.where}, dims, sizes,
                     {.mode = lax::GatherMode::clip, .indices_are_sorted = c.flag("indices_are_sorted")}));
}

void read_scatter(Context& c) {
  if (c.count() < 3 || c.count() % 2 == 0) c.fail("operands, indices and updates are required.");
  const std::size_t n = (c.count() - 1) / 2;
  const DimensionNumbers d{c, mlir::fields_of(c.need("scatter_dimension_numbers"), c.importer.module)};
  lax::ScatterDims dims{d("update_window_dims"), d("inserted_window_dims"), d("scatter_dims_to_operand_dims"),
                        d("input_batching_dims"), d("scatter_indices_batching_dims")};
  if (dims.operand_batching_dims.empty()) dims.operand_batching_dims = d("operand_batching_dims");
  const Array indices =
      index_vector_last(c, c.array(n), d.index_vector_dim(), dims.scatter_indices_batching_dims);
  const lax::ScatterOptions options{lax::ScatterMode::drop, c.flag("indices_are_sorted"),
                                    c.flag("unique_indices")};
  const Arrays operands = c.arrays(0, n);
  Types types = scalars_of(operands);
  const Types again = types;
  types.insert(types.end(), again.begin(), again.end());
  const Program combiner = c.closed_region(0, types);
  const Operand x = c.in(0), at(indices, c.where), updates = c.in(n + 1);
  if (n == 1 && combiner.equation_count() == 0 && combiner->outputs == std::vector<Var>{1}) {
    c.give(lax::scatter(x, at, updates, dims, options));
    return;
  }
  const Monoid m = n == 1 && types[0].dtype != boolean ? monoid_of(combiner) : Monoid::none;
  if (m == Monoid::add)
    c.give(lax::scatter_add(x, at, updates, dims, options));
  else if (m == Monoid::mul)
    c.give(lax::scatter_mul(x, at, updates, dims, options));
  else if (m == Monoid::max)
    c.give(lax::scatter_max(x, at, updates, dims, options));
  else if (m == Monoid::min)
    c.give(lax::scatter_min(x, at, updates, dims, options));
  else
    c.give(lax::scatter_general(c.in(0, n), at, c.in(n + 1, c.count()), combiner, dims, options));
}

}  // namespace baton::stablehlo
