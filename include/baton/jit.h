#pragma once
// jit: a function compiled once for each signature of its arguments. Rvalue arguments are donated.
#include "baton/function.h"
#include "baton/plan_report.h"
#include "baton/program.h"

namespace baton {

enum class Donation {
  when_possible,  // a leaf that is shared, or that no result can use, is left alone and reported
  required,       // such a leaf is an error before anything runs
};
enum class Captures {
  by_value,  // arrays that the function's closure holds are inputs of the Program; one that it reads through
             // a reference or a global is an error at the second call, unless the closure is not trivially
             // copyable: then it may hold the array, in a vector say, and nobody can tell
  frozen,    // arrays read through references or globals keep the value that they had when the function was
             // traced
};
struct JitOptions {
  Donation donation = Donation::when_possible;
  Captures captures = Captures::by_value;
  bool allow_retrace = true;  // false: a second signature is an error that shows the difference
  int threads = 0;  // that a run may use; 0: those of the process (BATON_THREADS), 1: the caller's alone
  std::string name = {};  // for messages; default: the line of the jit
};

/// What became of one donated leaf in the last call.
struct DonatedLeaf {
  enum class Fate { reused, shared, not_usable };
  std::string path;  // args[0].model.weight
  Type type = {};
  Fate fate = Fate::reused;
  std::string detail = {};  // reused: by which result; shared: with whom; not usable: why
  std::size_t bytes = 0;
};
struct DonationReport {
  std::vector<DonatedLeaf> leaves = {};
  std::size_t donated_bytes = 0, reused_bytes = 0;
  std::string text() const;
};

namespace core {
/// An argument of a call: borrowed or moved, with the line of the call.
struct ArgRef {
  TreeRef tree = {};
  bool donated = false;
  bool const_move = false;  // std::move of a const object: cannot be taken
  Where where = {};
};
class JitState;
struct JitSite {
  JitOptions options = {};
  Where where = {};
  bool owns_arrays =
      true;  // false: the closure is trivially copyable, so any array it reads came by reference
};
std::shared_ptr<JitState> make_jit(const JitSite&);
/// Gets the pattern and the leaves of a result, which are there for this call alone.
using Receive = FunctionRef<void(const detail::Result& pattern, std::span<const Array> leaves)>;
void call(JitState&, std::span<ArgRef> args, Body body, Receive);
/// The first argument is an lvalue whose leaves are donated; the first leaves of the result are written back
/// into it, and the others handed on.
void update(JitState&, std::span<ArgRef> args, Body body, Receive);
PlanReport plan(JitState&, std::span<ArgRef> args, Body body);
Program program(JitState&, std::span<ArgRef> args, Body body);
std::string listing(JitState&, std::span<ArgRef> args, Body body);
DonationReport donation_report(const JitState&);
}  // namespace core

/// An argument of a compiled function: a borrowed lvalue, or an rvalue whose memory may be reused by the
/// results.
template <class T>
class Arg {
 public:
  Arg(const T& value, Where where = Where::here()) : ref_{detail::tree_ref(value), false, false, where} {}
  Arg(T&& value, Where where = Where::here()) : ref_{detail::tree_ref(value), true, false, where} {}
  Arg(const T&& value, Where where = Where::here()) : ref_{detail::tree_ref(value), false, true, where} {}
  /// What converts to T, such as a number for an Array.
  template <class U>
  requires(!std::is_same_v<std::remove_cvref_t<U>, T> && !std::is_same_v<std::remove_cvref_t<U>, Arg> &&
           std::is_convertible_v<U&&, T>) Arg(U&& value, Where where = Where::here())
      : own_(new T(std::forward<U>(value))), ref_{detail::tree_ref(*own_), false, false, where} {}
  template <class U, class V, class... More>
  requires(!std::is_same_v<std::remove_cvref_t<V>, Where>) Arg(U&&, V&&, More&&...) {
    static_assert(detail::no<U>,
                  "baton::jit: an argument in braces has no type of its own: name it, as in State{w, b}");
  }

  const core::ArgRef& ref() const { return ref_; }
  const T& value() const { return *static_cast<const T*>(ref_.tree.object); }

 private:
  std::unique_ptr<T> own_;
  core::ArgRef ref_;
};

template <class S>
class Jit;

/// The lvalue whose leaves `update` donates and fills again.
template <class T>
class InOut {
 public:
  InOut(T& value, Where where = Where::here()) : value_(&value), where_(where) {}
  template <class U>
  requires(std::is_same_v<U, const T>) InOut(U&) {
    static_assert(detail::no<U>,
                  "baton::update: the state must not be const: the new one is written back into it");
  }
  template <class U>
  requires(std::is_same_v<U, T>) InOut(U&&) {
    static_assert(detail::no<U>,
                  "baton::update: the state must be a variable: the new one is written back into it");
  }
  T& value() const { return *value_; }
  core::ArgRef ref() const { return {detail::tree_ref(*value_), true, false, where_}; }

