// reference: the walk.
#include "engines/reference/reference.h"

#include <cstring>
#include <unordered_map>

#include "base/counters.h"
#include "base/held_bytes.h"
#include "base/text.h"
#include "trace/node.h"

namespace baton::reference {
namespace {

/// What is found out about a Program once: for each equation, the variables that no later equation and no
/// output reads.
struct Prepared {
  Program program;
  std::vector<std::vector<Var>> last_uses;
};

Prepared prepare(const Program& program) {
  const ProgramData& p = *program;
  Prepared prepared{program, std::vector<std::vector<Var>>(p.equations.size())};
  std::vector<bool> needed(p.types.size());
  for (Var v : p.outputs) needed[static_cast<std::size_t>(v)] = true;
  for (std::size_t i = p.equations.size(); i-- > 0;) {
    auto die = [&](Var v) {
      if (needed[static_cast<std::size_t>(v)]) return;
      needed[static_cast<std::size_t>(v)] = true;
      prepared.last_uses[i].push_back(v);
    };
    for (Var v : p.equations[i].inputs) die(v);
    for (Var v : p.equations[i].outputs) die(v);  // a result that nobody reads
  }
  return prepared;
}

View view_of(const Array& a) { return {&a.node()->type, data_of(a)}; }

Array literal_array(const Literal& l) {
  Array a = uninitialized({l.dtype, {}});
  std::memcpy(data_of(a), l.bytes, size_of(l.dtype));
  return a;
}

void evaluate(const Primitive& primitive, std::span<const View> in, std::span<const View> out,
              const Params& params, Evaluator& inner) {
  if (!primitive.evaluate)
    throw UsageError(std::string(primitive.name) +
                     ": this equation stands for a derivative until it is transposed, and cannot run.");
  primitive.evaluate(in, out, params, inner);
}

/// Runs the Programs that equations hold, such as the combiner of a reduction or the body of a loop.
class Inner final : public Evaluator {
 public:
  void run(const Program& program, std::span<const View> in, std::span<const View> out) override {
    const ProgramData& p = *program;
    const Prepared& prepared = prepared_for(program);
    std::vector<Array> owned(p.types.size());
    std::vector<View> values(p.types.size());
    for (std::size_t i = 0; i < in.size(); ++i) values[i] = {&p.types[i], in[i].data};
    for (std::size_t i = 0; i < p.literals.size(); ++i) {
      const auto v = static_cast<std::size_t>(p.input_count) + i;
      values[v] = {&p.types[v], const_cast<unsigned char*>(p.literals[i].bytes)};
    }
    std::vector<View> operands, results;
    for (std::size_t i = 0; i < p.equations.size(); ++i) {
      const Equation& e = p.equations[i];
      operands.clear();
      results.clear();
      for (Var v : e.inputs) operands.push_back(values[static_cast<std::size_t>(v)]);
      for (Var v : e.outputs) {
        Array& array = owned[static_cast<std::size_t>(v)] = uninitialized(p.type(v));
        results.push_back(values[static_cast<std::size_t>(v)] = view_of(array));
      }
      evaluate(*e.primitive, operands, results, e.params, *this);
      for (Var v : prepared.last_uses[i]) owned[static_cast<std::size_t>(v)] = Array();
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
      const View& from = values[static_cast<std::size_t>(p.outputs[k])];
      if (out[k].data != from.data && out[k].type->bytes())
        std::memmove(out[k].data, from.data, out[k].type->bytes());
    }
  }

 private:
  /// Of a Program that some equation holds, and so keeps alive.
  const Prepared& prepared_for(const Program& program) {
    const auto [at, made] = prepared_.try_emplace(&*program);
    if (made) at->second = prepare(program);
    return at->second;
  }

