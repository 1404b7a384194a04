#pragma once
// custom: functions with a derivative, a gradient or a linear solve that their author gives.
#include "baton/transform.h"

namespace baton {

namespace core {
/// `out` is the part of what the rule (or forward) returned last that stands for the function's result; empty
/// where it has another type.
Arrays custom_jvp(TreeRef tree, Body call, Body rule, Where where, detail::Result& pattern,
                  const detail::Result& out);
Arrays custom_vjp(TreeRef tree, Body call, Body forward, Body backward, Where where, detail::Result& pattern,
                  const detail::Result& out);
Arrays custom_linear_solve(TreeRef b, Body matvec, Body solve, Body transpose_solve, Where where);
}  // namespace core

namespace detail {
/// A part of a kept result.
template <class T>
Result member(const Result& whole, T& part) {
  return {std::shared_ptr<void>(whole.object, &part), &visit_erased<T>};
}
template <class F, class Rule, class R, class... A>
struct CustomJvp {
  mutable F f;
  mutable Rule rule;
  Where where;
  R operator()(const A&... a) const {
    const auto arguments = detail::copies(a...);
    const std::tuple<std::tuple<A...>, std::tuple<A...>> both(arguments, arguments);
    Result pattern, ruled;
    const Arrays out = core::custom_jvp(
        detail::tree_ref(arguments),
        [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); },
        [&](std::span<const Array> leaves) {
          Result r = detail::run_on<Jvp<R>>(rule, both, leaves);
          ruled = detail::member(r, static_cast<Jvp<R>*>(r.object.get())->out);
          return r;
        },
        where, pattern, ruled);
    return detail::filled<R>(pattern, out);
  }
};
template <class F, class Rule, class R, class... A>
auto custom_jvp(F f, Rule rule, Where where, R (*)(A...)) {
  return CustomJvp<F, Rule, R, A...>{std::move(f), std::move(rule), where};
}
template <class F, class Forward, class Backward, class R, class... A>
struct CustomVjp {
  mutable F f;
  mutable Forward forward;
  mutable Backward backward;
  Where where;
  R operator()(const A&... a) const {
    const auto arguments = detail::copies(a...);
    using Kept = detail::result_t<decltype(forward), decltype(arguments)>;  // {out, residuals}
    using Cts = decltype(detail::one_or_tuple(arguments));
    Result pattern, ruled;
    std::shared_ptr<Kept> kept;
    const Arrays out = core::custom_vjp(
        detail::tree_ref(arguments),
        [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); },
        [&](std::span<const Array> leaves) {
          const Result r = detail::run_on<Kept>(forward, arguments, leaves);
          kept = std::static_pointer_cast<Kept>(r.object);
          [[maybe_unused]] auto& [value, residuals] = *kept;
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, R>)
            ruled = detail::member(r, value);
          return r;
        },
        [&](std::span<const Array> leaves) {  // residuals, then cotangents
          auto [value, residuals] = *kept;
          std::tuple<decltype(residuals), decltype(value)> local(residuals, value);
          return detail::run_on<Cts>(backward, local, leaves);
        },
        where, pattern, ruled);
    return detail::filled<R>(pattern, out);
  }
};
template <class F, class Forward, class Backward, class R, class... A>
auto custom_vjp(F f, Forward forward, Backward backward, Where where, R (*)(A...)) {
  return CustomVjp<F, Forward, Backward, R, A...>{std::move(f), std::move(forward), std::move(backward),
                                                  where};
}
}  // namespace detail

/// f with a derivative of your own: rule(primals, tangents) -> Jvp{out, tangent}, on tuples of f's arguments.
/// `out` is what f returns, and may stand for it; `tangent` is linear in the tangents.
template <class F, class Rule>
auto custom_jvp(F f, Rule rule, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::custom_jvp: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::custom_jvp(std::move(f), std::move(rule), where,
                              static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}
/// f with a gradient of your own: forward(args...) -> a struct {out, residuals}, where `out` is what f
/// returns and may stand for it; backward(residuals, cotangent) -> the cotangents of the arguments, a tuple
/// if there are several.
template <class F, class Forward, class Backward>
auto custom_vjp(F f, Forward forward, Backward backward, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::custom_vjp: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::custom_vjp(std::move(f), std::move(forward), std::move(backward), where,
                              static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}
/// x with matvec(x) = b, where matvec is linear. `solve(b)` finds it, `transpose_solve(b)` does so for the
/// transposed system (for a symmetric one, the same function); neither is differentiated: derivatives solve
/// the system again.
template <class M, class T, class S, class TS>
T custom_linear_solve(M&& matvec, const T& b, S&& solve, TS&& transpose_solve, Where where = Where::here()) {
  const auto arguments = detail::copies(b);
  return detail::with_leaves(
      b, core::custom_linear_solve(
             detail::tree_ref(b),
             [&](std::span<const Array> leaves) { return detail::run_on<T>(matvec, arguments, leaves); },
             [&](std::span<const Array> leaves) { return detail::run_on<T>(solve, arguments, leaves); },
             [&](std::span<const Array> leaves) {
               return detail::run_on<T>(transpose_solve, arguments, leaves);
             },
             where));
}

}  // namespace baton
