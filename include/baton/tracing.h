#pragma once
// tracing: a function's Program, and the types of what it would return.
#include "baton/transform.h"

namespace baton {

namespace core {
Program trace(TreeRef tree, Body body, Where where);
Arrays eval_shape(TreeRef tree, Body body, Where where, detail::Result& pattern);
}  // namespace core

/// An array that has a type and no value, for trace and eval_shape.
Array abstract(const Type& type);
namespace detail {
template <class F, class... A>
Program trace(F&& f, const std::tuple<A...>& arguments, Where where) {
  using R = detail::result_t<decltype(f), decltype(arguments)>;
  return core::trace(
      detail::tree_ref(arguments),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where);
}
template <class F, class... A>
auto eval_shape(F&& f, const std::tuple<A...>& arguments, Where where) {
  using R = detail::result_t<decltype(f), decltype(arguments)>;
  Result pattern;
  const Arrays out = core::eval_shape(
      detail::tree_ref(arguments),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where, pattern);
  return detail::filled<R>(pattern, out);
}
}  // namespace detail
/// The Program of f for arguments of these types; arrays that f captures are its last inputs.
template <class F>
Program trace(F&& f, Where where = Where::here()) {
  return detail::trace(f, std::tuple<>(), where);
}
template <class F, class A>
Program trace(F&& f, const A& a, Where where = Where::here()) {
  return detail::trace(f, detail::copies(a), where);
}
template <class F, class A, class B>
Program trace(F&& f, const A& a, const B& b, Where where = Where::here()) {
  return detail::trace(f, detail::copies(a, b), where);
}
template <class F, class A, class B, class C>
Program trace(F&& f, const A& a, const B& b, const C& c, Where where = Where::here()) {
  return detail::trace(f, detail::copies(a, b, c), where);
}
template <class F, class A, class B, class C, class D, class... More>  // its errors have no line of their own
Program trace(F&& f, const A& a, const B& b, const C& c, const D& d, const More&... more) {
  return detail::trace(f, detail::copies(a, b, c, d, more...), {});
}
/// What f would return, with types and no values.
template <class F>
auto eval_shape(F&& f, Where where = Where::here()) {
  return detail::eval_shape(f, std::tuple<>(), where);
}
template <class F, class A>
auto eval_shape(F&& f, const A& a, Where where = Where::here()) {
  return detail::eval_shape(f, detail::copies(a), where);
}
template <class F, class A, class B>
auto eval_shape(F&& f, const A& a, const B& b, Where where = Where::here()) {
  return detail::eval_shape(f, detail::copies(a, b), where);
}
template <class F, class A, class B, class C>
auto eval_shape(F&& f, const A& a, const B& b, const C& c, Where where = Where::here()) {
  return detail::eval_shape(f, detail::copies(a, b, c), where);
}
template <class F, class A, class B, class C, class D, class... More>  // its errors have no line of their own
auto eval_shape(F&& f, const A& a, const B& b, const C& c, const D& d, const More&... more) {
  return detail::eval_shape(f, detail::copies(a, b, c, d, more...), {});
}

}  // namespace baton