  std::unordered_map<const ProgramData*, Prepared> prepared_;
};

Arrays walk(const Prepared& prepared, Arrays inputs, std::span<const int> take) {
  const ProgramData& p = *prepared.program;
  // The memory of donated inputs waits here until the walk ends.
  std::vector<std::pair<int, Array>> donated;
  for (std::size_t i = 0; i < take.size(); ++i)
    if (take[i] >= 0) donated.emplace_back(take[i], inputs[i]);
  std::vector<Array> values(p.types.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i] = std::move(inputs[i]);
  inputs.clear();
  for (std::size_t i = 0; i < p.literals.size(); ++i)
    values[static_cast<std::size_t>(p.input_count) + i] = literal_array(p.literals[i]);
  Inner inner;
  std::vector<View> in, out;
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    const Equation& e = p.equations[i];
    in.clear();
    out.clear();
    for (Var v : e.inputs) in.push_back(view_of(values[static_cast<std::size_t>(v)]));
    for (Var v : e.outputs) {
      values[static_cast<std::size_t>(v)] = uninitialized(p.type(v));
      out.push_back(view_of(values[static_cast<std::size_t>(v)]));
    }
    evaluate(*e.primitive, in, out, e.params, inner);
    for (Var v : prepared.last_uses[i]) values[static_cast<std::size_t>(v)] = Array();
  }
  Arrays results;
  std::vector<bool> given(p.types.size());
  for (Var v : p.outputs) {
    const Array& value = values[static_cast<std::size_t>(v)];
    // Two outputs never share a buffer; an output that is an input that stays is the same handle.
    if (given[static_cast<std::size_t>(v)]) {
      Array copy = uninitialized(value.type());
      if (value.type().bytes()) std::memcpy(data_of(copy), data_of(value), value.type().bytes());
      count().copies.fetch_add(1, std::memory_order_relaxed);
      results.push_back(copy);
    } else {
      results.push_back(value);
    }
    given[static_cast<std::size_t>(v)] = true;
  }
  values.clear();
  // Only now are donated buffers written: every result that is one of them unchanged keeps it.
  for (auto& [output, array] : donated) {
    Array& result = results[static_cast<std::size_t>(output)];
    if (data_of(result) == data_of(array)) continue;
    if (array.type().bytes()) std::memcpy(data_of(array), data_of(result), array.type().bytes());
    result = array;
  }
  return results;
}

class Walked final : public Executable {
 public:
  Walked(const Program& program, std::vector<int> take)
      : prepared_(prepare(program)), take_(std::move(take)) {
    std::size_t n = sizeof *this + prepared_.program->bytes + take_.size() * sizeof(int);
    for (const auto& vars : prepared_.last_uses) n += sizeof(std::vector<Var>) + vars.size() * sizeof(Var);
    held_.set(n);
  }
  std::unique_ptr<Workspace> workspace(int) const override { return std::make_unique<Workspace>(); }
  void run(Workspace&, std::span<Array> inputs, std::span<Array> results) const override {
    Arrays given;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      given.push_back(i < take_.size() && take_[i] >= 0 ? inputs[i] : std::move(inputs[i]));
    Arrays out = walk(prepared_, std::move(given), take_);
    std::move(out.begin(), out.end(), results.begin());
  }
  std::span<const int> take() const override { return take_; }
  std::size_t result_count() const override { return prepared_.program->outputs.size(); }

 private:
  const Prepared prepared_;
  const std::vector<int> take_;
  HeldBytes held_;
};

}  // namespace

ExecutablePtr compile(const Program& program, std::vector<int> take) {
  return std::make_shared<Walked>(program, std::move(take));
}

void run(const Primitive& primitive, std::span<const View> in, std::span<const View> out,
         const Params& params) {
  Inner inner;
  evaluate(primitive, in, out, params, inner);
}

Arrays run(const Primitive& primitive, const Arrays& inputs, const Params& params, const Types& outputs) {
  std::vector<View> in, out;
  Arrays results;
  for (const Array& a : inputs) in.push_back(view_of(a));
  for (const Type& t : outputs) results.push_back(uninitialized(t));
  for (const Array& a : results) out.push_back(view_of(a));
  run(primitive, in, out, params);
  return results;
}

}  // namespace baton::reference
