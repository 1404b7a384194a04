// validate: plays a plan through, step by step, with a list of which variable lies where. Slow and obvious.
#include "base/text.h"
#include "plan/plan.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

/// Some bytes of one of the memories: of an input, a literal, a constant, an output or the arena. An output
/// that takes an input's memory lies in that input.
struct Bytes {
  Place::Kind memory = Place::Kind::arena;
  int index = 0;
  std::int64_t from = 0, to = 0;

  bool meets(const Bytes& o) const {
    return memory == o.memory && index == o.index && from < o.to && o.from < to;
  }
  bool operator==(const Bytes&) const = default;
};

/// A value that lies somewhere, whole.
struct Lying {
  Var var;
  Bytes bytes;
};

class Judge {
 public:
  Judge(const Plan& plan, const StepFacts& facts) : plan_(plan), p_(*plan.program), facts_(facts) {}

  void judge() {
    require(plan_.take.size() == static_cast<std::size_t>(p_.input_count), "a take for each input");
    require(plan_.places.size() == p_.types.size(), "a place for each variable");
    made_.resize(p_.types.size());
    for (Var v = 0; v < p_.input_count; ++v) put(v);
    for (std::size_t i = 0; i < p_.literals.size(); ++i) put(p_.input_count + static_cast<Var>(i));
    std::vector<bool> ran(p_.equations.size());
    for (std::size_t i = 0; i < ran.size(); ++i) {
      if (!facts_.is_constant(p_.equations[i])) continue;
      ran[i] = true;
      const Var v = p_.equations[i].outputs[0];
      require(plan_.places[at(v)] == Place{Place::Kind::constant, static_cast<int>(i), 0},
              "a constant's place");
      put(v);
    }
    for (const PlanStep& step : plan_.steps) {
      show_views(ran);
      run(step, ran);
    }
    show_views(ran);
    for (std::size_t i = 0; i < ran.size(); ++i) require(ran[i], "equation " + std::to_string(i) + " to run");
    for (const OutputCopy& copy : plan_.copies) {
      require_there(copy.from, "a copied output");
      const Bytes to = output_bytes(copy.output);
      require_writable(to, "a copied output");
      overwrite(to);
      lying_.push_back({copy.from, to});
    }
    for (std::size_t k = 0; k < p_.outputs.size(); ++k) require_output(static_cast<int>(k));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    internal_error("a plan lacks " + what + " in\n" + plan_.program.text());
  }
  void require(bool holds, const std::string& what) const {
    if (!holds) fail(what);
  }

  std::int64_t size(Var v) const { return static_cast<std::int64_t>(p_.type(v).bytes()); }

  /// The memory of an output: of the input that it takes, or its own.
  Bytes output_bytes(int output) const {
    const std::int64_t bytes = size(p_.outputs[static_cast<std::size_t>(output)]);
    for (std::size_t i = 0; i < plan_.take.size(); ++i)
      if (plan_.take[i] == output) return {Place::Kind::input, static_cast<int>(i), 0, bytes};
    return {Place::Kind::output, output, 0, bytes};
  }
  Bytes bytes_of(Var v) const {
    const Place& place = plan_.places[at(v)];
    if (place.kind == Place::Kind::output) {
      require(place.index >= 0 && place.index < static_cast<int>(p_.outputs.size()), "an output for a place");
      Bytes b = output_bytes(place.index);
      require(b.to == size(v), "room for variable " + std::to_string(v));
      return b;
    }
    if (place.kind == Place::Kind::arena) {
      require(place.offset >= 0 && place.offset % 64 == 0 && place.offset + size(v) <= plan_.arena_bytes,
              "room in the arena for variable " + std::to_string(v));
      return {Place::Kind::arena, 0, place.offset, place.offset + size(v)};
    }
    return {place.kind, place.index, 0, size(v)};
  }

  void put(Var v) {
    lying_.push_back({v, bytes_of(v)});
    made_[at(v)] = true;
  }
  bool there(Var v) const {
    const Bytes b = bytes_of(v);
    for (const Lying& l : lying_)
      if (l.var == v && l.bytes == b) return true;
    return false;
  }
  void require_there(Var v, const std::string& who) const {
    require(there(v), "variable " + std::to_string(v) + " where " + who + " reads it");
  }
  void overwrite(const Bytes& b) {
    std::erase_if(lying_, [&](const Lying& l) { return l.bytes.meets(b); });
  }
  /// Inputs are written only where an output takes their memory, literals and constants never.
  void require_writable(const Bytes& b, const std::string& who) const {
    require(b.memory != Place::Kind::literal && b.memory != Place::Kind::constant,
            "memory of its own for " + who);
    if (b.memory == Place::Kind::input)
      require(plan_.take[static_cast<std::size_t>(b.index)] >= 0, "a donated input for " + who);
  }