 private:
  T* value_;
  Where where_;
};

namespace detail {
template <class R>
consteval bool has_two_members() {
  if constexpr (is_tuple<R>)
    return std::tuple_size_v<R> == 2;
  else if constexpr (std::is_aggregate_v<R> && std::is_class_v<R>)
    return count<R>() == 2;
  else
    return false;
}
template <class R>
auto first_of(R& r) {
  auto& [first, second] = r;
  return std::type_identity<std::remove_cvref_t<decltype(first)>>{};
}
template <class R>
using first_member = typename decltype(first_of(std::declval<R&>()))::type;
template <class R>
const auto& second_of(const R& r) {
  const auto& [first, second] = r;
  return second;
}

/// `update`, for functions of at least one argument.
template <class J, class... A>
struct Update {};
template <class J, class First, class... Rest>
struct Update<J, First, Rest...> {
  /// For functions that return {state, more}, or the state alone: donates `state`, writes the new one back in
  /// place, and returns `more`. If the call throws, the state is whole.
  auto update(InOut<First> state, Arg<Rest>... rest) const {
    return static_cast<const J*>(this)->update_args(state, rest...);
  }
};
}  // namespace detail

/// A compiled function. Nameable (`Jit<Out(State, Batch)>`), copyable, callable from several threads, of
/// which one traces the function at a time while the others wait. So the function must not wait, as `join`
/// does, for a thread that calls the same Jit: neither would go on.
template <class R, class... A>
class Jit<R(A...)> : public detail::Update<Jit<R(A...)>, A...> {
 public:
  template <class F>
  Jit(F f, const JitOptions& options, Where where)
      : state_(core::make_jit({options, where, !std::is_trivially_copyable_v<F>})),
        f_(std::make_shared<F>(std::move(f))),
        run_([](void* f, const std::tuple<A...>& arguments, std::span<const Array> leaves) {
          return detail::run_on<R>(*static_cast<F*>(f), arguments, leaves);
        }) {}
  Jit(const Jit&) = default;  // copies are one Jit, and a move is a copy: none is ever empty
  Jit& operator=(const Jit&) = default;

  /// Runs the function. Arguments that are rvalues are donated: `next = step(std::move(state), batch)`.
  R operator()(Arg<A>... a) const {
    core::ArgRef refs[] = {a.ref()..., {}};
    std::optional<R> result;
    core::call(*state_, {refs, sizeof...(A)}, body(a.value()...),
               [&](const detail::Result& pattern, std::span<const Array> leaves) {
                 result.emplace(detail::filled<R>(pattern, leaves));
               });
    return *std::move(result);
  }
  /// The memory that a call with these arguments takes, without running it: arrays of `abstract` will do.
  PlanReport plan(Arg<A>... a) const {
    core::ArgRef refs[] = {a.ref()..., {}};
    return core::plan(*state_, {refs, sizeof...(A)}, body(a.value()...));
  }
  /// The Program that these arguments run.
  Program program(Arg<A>... a) const {
    core::ArgRef refs[] = {a.ref()..., {}};
    return core::program(*state_, {refs, sizeof...(A)}, body(a.value()...));
  }
  /// Its text, with the user's line and name scope behind each equation.
  std::string listing(Arg<A>... a) const {
    core::ArgRef refs[] = {a.ref()..., {}};
    return core::listing(*state_, {refs, sizeof...(A)}, body(a.value()...));
  }
  /// What became of the donated leaves in the last call.
  DonationReport donation() const { return core::donation_report(*state_); }

 private:
  struct BodyOf {
    const Jit* jit;
    std::tuple<const A*...> arguments;
    detail::Result operator()(std::span<const Array> leaves) const {
      return jit->run_(jit->f_.get(), std::apply([](auto*... p) { return detail::copies(*p...); }, arguments),
                       leaves);
    }
  };
  BodyOf body(const A&... a) const { return {this, {&a...}}; }

  template <class J, class... B>
  friend struct detail::Update;
  template <class First, class... Rest>
  auto update_args(const InOut<First>& state, const Arg<Rest>&... rest) const {
    core::ArgRef refs[] = {state.ref(), rest.ref()...};
    const auto run = [&](core::Receive receive) {
      core::update(*state_, {refs, sizeof...(A)}, body(state.value(), rest.value()...), receive);
    };
    if constexpr (std::is_same_v<R, First>) {
      run([](const detail::Result&, std::span<const Array>) {});
    } else if constexpr (!detail::has_two_members<R>()) {
      static_assert(detail::no<R>,
                    "baton::update: the function must return {state, more}, or the state alone");
    } else if constexpr (!std::is_same_v<detail::first_member<R>, First>) {
      static_assert(detail::no<R>,
                    "baton::update: the first member of the result must have the type of the first argument");
    } else {
      using Second = std::remove_cvref_t<decltype(detail::second_of(std::declval<const R&>()))>;
      std::optional<Second> second;
      run([&](const detail::Result& pattern, std::span<const Array> leaves) {
        const R& result = *static_cast<const R*>(pattern.object.get());
        second.emplace(detail::with_leaves(detail::second_of(result), leaves));
      });
      return *std::move(second);
    }
  }

  std::shared_ptr<core::JitState> state_;
  std::shared_ptr<void> f_;
  detail::Result (*run_)(void*, const std::tuple<A...>&, std::span<const Array>);
};

namespace detail {
template <class R, class... A>
struct signature<Jit<R(A...)>> {  // its call takes Args; what it means are values
  using type = R(A...);
};
}  // namespace detail

/// A compiled form of f. Its signature is f's: parameters by value or const reference become arguments.
template <class F>
auto jit(F f, const JitOptions& options = {}, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::jit: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return Jit<detail::signature_t<F>>(std::move(f), options, where);
  else
    return 0;
}

/// Frees every executable and every kept transform that nobody uses.
void clear_caches();

}  // namespace baton
