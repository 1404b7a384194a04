// show_plan: a Plan as text: what each input becomes, the steps in their order with the place of each
// operand and result, and the copies at the end.
#include "plan/plan.h"
#include "program/names.h"

namespace baton {
namespace {

std::size_t at(Var v) { return static_cast<std::size_t>(v); }

class Text {
 public:
  explicit Text(const Plan& plan) : plan_(plan), p_(*plan.program) {}

  std::string all() const {
    std::string s = "arena of " + std::to_string(plan_.arena_bytes) + " bytes\n";
    for (Var v = 0; v < p_.input_count; ++v) {
      const int output = plan_.take[at(v)];
      s += "input " + std::to_string(v) + ": " + name_of(p_, v) + " " + show(p_.type(v)) +
           (output >= 0 ? ", becomes output " + std::to_string(output) : "") + "\n";
    }
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      s += "step " + std::to_string(i) + ": " + step(plan_.steps[i]);
    for (const OutputCopy& copy : plan_.copies)
      s += "copy: output " + std::to_string(copy.output) + " = " + placed(copy.from) + "\n";
    for (std::size_t k = 0; k < p_.outputs.size(); ++k)
      s += "output " + std::to_string(k) + ": " + name_of(p_, p_.outputs[k]) + "\n";
    return s;
  }

 private:
  std::string step(const PlanStep& step) const {
    const Equation& e = p_.equations[static_cast<std::size_t>(step.equation)];
    std::string s =
        "equation " + std::to_string(step.equation) + ", " + std::string(e.primitive->name) + "\n";
    for (Var v : e.inputs) s += "  reads  " + placed(v) + "\n";
    for (Var v : e.outputs) s += "  writes " + placed(v) + "\n";
    if (step.scratch_bytes) s += "  scratch " + in_arena(step.scratch, step.scratch_bytes) + "\n";
    return s;
  }
  std::string placed(Var v) const {
    const Place& place = plan_.places[at(v)];
    return name_of(p_, v) + " " + show(p_.type(v)) + " in " +
           text(place, static_cast<std::int64_t>(p_.type(v).bytes()));
  }
  static std::string text(const Place& place, std::int64_t bytes) {
    const std::string index = " " + std::to_string(place.index);
    switch (place.kind) {
      case Place::Kind::input:
        return "input" + index;
      case Place::Kind::literal:
        return "literal" + index;
      case Place::Kind::constant:
        return "the constant of equation" + index;
      case Place::Kind::output:
        return "output" + index;
      case Place::Kind::arena:
        break;
    }
    return in_arena(place.offset, bytes);
  }
  /// Half-open, in bytes.
  static std::string in_arena(std::int64_t from, std::int64_t bytes) {
    return "arena [" + std::to_string(from) + ", " + std::to_string(from + bytes) + ")";
  }

  const Plan& plan_;
  const ProgramData& p_;
};

}  // namespace

std::string show(const Plan& plan) { return Text(plan).all(); }

}  // namespace baton
