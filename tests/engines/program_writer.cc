// program_writer: what all steps share.
#include "engines/program_writer.h"

#include <algorithm>
#include <cmath>

#include "baton/baton.h"
#include "engines/reference/reference.h"
#include "trace/trace.h"

namespace baton::testing {

RandomProgram ProgramWriter::write(std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) add_step();
  return finish();
}

RandomProgram ProgramWriter::finish() {
  std::vector<Var> outputs;
  for (const Value& v : values_)
    if (!v.input) outputs.push_back(v.var);
  return {b_.finish(outputs), inputs_};
}

void ProgramWriter::add_step() {
  if (depth_ > 0 && below(3) == 0)
    add_control();
  else
    add_row();
}

ProgramWriter::Value ProgramWriter::add_value(Var var, const Array& array, bool is_input) {
  Value v{var, array, is_input};
  const double infinity = std::numeric_limits<double>::infinity();
  if (array.dtype() != boolean) {
    v.low = infinity, v.high = -infinity;
    for (const auto& x : elements(array))
      for (long double part : {x.real(), x.imag() == 0 ? x.real() : x.imag()}) {
        if (std::isnan(part)) part = infinity, v.low = -infinity;
        v.low = std::min(v.low, static_cast<double>(part));
        v.high = std::max(v.high, static_cast<double>(part));
      }
  }
  values_.push_back(v);
  return v;
}

ProgramWriter::Value ProgramWriter::input(const Array& a) {
  inputs_.push_back(a);
  return add_value(b_.input(a.type()), a, true);
}

ProgramWriter::Values ProgramWriter::add(const Primitive& p, const Params& params, const Values& operands,
                                         const Types& types) {
  Arrays arrays;
  std::vector<Var> vars;
  for (const Value& v : operands) arrays.push_back(v.array), vars.push_back(v.var);
  const Arrays results = reference::run(p, arrays, params, types);
  vars = b_.equation(p, params, vars, types, 0);
  Values made;
  for (std::size_t k = 0; k < vars.size(); ++k) made.push_back(add_value(vars[k], results[k], false));
  return made;
}

ProgramWriter::Values ProgramWriter::add(const Primitive& p, const Params& params, const Values& operands) {
  Types types;
  for (const Value& v : operands) types.push_back(v.array.type());
  return add(p, params, operands, result_types(p, types, params));
}

ProgramWriter::Values ProgramWriter::copy(const Program& program, const Values& inputs) {
  const ProgramData& p = *program;
  Values now(p.types.size());
  std::copy(inputs.begin(), inputs.end(), now.begin());
  const auto value = [&](Var v) {
    if (!p.is_literal(v)) return now[static_cast<std::size_t>(v)];
    return Value{b_.literal(p.literal(v)), Array(p.type(v), p.literal(v).bytes), true};
  };
  for (const Equation& e : p.equations) {
    Values operands;
    for (Var v : e.inputs) operands.push_back(value(v));
    Types types;
    for (Var v : e.outputs) types.push_back(p.type(v));
    const Values results = add(*e.primitive, e.params, operands, types);
    for (std::size_t k = 0; k < results.size(); ++k) now[static_cast<std::size_t>(e.outputs[k])] = results[k];
  }
  Values outputs;
  for (Var v : p.outputs) outputs.push_back(value(v));
  return outputs;
}

ProgramWriter::Value ProgramWriter::apply(std::function<Array(const Arrays&)> f, const Values& operands) {
  Types types;
  for (const Value& v : operands) types.push_back(v.array.type());
  return copy(make_program("f", types, [&](const Arrays& in) { return Arrays{f(in)}; }), operands)[0];
}

}  // namespace baton::testing
