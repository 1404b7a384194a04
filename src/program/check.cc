// check: the judge of Programs. It rebuilds nothing; it looks at what stands there.
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "program/primitive.h"

namespace baton {
namespace {

class CheckInner final : public FieldVisitorOfSome {
 public:
  void enumeration(std::string_view n, int& x, std::span<const std::string_view> names) override {
    if (x < 0 || x >= static_cast<int>(names.size()))
      internal_error("enum field " + std::string(n) + " out of range");
  }
  void program(std::string_view, Program& p) override { check(p); }
  void programs(std::string_view, std::vector<Program>& ps) override {
    for (Program& p : ps) check(p);
  }
};

[[noreturn]] void wrong(const Program& p, const std::string& what) {
  internal_error(what + " in\n" + p.text());
}

/// What the type rule gives. That it refuses is our mistake here: the user's was refused when it was traced.
Types types_of(const Program& p, const Equation& e, const Types& in, const std::string& who) try {
  return e.primitive->type(in, e.params);
} catch (const UsageError& refused) {
  wrong(p, who + " is refused by its type rule: " + refused.what());
}

}  // namespace

void check(const Program& program) {
  const ProgramData& p = *program;
  std::vector<bool> defined(p.types.size());
  for (int i = 0; i < p.input_count; ++i) defined[static_cast<std::size_t>(i)] = true;
  for (std::size_t i = 0; i < p.literals.size(); ++i) {
    const auto v = static_cast<std::size_t>(p.input_count) + i;
    if (v >= p.types.size() || p.types[v] != Type{p.literals[i].dtype, {}})
      wrong(program, "literal " + std::to_string(i) + " has another type than its variable");
    defined[v] = true;
  }
  auto read = [&](Var v, const std::string& who) {
    if (v < 0 || v >= static_cast<int>(p.types.size()) || !defined[static_cast<std::size_t>(v)])
      wrong(program, who + " reads variable " + std::to_string(v) + ", which is not defined before it");
  };
  for (std::size_t i = 0; i < p.equations.size(); ++i) {
    const Equation& e = p.equations[i];
    const std::string who = "equation " + std::to_string(i) + " (" + std::string(e.primitive->name) + ")";
    Types in;
    for (Var v : e.inputs) {
      read(v, who);
      in.push_back(p.type(v));
    }
    const Types want = types_of(program, e, in, who);
    if (want.size() != e.outputs.size())
      wrong(program, who + " has " + std::to_string(e.outputs.size()) + " results, its type rule gives " +
                         std::to_string(want.size()));
    for (std::size_t k = 0; k < want.size(); ++k) {
      const Var v = e.outputs[k];
      if (v < 0 || v >= static_cast<int>(p.types.size())) wrong(program, who + " defines no variable");
      if (defined[static_cast<std::size_t>(v)]) wrong(program, who + " defines a variable twice");
      defined[static_cast<std::size_t>(v)] = true;
      if (p.type(v) != want[k])
        wrong(program, who + " result " + std::to_string(k) + " is " + show(p.type(v)) +
                           ", its type rule gives " + show(want[k]));
    }
    CheckInner inner;
    e.params.visit(inner);
  }
  for (Var v : p.outputs) read(v, "the result list");
}

bool checks_programs() {
  static const bool checks = [] {
    const char* asked = std::getenv("BATON_CHECK");
#ifdef NDEBUG
    return asked && std::string_view(asked) != "0";
#else
    return !asked || std::string_view(asked) != "0";
#endif
  }();
  return checks;
}

}  // namespace baton
