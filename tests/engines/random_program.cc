// random_program: equations are run by the reference as they are added, so that each row gets operands in
// its range.
#include "engines/random_program.h"

#include <algorithm>
#include <cmath>

#include "baton/baton.h"
#include "engines/reference/reference.h"
#include "passes/rewrite.h"

namespace baton::testing {
namespace {

constexpr std::int64_t most_elements = 4096;

/// The rows that can stand anywhere: their results depend on operands alone, and end.
const std::vector<std::pair<const Row*, Variant>>& choices() {
  static const auto all = [] {
    std::vector<std::pair<const Row*, Variant>> list;
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

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(std::to_string(seed)) {}

  RandomProgram write() {
    const std::size_t rows = 2 + below(6);
    for (std::size_t i = 0; i < rows; ++i) add_row();
    std::vector<Var> outputs;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!values_[i].input) outputs.push_back(values_[i].var);
    return {b_.finish(outputs), inputs_};
  }

 private:
  struct Value {
    Var var;
    Array array;
    bool input;
  };

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.bits() % n); }

  Var input(const Array& a) {
    const Var v = b_.input(a.type());
    values_.push_back({v, a, true});
    inputs_.push_back(a);
    return v;
  }
  std::vector<Var> add(const Primitive& p, const Params& params, const std::vector<Var>& operands,
                       const Arrays& arrays, const Types& types) {
    const Arrays results = reference::run(p, arrays, params, types);
    const std::vector<Var> vars = b_.equation(p, params, operands, types, 0);
    for (std::size_t k = 0; k < vars.size(); ++k) values_.push_back({vars[k], results[k], false});
    return vars;
  }

  void add_row() {
    // A primitive first, so that those of many rows are not the most.
    const auto& all = choices();
    const auto& [row, v] = all[below(all.size())];
    const Arrays drawn = draw(*row, v.inputs, random_);
    const Example& e = row->example;
    std::vector<Var> operands;
    Arrays arrays;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      const bool exact = e.distinct || (k < e.values.size() && !e.values[k].empty());
      Value found{-1, {}, false};
      if (!exact && below(4)) found = existing(v.inputs[k], e.low, e.high);
      if (found.var < 0) found = {input(drawn[k]), drawn[k], true};
      operands.push_back(found.var), arrays.push_back(found.array);
    }
    add(*row->primitive, v.params, operands, arrays, v.outputs);
  }

  /// A value of the type with all elements in the range: one that is there, or one made of it.
  Value existing(const Type& type, double low, double high) {
    std::vector<std::size_t> same, real;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Type& t = values_[i].array.type();
      if (t == type && within(values_[i].array, low, high)) same.push_back(i);
      if (is_inexact(t.dtype) && !is_complex(t.dtype) && t.size() > 0 && t.size() <= most_elements &&
          within(values_[i].array, -1e6, 1e6))
        real.push_back(i);
    }
    if (!same.empty() && below(3)) return values_[same[below(same.size())]];
    if (real.empty() || !is_inexact(type.dtype)) return {-1, {}, false};
    const Value& from = values_[real[below(real.size())]];
    const Program change =
        trace([&](const Array& a) { return changed(a, type, low, high); }, abstract(from.array.type()));
    const Value result = copy(change, from);
    return within(result.array, low, high) ? result : Value{-1, {}, false};
  }

  bool within(const Array& a, double low, double high) {
    if (a.dtype() == boolean) return true;
    for (const auto& x : elements(a))
      if (!(x.real() >= low && x.real() <= high && x.imag() >= low && x.imag() <= high) &&
          !(x.imag() == 0 && x.real() >= low && x.real() <= high))
        return false;
    return true;
  }

  /// As many elements as the type wants, moved into the range, by operations that rearrange.
  Array changed(const Array& from, const Type& type, double low, double high) {
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

  /// The equations of a Program of one input and one output.
  Value copy(const Program& program, const Value& from) {
    const ProgramData& p = *program;
    std::vector<Value> now(p.types.size());
    now[0] = from;
    for (const Equation& e : p.equations) {
      std::vector<Var> operands;
      Arrays arrays;
      for (Var v : e.inputs) {
        const auto at = static_cast<std::size_t>(v);
        if (p.is_literal(v)) now[at] = {b_.literal(p.literal(v)), Array(p.type(v), p.literal(v).bytes), true};
        operands.push_back(now[at].var), arrays.push_back(now[at].array);
      }
      Types types;
      for (Var v : e.outputs) types.push_back(p.type(v));
      const std::size_t first = values_.size();
      const std::vector<Var> vars = add(*e.primitive, e.params, operands, arrays, types);
      for (std::size_t k = 0; k < vars.size(); ++k)
        now[static_cast<std::size_t>(e.outputs[k])] = values_[first + k];
    }
    return now[static_cast<std::size_t>(p.outputs[0])];
  }

  Random random_;
  Builder b_;
  Arrays inputs_;
  std::vector<Value> values_;
};

