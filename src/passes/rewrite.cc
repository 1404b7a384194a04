// rewrite: the copy in the making.
#include "passes/rewrite.h"

#include "base/text.h"

namespace baton {
namespace {

class Replace final : public FieldVisitorOfSome {
 public:
  explicit Replace(Program (*other)(const Program&)) : other_(other) {}
  void program(std::string_view, Program& p) override { p = other_(p); }
  void programs(std::string_view, std::vector<Program>& ps) override {
    for (Program& p : ps) p = other_(p);
  }

 private:
  Program (*other_)(const Program&);
};

}  // namespace

Rewrite::Rewrite(const Program& program) : p_(*program), now_(p_.types.size(), -1) {
  for (Var v = 0; v < p_.input_count; ++v) set(v, builder_.input(p_.type(v)));
}

Var Rewrite::operator()(Var old) {
  Var& now = now_[static_cast<std::size_t>(old)];
  if (now < 0) {
    if (!p_.is_literal(old)) internal_error("a pass reads a value that it has not made");
    now = builder_.literal(p_.literal(old));
  }
  return now;
}

std::vector<Var> Rewrite::operator()(const std::vector<Var>& old) {
  std::vector<Var> now;
  for (Var v : old) now.push_back((*this)(v));
  return now;
}

void Rewrite::set(const std::vector<Var>& old, const std::vector<Var>& now) {
  for (std::size_t i = 0; i < old.size(); ++i) set(old[i], now[i]);
}

std::vector<Var> Rewrite::copy(const Equation& e, const Params& params) {
  Types types;
  for (Var v : e.outputs) types.push_back(p_.type(v));
  return builder_.equation(*e.primitive, params, (*this)(e.inputs), types, e.number);
}

Program Rewrite::finish() { return builder_.finish((*this)(p_.outputs)); }

Params with_programs(const Params& params, Program (*other)(const Program&)) {
  if (programs_of(params).empty()) return params;
  Replace replace(other);
  return params.with(replace);
}

}  // namespace baton