  /// A view stands for its operands once all of them have been made, whether or not each is still needed.
  void show_views(std::vector<bool>& ran) {
    for (std::size_t i = 0; i < ran.size(); ++i) {
      const Equation& e = p_.equations[i];
      if (ran[i] || !is_view(e)) continue;
      bool all = true;
      for (Var v : e.inputs) all = all && made_[at(v)];
      if (!all) continue;
      ran[i] = true;
      for (std::size_t k = 0; k < e.outputs.size(); ++k) {
        require(bytes_of(e.outputs[k]) == bytes_of(e.inputs[k]), "one place for a view and its operand");
        made_[at(e.outputs[k])] = true;
        if (there(e.inputs[k])) put(e.outputs[k]);
      }
    }
  }

  void run(const PlanStep& step, std::vector<bool>& ran) {
    require(step.equation >= 0 && step.equation < static_cast<int>(p_.equations.size()),
            "an equation for a step");
    const auto i = static_cast<std::size_t>(step.equation);
    const Equation& e = p_.equations[i];
    const std::string who = "equation " + std::to_string(i) + " (" + std::string(e.primitive->name) + ")";
    require(!ran[i] && !is_view(e), "one step for " + who);
    ran[i] = true;
    if (effects_of(e) != Effects::none) {
      require(step.equation > last_effect_, "the order of effects at " + who);
      last_effect_ = step.equation;
    }
    require(!(donated_written_ && facts_.may_fail(e)), "whole donated inputs where " + who + " fails");
    for (Var v : e.inputs) require_there(v, who);
    std::vector<Bytes> written;
    const std::int64_t scratch = facts_.scratch(e);
    require(step.scratch_bytes == scratch, "the bytes of the scratch of " + who);
    if (scratch) {
      const Bytes b{Place::Kind::arena, 0, step.scratch, step.scratch + scratch};
      require(b.from >= 0 && b.from % 64 == 0 && b.to <= plan_.arena_bytes, "room in the arena for " + who);
      for (Var v : e.inputs) require(!b.meets(bytes_of(v)), "operands apart from the scratch of " + who);
      written.push_back(b);
    }
    for (std::size_t r = 0; r < e.outputs.size(); ++r) {
      const Bytes b = bytes_of(e.outputs[r]);
      require_writable(b, who);
      if (b.memory == Place::Kind::input) {
        require(!facts_.may_fail(e), "whole donated inputs where " + who + " fails");
        donated_written_ = true;
      }
      for (const Bytes& other : written) require(!b.meets(other), "results apart from each other of " + who);
      for (std::size_t o = 0; o < e.inputs.size(); ++o) {
        const Bytes operand = bytes_of(e.inputs[o]);
        require(!b.meets(operand) || (b == operand && facts_.in_place(e, o, r)),
                "results apart from operands of " + who);
      }
      written.push_back(b);
    }
    for (const Bytes& b : written) overwrite(b);
    for (Var v : e.outputs) put(v);
  }

  /// The output's value lies in the output's memory, or is an input that lies untouched.
  void require_output(int k) const {
    const Var v = p_.outputs[static_cast<std::size_t>(k)];
    const Bytes wanted = output_bytes(k);
    for (const Lying& l : lying_) {
      if (l.var != v) continue;
      if (l.bytes == wanted) return;
      if (p_.is_input(v) && l.bytes == Bytes{Place::Kind::input, v, 0, size(v)} && passes(k)) return;
    }
    fail("output " + std::to_string(k));
  }
  /// An output that takes no memory and is the first of its input is that input's handle.
  bool passes(int k) const {
    if (plan_.passing == Passing::copied) return false;
    for (int take : plan_.take)
      if (take == k) return false;
    for (int other = 0; other < k; ++other)
      if (p_.outputs[static_cast<std::size_t>(other)] == p_.outputs[static_cast<std::size_t>(k)])
        return false;
    return true;
  }

  const Plan& plan_;
  const ProgramData& p_;
  const StepFacts& facts_;
  std::vector<Lying> lying_;
  std::vector<bool> made_;  // variables that were there at some time
  int last_effect_ = -1;
  bool donated_written_ = false;
};

}  // namespace

void validate(const Plan& plan, const StepFacts& facts) { Judge(plan, facts).judge(); }

}  // namespace baton
