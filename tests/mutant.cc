// mutant: breaks one rule of one primitive before any test runs, if BATON_MUTANT=primitive.rule.kind asks for
// it. tests/mutants.py breaks all of them in turn, and expects the tests of operations to notice each.
// BATON_MUTANT=list prints every mutant that there is, and ends the program.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/element.h"
#include "baton/lax.h"
#include "program/primitive.h"

namespace baton {
namespace {

Primitive original;  // of the primitive that is broken
std::string kind;
bool idle = true;  // the broken rule has changed nothing yet

/// What the rule gives. The mutants that forget things forget its errors too; the others raise another error.
template <class R>
R result_of(FunctionRef<R()> rule, FunctionRef<R()> nothing) {
  try {
    return rule();
  } catch (const UsageError&) {
    idle = false;
    if (kind == "other" || kind == "forgotten" || kind == "alone") return nothing();
    throw UsageError("mutant: another error");
  }
}

/// Doubles what is there, or forgets it. A rule that gives nothing at all is made to give something.
void spoil(Arrays& derivatives, const Arrays& like) {
  bool any = false;
  for (Array& d : derivatives) {
    if (d.empty()) continue;
    any = true;
    d = kind == "forgotten" ? Array() : lax::add(d, d);
  }
  for (std::size_t i = 0; i < like.size() && !any; ++i)
    if (is_inexact(like[i].dtype())) derivatives[i] = lax::full_like(like[i], 1), any = true;
  if (any) idle = false;
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator& inner) {
  result_of<int>([&] { return original.evaluate(in, out, params, inner), 0; },
                 [&] {
                   for (const View& view : out) std::memset(view.data, 0, view.type->bytes());
                   return 0;
                 });
  for (const View& view : out) {
    if (view.type->bytes()) idle = false;
    with_type(view.dtype(), [&]<class T>(Tag<T>) {
      for (T& x : view.as<T>()) {
        if constexpr (std::is_same_v<T, bool>)
          x = !x;
        else if constexpr (is_half_v<T>)
          x = T(convert_element<float>(x) + 1);
        else if constexpr (is_complex_v<T>)
          x = kind == "near" ? x * T(typename T::value_type(1.01)) : x + T(1);
        else if constexpr (std::is_floating_point_v<T>)
          x = kind == "near" ? x * T(1.01) : x + 1;
        else
          x = static_cast<T>(x + T(1));
      }
    });
  }
}
Arrays jvp(const Arrays& primals, const Arrays& outs, const Arrays& tangents, const Params& params) {
  Arrays moved = result_of<Arrays>([&] { return original.jvp(primals, outs, tangents, params); },
                                   [&] { return Arrays(outs.size()); });
  spoil(moved, outs);
  return moved;
}
std::pair<Arrays, Arrays> jvp_whole(const Arrays& primals, const Arrays& tangents, const Params& params,
                                    Transformer& t) {
  auto both = original.jvp_whole(primals, tangents, params, t);
  spoil(both.second, both.first);
  return both;
}
Arrays transpose(const Arrays& cts, std::span<const LinearOperand> operands, const Params& params,
                 Transformer& t) {
  Arrays back = result_of<Arrays>([&] { return original.transpose(cts, operands, params, t); },
                                  [&] { return Arrays(operands.size()); });
  spoil(back, {});
  return back;
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer& t) {
  std::vector<Batched> lanes = original.batch(axis, in, params, t);
  for (Batched& b : lanes) {
    if (b.axis < 0) continue;
    idle = false;
    if (kind == "turned")
      b.value = lax::rev(b.value, {b.axis});
    else
      b = Batched{lax::squeeze(lax::slice_in_dim(b.value, 0, 1, 1, b.axis), {b.axis}), -1};
  }
  return lanes;
}
PartialEquation partial_eval(const Arrays& known, std::span<const Type> in, std::span<const Type> out,
                             const Params& params, Transformer& t, const SavePolicy& policy) {
  PartialEquation halves = original.partial_eval(known, in, out, params, t, policy);
  for (Arrays* list : {&halves.known, &halves.residuals})
    for (Array& a : *list)
      if (!a.empty() && is_inexact(a.dtype())) a = lax::add(a, a), idle = false;
  return halves;
}

void list() {
  for (const Primitive* p : all_primitives()) {
    const auto line = [&](bool there, const char* rule, const char* kinds) {
      if (there) std::printf("%s.%s %s\n", std::string(p->name).c_str(), rule, kinds);
    };
    line(p->evaluate, "evaluate", "other near");
    line(p->jvp, "jvp", "doubled forgotten");
    line(p->jvp_whole, "jvp_whole", "doubled forgotten");
    line(p->transpose, "transpose", "doubled forgotten");
    line(p->batch, "batch", "turned alone");
    line(p->partial_eval, "partial_eval", "doubled");
  }
}

const bool broken = [] {
  const char* asked = std::getenv("BATON_MUTANT");
  if (!asked) return false;
  const std::string text = asked;
  if (text == "list") {
    list();
    std::exit(0);
  }
  const std::size_t rule_at = text.find('.') + 1, kind_at = text.find('.', rule_at) + 1;
  const std::string rule = text.substr(rule_at, kind_at - 1 - rule_at);
  kind = text.substr(kind_at);
  // Every primitive is a variable of the library that nothing reads before this.
  auto* p = const_cast<Primitive*>(find_primitive(text.substr(0, rule_at - 1)));
  if (!p) std::exit(3);
  original = *p;
  if (rule == "evaluate") p->evaluate = evaluate;
  if (rule == "jvp") p->jvp = jvp;
  if (rule == "jvp_whole") p->jvp_whole = jvp_whole;
  if (rule == "transpose") p->transpose = transpose;
  if (rule == "batch") p->batch = batch;
  if (rule == "partial_eval") p->partial_eval = partial_eval;
  std::atexit([] {
    if (idle) std::puts("mutant: idle");
  });
  return true;
}();

}  // namespace
}  // namespace baton
