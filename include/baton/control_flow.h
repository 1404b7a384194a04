#pragma once
// control_flow: loops and branches inside traced functions, typed: scan, while_loop, fori_loop, cond,
// switch_case.
#include "baton/transform.h"

namespace baton {

namespace core {
struct ScanArgs {
  TreeRef init = {}, xs = {};
  std::int64_t length = -1;
  bool reverse = false;
};
/// The body's result is {carry, y}. Returns the leaves of the last carry, then those of the ys.
Arrays scan(const ScanArgs&, Body body, Where where, detail::Result& pattern);
Arrays while_loop(TreeRef init, Body cond, Body body, std::optional<std::int64_t> max_steps, Where where);
Arrays fori_loop(Operand lower, Operand upper, TreeRef init,
                 FunctionRef<detail::Result(const Array&, std::span<const Array>)> body, Where where);
Arrays cond(Operand index, std::span<const Body> branches, TreeRef operands, Where where,
            detail::Result& pattern);
}  // namespace core

/// What a scan's body returns.
template <class C, class Y>
struct Step {
  C carry;
  Y y;
};
template <class C, class Y>
Step(C, Y) -> Step<C, Y>;
template <class C, class Y>
struct Scanned {
  C carry;
  Y ys;
};
/// For bodies without a y.
struct Nothing {};

struct LoopOptions {
  std::int64_t length = -1;  // where xs holds no array
  bool reverse = false;
};
/// body(carry, x) -> Step{carry, y} over the leading axis of the arrays in xs, a tree.
template <class F, class C, class X>
auto scan(F&& body, C init, X xs, const LoopOptions& options = {}, Where where = Where::here()) {
  using S = std::remove_cvref_t<decltype(body(std::declval<C>(), std::declval<X>()))>;
  constexpr bool ok = requires(S s) {
    { s.carry } -> std::same_as<C&>;
    s.y;
  };
  static_assert(ok, "baton::scan: the body must return Step{carry, y} whose carry has the type of `init`");
  if constexpr (ok) {
    const auto arguments = detail::copies(init, xs);
    detail::Result pattern;
    const Arrays out = core::scan(
        {detail::tree_ref(init), detail::tree_ref(xs), options.length, options.reverse},
        [&](std::span<const Array> leaves) { return detail::run_on<S>(body, arguments, leaves); }, where,
        pattern);
    S result = detail::filled<S>(pattern, out);
    return Scanned<C, decltype(result.y)>{std::move(result.carry), std::move(result.y)};
  } else {
    return 0;
  }
}

struct WhileOptions {
  /// Given: the loop ends after so many steps, and reverse mode is possible.
  std::optional<std::int64_t> max_steps = {};
};
/// Repeats body(carry) -> carry while cond(carry), a bool scalar, holds.
template <class Cond, class F, class C>
C while_loop(Cond&& cond, F&& body, C init, const WhileOptions& options = {}, Where where = Where::here()) {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(body(init))>, C>,
                "baton::while_loop: the body must return the type of `init`");
  const auto arguments = detail::copies(init);
  const Arrays out = core::while_loop(
      detail::tree_ref(init),
      [&](std::span<const Array> leaves) { return detail::run_on<Array>(cond, arguments, leaves); },
      [&](std::span<const Array> leaves) { return detail::run_on<C>(body, arguments, leaves); },
      options.max_steps, where);
  return detail::with_leaves(std::move(init), out);
}

/// body(i, carry) -> carry for i = lower, ..., upper - 1: an s32 scalar, or of the dtype of an Array bound
/// that s32 does not hold. With numbers for bounds, reverse mode works.
template <class F, class C>
C fori_loop(Operand lower, Operand upper, F&& body, C init, Where where = Where::here()) {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(body(std::declval<Array>(), init))>, C>,
                "baton::fori_loop: the body must return the type of `init`");
  const Arrays out = core::fori_loop(
      lower, upper, detail::tree_ref(init),
      [&](const Array& i, std::span<const Array> leaves) {
        C local = detail::with_leaves(init, leaves);
        auto result = std::make_shared<C>(body(i, std::move(local)));
        return detail::Result{result, &detail::visit_erased<C>};
      },
      where);
  return detail::with_leaves(std::move(init), out);
}

/// when_true(operands...) or when_false(operands...): both are traced, one runs. `predicate` is a bool
/// scalar.
template <class T, class F, class... A>
auto cond(Operand predicate, T&& when_true, F&& when_false, const A&... operands) {
  const auto arguments = detail::copies(operands...);
  using R = detail::result_t<decltype(when_true), decltype(arguments)>;
  static_assert(std::is_same_v<R, detail::result_t<decltype(when_false), decltype(arguments)>>,
                "baton::cond: both branches must return the same type");
  detail::Result pattern;
  auto on_false = [&](std::span<const Array> leaves) {
    return detail::run_on<R>(when_false, arguments, leaves);
  };
  auto on_true = [&](std::span<const Array> leaves) {
    return detail::run_on<R>(when_true, arguments, leaves);
  };
  const core::Body branches[] = {on_false, on_true};
  const Arrays out = core::cond(predicate, branches, detail::tree_ref(arguments), predicate.where(), pattern);
  return detail::filled<R>(pattern, out);
}

/// branches[index](operands...), index an s32 scalar that is clamped; jax.lax.switch, whose name C++ keeps
/// for itself.
template <class B, class... A>
auto switch_case(Operand index, const std::vector<B>& branches, const A&... operands) {
  const auto arguments = detail::copies(operands...);
  using R = detail::result_t<const B, decltype(arguments)>;
  detail::Result pattern;
  struct Branch {
    const B* branch;
    const std::tuple<A...>* arguments;
    detail::Result operator()(std::span<const Array> leaves) const {
      return detail::run_on<R>(*branch, *arguments, leaves);
    }
  };
  std::vector<Branch> callables;
  for (const B& b : branches) callables.push_back({&b, &arguments});
  std::vector<core::Body> bodies(callables.begin(), callables.end());
  const Arrays out = core::cond(index, bodies, detail::tree_ref(arguments), index.where(), pattern);
  return detail::filled<R>(pattern, out);
}

}  // namespace baton
