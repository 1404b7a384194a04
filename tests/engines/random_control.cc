// random_control: loops and branches whose bodies are random Programs too, over carries of odd shapes.
#include <algorithm>

#include "baton/baton.h"
#include "engines/program_writer.h"
#include "ops/cond.h"
#include "ops/scan.h"
#include "ops/while.h"
#include "trace/trace.h"

namespace baton::testing {
namespace {

Arrays operator+(Arrays a, const Arrays& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The same Program over more inputs, or in another order: its input i is number `where[i]` of them.
Program over(const Program& program, const Types& inputs, const std::vector<std::size_t>& where) {
  return make_program("over", inputs, [&](const Arrays& all) {
    Arrays mine;
    for (std::size_t i : where) mine.push_back(all[i]);
    return splice(program, mine);
  });
}
/// `count` numbers from `first` on.
void count_from(std::vector<std::size_t>& where, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) where.push_back(first + i);
}

}  // namespace

Array ProgramWriter::drawn(const Type& type) {
  std::vector<std::complex<long double>> values;
  for (std::int64_t i = 0; i < type.size(); ++i)
    values.emplace_back(is_inexact(type.dtype) ? random_.uniform(-1, 1)
                                               : static_cast<double>(below(type.dtype == boolean ? 2 : 4)));
  return from_elements(type, values);
}

Type ProgramWriter::odd_type() {
  const Type types[] = {{f32, {}},      {f32, {5}},    {f32, {2, 3}},    {f32, {3, 0}},
                        {bf16, {1, 7}}, {f64, {4}},    {s32, {}},        {s32, {3, 1}},
                        {boolean, {5}}, {c64, {3}},    {f16, {0}},       {u8, {3, 1, 2}},
                        {f32, {17}},    {boolean, {}}, {f16, {2, 1, 9}}, {s64, {2}}};
  return types[below(std::size(types))];
}

ProgramWriter::Value ProgramWriter::some_value() {
  if (!values_.empty() && below(3)) {
    const Value v = values_[below(values_.size())];
    if (v.array.size() <= 256) return v;
  }
  return input(drawn(odd_type()));
}
ProgramWriter::Values ProgramWriter::some_values(std::size_t least, std::size_t most) {
  Values values;
  for (std::size_t n = least + below(most - least + 1); n > 0; --n) values.push_back(some_value());
  return values;
}

/// A value of the type: a result rather than an input, or one made of another value.
ProgramWriter::Value ProgramWriter::produce(const Type& type) {
  Values results, inputs;
  for (const Value& v : values_)
    if (v.array.type() == type) (v.input ? inputs : results).push_back(v);
  if (!results.empty() && below(4)) return results[late(results.size())];
  const Value made = existing(type, -1, 1);
  if (made.var >= 0) return made;
  if (!inputs.empty()) return inputs[below(inputs.size())];
  return input(drawn(type));
}

ProgramWriter::Inner ProgramWriter::inner(const Arrays& given, std::size_t steps,
                                          std::function<Values(ProgramWriter&, const Values&)> outputs) {
  ProgramWriter writer(random_, depth_ - 1);
  Values begin;
  for (const Array& a : given) begin.push_back(writer.input(a));
  for (std::size_t i = 0; i < steps; ++i) writer.add_step();
  std::vector<Var> vars;
  for (const Value& v : outputs(writer, begin)) vars.push_back(v.var);
  return {writer.b_.finish(vars),
          Arrays(writer.inputs_.begin() + static_cast<std::ptrdiff_t>(given.size()), writer.inputs_.end())};
}

ProgramWriter::Values ProgramWriter::with_inputs(Values values, const Arrays& more) {
  for (const Array& a : more) values.push_back(input(a));
  return values;
}

void ProgramWriter::add_control() {
  const std::size_t kind = below(3);
  if (kind == 0)
    add_scan();
  else if (kind == 1)
    add_while();
  else
    add_branches();
}

void ProgramWriter::add_scan() {
  const Values consts = some_values(0, 2), carry = some_values(0, 3);
  Values xs;
  for (const Value& v : values_)
    if (v.array.rank() > 0 && v.array.dim(0) < 5 && v.array.size() <= 256 && xs.empty() && below(4) == 0)
      xs.push_back(v);
  const std::int64_t length = xs.empty() ? static_cast<std::int64_t>(below(5)) : xs[0].array.dim(0);
  for (std::size_t more = below(2); more > 0; --more) {
    Type type = odd_type();
    type.shape.insert(type.shape.begin(), length);
    xs.push_back(input(drawn(type)));
  }
  const bool reverse = below(2);
  Arrays given;
  for (const Value& v : consts) given.push_back(v.array);
  for (const Value& v : carry) given.push_back(v.array);
  for (const Value& v : xs) {
    Type element = v.array.type();
    element.shape.erase(element.shape.begin());
    given.push_back(length ? unstack(v.array, 0)[reverse ? static_cast<std::size_t>(length) - 1 : 0]
                           : drawn(element));
  }
  const Inner body = inner(given, 1 + below(3), [&](ProgramWriter& w, const Values&) {
    Values outputs;
    for (const Value& v : carry) outputs.push_back(w.produce(v.array.type()));
    for (std::size_t ys = below(3); ys > 0 && !w.values_.empty(); --ys)
      outputs.push_back(w.values_[w.late(w.values_.size())]);
    return outputs;
  });
  // What the body draws are constants too, and stand before the carry.
  const std::size_t fresh = body.fresh.size();
  std::vector<std::size_t> where;
  count_from(where, 0, consts.size());
  count_from(where, consts.size() + fresh, carry.size() + xs.size());
  count_from(where, consts.size(), fresh);
  const auto first = given.begin(), end_of_consts = first + static_cast<std::ptrdiff_t>(consts.size());
  const Types inputs =
      types_of(Arrays(first, end_of_consts) + body.fresh + Arrays(end_of_consts, given.end()));
  Values operands = with_inputs(consts, body.fresh);
  operands.insert(operands.end(), carry.begin(), carry.end());
  operands.insert(operands.end(), xs.begin(), xs.end());
  add(ops::scan,
      ops::Scan{over(body.program, inputs, where), length, reverse,
                static_cast<std::int64_t>(consts.size() + fresh), static_cast<std::int64_t>(carry.size())},
      operands);
}

/// Counts its steps in a carry, and may end before that.
void ProgramWriter::add_while() {
  const Values consts = some_values(0, 2), carry = some_values(0, 3);
  const Value counter = input(Array(0));
  const auto most = static_cast<int>(below(4));
  Arrays carried = {counter.array}, given;
  for (const Value& v : carry) carried.push_back(v.array);
  for (const Value& v : consts) given.push_back(v.array);
  given = given + carried;
  const Inner body = inner(given, 1 + below(3), [&](ProgramWriter& w, const Values& begin) {
    const Value count = begin[consts.size()];
    Values outputs = {w.apply([](const Arrays& in) { return lax::add(in[0], 1); }, {count})};
    for (const Value& v : carry) outputs.push_back(w.produce(v.array.type()));
    return outputs;
  });
  const Inner condition = inner(carried, below(2), [&](ProgramWriter& w, const Values& begin) {
    const Value more = w.apply([&](const Arrays& in) { return lax::lt(in[0], most); }, {begin[0]});
    if (below(2)) return Values{more};
    const Value small = w.produce({f32, {}});
    return Values{w.apply([](const Arrays& in) { return lax::bitwise_and(in[0], lax::lt(in[1], 0.5f)); },
                          {more, small})};
  });
  // Inputs of the equation: constants of the condition, those of the body, the carry.
  const auto over_consts = [&](const Inner& part, std::size_t own) {
    std::vector<std::size_t> where;
    count_from(where, 0, own);
    count_from(where, own + part.fresh.size(), carried.size());
    count_from(where, own, part.fresh.size());
    const Arrays constants(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(own));
    return over(part.program, types_of(constants + part.fresh + carried), where);
  };
  Values operands = with_inputs({}, condition.fresh);
  operands.insert(operands.end(), consts.begin(), consts.end());
  operands = with_inputs(operands, body.fresh);
  operands.push_back(counter);
  operands.insert(operands.end(), carry.begin(), carry.end());
  add(ops::while_,
      ops::While{over_consts(condition, 0), over_consts(body, consts.size()),
                 static_cast<std::int64_t>(condition.fresh.size()),
                 static_cast<std::int64_t>(consts.size() + body.fresh.size())},
      operands);
}

void ProgramWriter::add_branches() {
  const bool by_bool = below(2);
  const std::size_t count = by_bool ? 2 : 1 + below(4);
  const Value index = by_bool ? produce({boolean, {}}) : produce({s32, {}});
  const Values operands = some_values(1, 3);
  Arrays given;
  for (const Value& v : operands) given.push_back(v.array);
  std::vector<Inner> branches;
  for (std::size_t b = 0; b < count; ++b)
    branches.push_back(inner(given, 1 + below(3), [&](ProgramWriter& w, const Values&) {
      Values outputs;
      if (b > 0)
        for (const Type& t : branches[0].program.outputs()) outputs.push_back(w.produce(t));
      else
        for (std::size_t n = 1 + w.below(3); n > 0; --n)
          outputs.push_back(w.values_[w.late(w.values_.size())]);
      return outputs;
    }));
  Arrays all = given;
  for (const Inner& b : branches) all = all + b.fresh;
  std::vector<Program> programs;
  std::size_t before = given.size();
  for (const Inner& b : branches) {
    std::vector<std::size_t> where;
    count_from(where, 0, given.size());
    count_from(where, before, b.fresh.size());
    before += b.fresh.size();
    programs.push_back(over(b.program, types_of(all), where));
  }
  Values in = {index};
  in.insert(in.end(), operands.begin(), operands.end());
  add(ops::cond, ops::Cond{programs},
      with_inputs(in, Arrays(all.begin() + static_cast<std::ptrdiff_t>(given.size()), all.end())));
}

}  // namespace baton::testing
