// random_rows: rows of all primitives, their operands results of earlier ones where these lie in the range
// that the row wants.
#include <algorithm>
#include <cmath>

#include "baton/baton.h"
#include "engines/program_writer.h"
#include "ops/reduction.h"

namespace baton::testing {
namespace {

using Choice = std::pair<const Row*, Variant>;

/// The rows that can stand anywhere: their results depend on operands alone, and end.
const std::vector<Choice>& choices() {
  static const auto all = [] {
    std::vector<Choice> list;
    for (const auto* some : {&rows(), &edge_rows()})
      for (const Row& row : *some) {
        const Primitive& p = *row.primitive;
        if (!p.evaluate || p.effects || may_loop_for_ever(p, row.example.params)) continue;
        for (Variant& v : variants(row)) list.emplace_back(&row, std::move(v));
      }
    return list;
  }();
  return all;
}

/// Those that can have operands of any shape, but for the few that take microseconds for an element.
const std::vector<const Choice*>& elementwise_choices() {
  static const auto all = [] {
    std::vector<const Choice*> list;
    for (const Choice& c : choices())
      if (c.first->primitive->elementwise && c.first->primitive->element && c.first->example.values.empty() &&
          !c.first->primitive->name.starts_with("igamma"))
        list.push_back(&c);
    return list;
  }();
  return all;
}

/// Rows that promise something of the values of their indices.
bool promises(const Params& params) {
  const std::string text = show(params);
  for (const char* what : {"promise_in_bounds", "unique_indices=true", "indices_are_sorted=true"})
    if (text.find(what) != std::string::npos) return true;
  return false;
}

}  // namespace

void ProgramWriter::add_row() {
  const auto& all = choices();
  const auto& [row, v] = all[below(all.size())];
  const Arrays drawn = draw(*row, v.inputs, random_);
  const Example& e = row->example;
  const bool promised = promises(v.params);
  Values operands;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const bool exact = e.distinct || (k < e.values.size() && !e.values[k].empty()) ||
                       (promised && !is_inexact(v.inputs[k].dtype));
    Value found;
    if (!exact && below(4)) found = existing(v.inputs[k], e.low, e.high);
    operands.push_back(found.var < 0 ? input(drawn[k]) : found);
  }
  add(*row->primitive, v.params, operands, v.outputs);
}

/// A value of the type with all elements in the range: one that is there, or one made of it.
ProgramWriter::Value ProgramWriter::existing(const Type& type, double low, double high) {
  const std::int64_t most_elements = std::max<std::int64_t>(4096, 2 * type.size());
  const auto within = [](const Value& v, double least, double most) {
    return v.low >= least && v.high <= most;
  };
  std::vector<std::size_t> same, real;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Type& t = values_[i].array.type();
    if (t == type && (t.size() == 0 || t.dtype == boolean || within(values_[i], low, high)))
      same.push_back(i);
    if (is_inexact(t.dtype) && !is_complex(t.dtype) && t.size() > 0 && t.size() <= most_elements &&
        within(values_[i], -1e6, 1e6))
      real.push_back(i);
  }
  if (!same.empty() && below(3)) return values_[same[below(same.size())]];
  if (real.empty() || !is_inexact(type.dtype)) return {};
  const Value from = values_[real[below(real.size())]];
  const Value result = apply([&](const Arrays& in) { return changed(in[0], type, low, high); }, {from});
  return type.size() == 0 || within(result, low, high) ? result : Value();
}

/// As many elements as the type wants, moved into the range, by operations that rearrange.
Array ProgramWriter::changed(const Array& from, const Type& type, double low, double high) {
  Array a = from;
  if (a.rank() > 1 && below(2)) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(a.rank()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    a = lax::transpose(a, order);
  }
  if (a.rank() > 0 && below(2)) a = lax::rev(a, {0});
  a = lax::reshape(a, {a.size()});
  const std::int64_t n = type.size(), missing = std::max<std::int64_t>(n - a.size(), 0);
  if (missing > 0) a = below(2) ? lax::pad(a, 0, {{0, missing, 0}}) : lax::pad(a, 1, {{missing, 0, 0}});
  a = lax::reshape(lax::slice(a, {0}, {n}), type.shape);
  const double middle = (low + high) / 2, half = (high - low) / 2;
  a = lax::add(lax::mul(lax::sin(a), half * 0.99), middle);
  return lax::convert_element_type(a, type.dtype);
}

RandomProgram ProgramWriter::write_large() {
  const Shape shapes[] = {{70000}, {3, 25000}, {260, 300}, {64, 1100}, {40, 50, 40}, {66000, 1}};
  const Shape& shape = shapes[below(std::size(shapes))];
  for (int i = 0; i < 4; ++i) add_large_row(shape);
  for (int i = 0; i < 2; ++i) add_large_reduction();
  return finish();
}

void ProgramWriter::add_large_row(const Shape& shape) {
  const auto& all = elementwise_choices();
  const auto& [row, v] = *all[below(all.size())];
  Types types = v.inputs;
  for (Type& t : types) t.shape = shape;
  const Arrays drawn = draw(*row, types, random_);
  Values operands;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const Value found =
        row->example.distinct ? Value() : existing(types[k], row->example.low, row->example.high);
    operands.push_back(found.var < 0 ? input(drawn[k]) : found);
  }
  add(*row->primitive, v.params, operands);
}

void ProgramWriter::add_large_reduction() {
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].array.size() > 65536 && values_[i].low >= -1e6 && values_[i].high <= 1e6)
      large.push_back(i);
  if (large.empty()) return;
  const Value from = values_[large[below(large.size())]];
  const Dtype d = from.array.dtype();
  std::vector<std::int64_t> axes;
  for (int i = 0; i < from.array.rank(); ++i)
    if (i == 0 || below(2)) axes.push_back(i);
  const char* const of_numbers[] = {"reduce_sum", "reduce_max", "reduce_min"};
  const char* const of_bits[] = {"reduce_and", "reduce_or", "reduce_xor"};
  const bool numbers = d != boolean && (is_inexact(d) || below(2));
  const Primitive& p =
      *find_primitive(numbers ? of_numbers[is_complex(d) ? 0 : below(3)] : of_bits[below(3)]);
  add(p, ops::Reduction{axes}, {from});
}

}  // namespace baton::testing