/// The Program without some equations; their results are inputs then. Only inputs that are read stay.
RandomProgram without(const RandomProgram& from, const std::vector<bool>& left_out,
                      const std::vector<bool>& output) {
  const ProgramData& p = *from.program;
  std::vector<Array> values(p.types.size());
  for (std::size_t i = 0; i < from.inputs.size(); ++i) values[i] = from.inputs[i];
  Builder b;
  RandomProgram made;
  std::vector<Var> now(p.types.size(), -1);
  const auto operand = [&](Var v) {
    const auto at = static_cast<std::size_t>(v);
    if (p.is_literal(v)) return b.literal(p.literal(v));
    if (now[at] < 0) now[at] = b.input(p.type(v)), made.inputs.push_back(values[at]);
    return now[at];
  };
  std::vector<Var> outputs;
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    const Equation& e = p.equations[i];
    Arrays arrays;
    for (Var v : e.inputs)
      arrays.push_back(p.is_literal(v) ? Array(p.type(v), p.literal(v).bytes)
                                       : values[static_cast<std::size_t>(v)]);
    Types types;
    for (Var v : e.outputs) types.push_back(p.type(v));
    const Arrays results = reference::run(*e.primitive, arrays, e.params, types);
    for (std::size_t k = 0; k < results.size(); ++k)
      values[static_cast<std::size_t>(e.outputs[k])] = results[k];
    if (left_out[i]) continue;
    std::vector<Var> operands;
    for (Var v : e.inputs) operands.push_back(operand(v));
    const std::vector<Var> vars = b.equation(*e.primitive, e.params, operands, types, 0);
    for (std::size_t k = 0; k < vars.size(); ++k) {
      now[static_cast<std::size_t>(e.outputs[k])] = vars[k];
      const auto found = std::find(p.outputs.begin(), p.outputs.end(), e.outputs[k]);
      if (found != p.outputs.end() && output[static_cast<std::size_t>(found - p.outputs.begin())])
        outputs.push_back(vars[k]);
    }
  }
  made.program = b.finish(outputs);
  return made;
}

}  // namespace

RandomProgram random_program(std::uint64_t seed) { return Writer(seed).write(); }

Program with_outputs(const Program& program, const std::vector<std::size_t>& outputs) {
  Rewrite rewrite(program);
  for (const Equation& e : program->equations) rewrite.set(e.outputs, rewrite.copy(e, e.params));
  std::vector<Var> chosen;
  for (std::size_t k : outputs) chosen.push_back(rewrite(program->outputs[k]));
  return rewrite.builder().finish(chosen);
}

RandomProgram minimised(const RandomProgram& from, FunctionRef<bool(const RandomProgram&)> fails) {
  std::vector<bool> left_out(from.program->equations.size()), output(from.program->outputs.size(), true);
  const auto still = [&](std::vector<bool>& flags, std::size_t i, bool value) {
    flags[i] = value;
    if (!fails(without(from, left_out, output))) flags[i] = !value;
  };
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output[i]) still(output, i, false);
    for (std::size_t i = left_out.size(); i-- > 0;)
      if (!left_out[i]) still(left_out, i, true);
  }
  return without(from, left_out, output);
}

}  // namespace baton::testing
