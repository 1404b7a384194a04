#pragma once
// function: what jit, grad, vmap and their like know of a user's function: its signature, and how to run it
// on leaves.
#include <memory>

#include "baton/tree.h"

namespace baton {
namespace detail {

template <class F>
struct signature {};  // no member `type`: not a function with written parameter types
template <class F>
requires requires { &F::operator(); }
struct signature<F> : signature<decltype(&F::operator())> {};
template <class T>
inline constexpr bool is_changed =
    std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
/// The type itself; what `x.at(...)` gives is read, and becomes an Array.
template <class R>
using read_t =
    std::conditional_t<std::is_same_v<std::remove_cvref_t<R>, Indexed>, Array, std::remove_cvref_t<R>>;
template <class R, class... A>
struct signature<R (*)(A...)> {
  static_assert(!std::is_void_v<R>, "baton: the function returns nothing; it must return what it computes");
  static_assert(!(is_changed<A> || ...),
                "baton: a parameter of the function is a non-const reference; take it by value or by const "
                "reference, and return the new value");
  using type = read_t<R>(std::remove_cvref_t<A>...);
};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class R, class... A>
struct signature<R(A...)> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...)> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const noexcept> : signature<R (*)(A...)> {};
template <class F>
concept Concrete = requires {
  typename signature<std::decay_t<F>>::type;
};
template <class F>
using signature_t = typename signature<std::decay_t<F>>::type;

template <class S>
struct parts;
template <class R, class... A>
struct parts<R(A...)> {
  using result = R;
  using arguments = std::tuple<A...>;
  static constexpr std::size_t count = sizeof...(A);
  template <std::size_t I>
  using argument = std::tuple_element_t<I, std::tuple<A...>>;
};

/// A result of a user's function, kept as a pattern: same structure and constants, leaves to be filled in.
struct Result {
  std::shared_ptr<void> object;
  core::VisitFn visit = nullptr;
};

template <class F, class... A>
decltype(auto) call_and_read(F& f, A&&... a) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(f(std::forward<A>(a)...))>, Indexed>)
    return Array(static_cast<const Array&>(f(std::forward<A>(a)...)));
  else
    return f(std::forward<A>(a)...);
}
/// Calls f with copies of the arguments. A mutable lambda that is const here is called as a copy.
template <class F, class Tuple>
decltype(auto) call(F& f, const Tuple& arguments) {
  return std::apply(
      [&](const auto&... a) -> decltype(auto) {
        if constexpr (std::is_invocable_v<F&, std::remove_cvref_t<decltype(a)>...>) {
          return call_and_read(f, std::remove_cvref_t<decltype(a)>(a)...);
        } else {
          std::remove_const_t<F> own = f;
          return call_and_read(own, std::remove_cvref_t<decltype(a)>(a)...);
        }
      },
      arguments);
}
/// What f returns for these arguments, a tuple; `run_on` says what is wrong with nothing.
template <class F, class Tuple>
using returned = std::remove_cvref_t<decltype(detail::call(std::declval<std::remove_reference_t<F>&>(),
                                                           std::declval<const Tuple&>()))>;
template <class F, class Tuple>
using result_t = std::conditional_t<std::is_void_v<returned<F, Tuple>>, Array, returned<F, Tuple>>;

template <class Tuple>
constexpr bool copyable() {
  static_assert(std::is_copy_constructible_v<Tuple>,
                "baton: an argument cannot be copied, since it has a member that cannot be. A function is "
                "traced on copies of its arguments: hold that member by std::shared_ptr, or outside");
  return true;
}
/// Copies of the arguments of a call.
template <class... A>
std::tuple<A...> copies(const A&... a) {
  static_assert(copyable<std::tuple<A...>>());
  return std::tuple<A...>(a...);
}
/// Runs f with the leaves of its arguments replaced, and keeps the result as a pattern.
template <class R, class F, class Tuple>
[[gnu::cold]] Result run_on(F& f, const Tuple& arguments, std::span<const Array> leaves) {
  static_assert(copyable<Tuple>());
  if constexpr (std::is_void_v<returned<F, Tuple>>) {
    static_assert(no<F>, "baton: the function returns nothing; it must return what it computes");
    return {};
  } else {
    Tuple local = arguments;  // NOLINT(performance-unnecessary-copy-initialization): its leaves are replaced
    core::assign(detail::tree_ref(local), leaves);
    auto result = std::make_shared<R>(detail::call(f, local));
    return {result, &visit_erased<R>};
  }
}
/// The result with these leaves.
template <class R>
[[gnu::cold]] R filled(const Result& pattern, std::span<const Array> leaves) {
  return detail::with_leaves(*static_cast<const R*>(pattern.object.get()), leaves);
}

}  // namespace detail

namespace core {
using Body = FunctionRef<detail::Result(std::span<const Array>)>;
}
}  // namespace baton
