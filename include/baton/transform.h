#pragma once
// transform: grad, vjp, jvp, vmap and checkpoint, as functions of functions. custom.h has functions with
// rules of their own, tracing.h shows what a function does. Every one is a thin edge: flatten, call the
// compiled core, fill in. They nest in any order, with each other and jit.
#include "baton/jit.h"
#include "baton/save.h"

namespace baton {

// ---- options
// ------------------------------------------------------------------------------------------------------

struct GradOptions {
  /// Patterns of leaf paths that are differentiated, `*` for anything; empty: every trainable leaf.
  std::vector<std::string> trainable = {};
};
/// Where an argument of a vmapped function has its lanes.
struct Axis {
  int index = 0;
  bool mapped = true;
};
inline Axis axis(int index) { return {index, true}; }
inline constexpr Axis whole = {0, false};  // the same for all lanes
struct VmapOptions {
  std::vector<Axis> in = {};  // one for each argument, for all its leaves; empty: axis 0 of all
  Axis out = {0, true};
  std::string axis_name = {};
  std::int64_t axis_size = -1;  // where no argument is mapped
};
struct CheckpointOptions {
  SavePolicy save = save::nothing;
};

namespace core {
/// Options that live as long as the process, equal ones once: so the closure of a transform owns nothing
/// where its function owns nothing, and a jit around it knows that arrays came to it through references.
const GradOptions* kept(const GradOptions&);
const VmapOptions* kept(const VmapOptions&);
const CheckpointOptions* kept(const CheckpointOptions&);
}  // namespace core

// ---- results
// ------------------------------------------------------------------------------------------------------

/// What a loss may return besides its scalar.
template <class A>
struct WithAux {
  Array value;
  A aux;
};
template <class A>
WithAux(Array, A) -> WithAux<A>;
template <class G>
struct ValueGrad {
  Array value;
  G grad;
};
template <class A, class G>
struct ValueAuxGrad {
  Array value;
  A aux;
  G grad;
};
template <class R>
struct Jvp {
  R out, tangent;
};

namespace core {
struct Differentiated {
  Arrays outs, grads;
};
/// Gradient of leaf 0 of the result in those leaves of `tree` that are differentiated.
Differentiated value_and_grad(TreeRef tree, const GradOptions&, Body body, Where where,
                              detail::Result& pattern);
struct Moved {
  Arrays outs, tangents;
};
Moved jvp(TreeRef tree, TreeRef tangents, Body body, Where where, detail::Result& pattern);

/// A linear Program with the residuals that it reads, kept for calls to come.
class LinearState;
struct Linearized {
  Arrays outs;
  std::shared_ptr<LinearState> linear;
};
Linearized linearize(TreeRef tree, Body body, Where where, detail::Result& pattern);
Linearized vjp(TreeRef tree, Body body, Where where, detail::Result& pattern);
/// One Array for each output leaf; `consume` frees the residuals.
Arrays apply_linear(LinearState&, TreeRef tangents, bool consume, Where where);
Types residual_types(const LinearState&);
std::shared_ptr<LinearState> linear_transpose(TreeRef tree, Body body, Where where);
Array jacobian(bool forward, const Array& x, FunctionRef<Array(const Array&)> f, Where where);
Arrays vmap(std::span<const TreeRef> args, const VmapOptions&, Body body, Where where,
            detail::Result& pattern);
Arrays checkpoint(TreeRef tree, const SavePolicy&, Body body, Where where, detail::Result& pattern);
Arrays stop_gradient(Arrays, Where where);
}  // namespace core

// ---- gradients
// ----------------------------------------------------------------------------------------------------

namespace detail {
template <class T>
struct loss {
  static constexpr bool ok = false, aux = false;
};
template <>
struct loss<Array> {
  static constexpr bool ok = true, aux = false;
};
template <class A>
struct loss<WithAux<A>> {
  static constexpr bool ok = true, aux = true;
};
template <std::size_t Wrt, class F, class R, class... A>
struct ValueAndGrad {
  mutable F f;
  const GradOptions* options;
  Where where;
  auto operator()(const A&... a) const {
    const auto arguments = detail::copies(a...);
    const auto& wrt = std::get<Wrt>(arguments);
    Result pattern;
    auto out = core::value_and_grad(
        detail::tree_ref(wrt), *options,
        [&](std::span<const Array> leaves) {
          std::tuple<A...> local = arguments;
          core::assign(detail::tree_ref(std::get<Wrt>(local)), leaves);
          auto result = std::make_shared<R>(detail::call(f, local));
          return Result{result, &visit_erased<R>};
        },
        where, pattern);
    auto grad = detail::with_leaves(wrt, out.grads);
    R value = detail::filled<R>(pattern, out.outs);
    if constexpr (loss<R>::aux) {
      return ValueAuxGrad<decltype(value.aux), decltype(grad)>{std::move(value.value), std::move(value.aux),
                                                               std::move(grad)};
    } else {
      return ValueGrad<decltype(grad)>{std::move(value), std::move(grad)};
    }
  }
};
template <std::size_t Wrt, class F, class R, class... A>
auto value_and_grad(F f, const GradOptions& options, Where where, R (*)(A...)) {
  static_assert(loss<R>::ok,
                "baton::value_and_grad: the function must return a scalar Array, or WithAux{loss, aux}");
  static_assert(Wrt < sizeof...(A),
                "baton::value_and_grad: the function has no such argument to differentiate");
  if constexpr (loss<R>::ok && Wrt < sizeof...(A))
    return ValueAndGrad<Wrt, F, R, A...>{std::move(f), core::kept(options), where};
  else
    return 0;
}
}  // namespace detail

/// The value of f and its gradient in argument `Wrt`, a tree: the gradient has that argument's type, with
/// empty leaves where there is none (statistics, integers). f returns a scalar, or WithAux{scalar, anything}.
template <std::size_t Wrt = 0, class F>
auto value_and_grad(F f, const GradOptions& options = {}, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::value_and_grad: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::value_and_grad<Wrt>(std::move(f), options, where,
                                       static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}

namespace detail {
template <class Both, std::size_t Wrt, class... A>
struct Grad {
  Both both;
  auto operator()(const A&... a) const -> std::tuple_element_t<Wrt, std::tuple<A...>> {
    return both(a...).grad;
  }
};
template <std::size_t Wrt, class F, class R, class... A>
auto grad(F f, const GradOptions& options, Where where, R (*signature)(A...)) {
  auto both = value_and_grad<Wrt>(std::move(f), options, where, signature);
  return Grad<decltype(both), Wrt, A...>{std::move(both)};
}
}  // namespace detail
/// The gradient alone.
template <std::size_t Wrt = 0, class F>
auto grad(F f, const GradOptions& options = {}, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::grad: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::grad<Wrt>(std::move(f), options, where, static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}

/// Forward mode: f at `primals`, a tuple of its arguments, and how it moves when they move by `tangents`.
/// Leaves without a derivative (integers) are ignored in `tangents` and may be empty there.
template <class F, class... A>
auto jvp(F&& f, const std::tuple<A...>& primals, const std::tuple<A...>& tangents,
         Where where = Where::here()) {
  using R = detail::result_t<decltype(f), decltype(primals)>;
  detail::Result pattern;
  auto moved = core::jvp(
      detail::tree_ref(primals), detail::tree_ref(tangents),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, primals, leaves); }, where, pattern);
  return Jvp<R>{detail::filled<R>(pattern, moved.outs), detail::filled<R>(pattern, moved.tangents)};
}
template <class F, class A>
requires(!detail::is_tuple<A>) auto jvp(F&& f, const A& primal, const A& tangent,
                                        Where where = Where::here()) {
  return baton::jvp(std::forward<F>(f), detail::copies(primal), detail::copies(tangent), where);
}

/// Cotangents of the arguments from cotangents of the result. Callable again and again; called on an rvalue,
/// `std::move(pullback)(ct)`, it gives its residuals back to memory.
template <class R, class T>
class Pullback {
 public:
  Pullback(std::shared_ptr<core::LinearState> linear, T pattern)
      : linear_(std::move(linear)), pattern_(std::move(pattern)) {}
  Pullback(const Pullback&) = default;  // a move is a copy
  Pullback& operator=(const Pullback&) = default;
  T operator()(const R& cotangent, Where where = Where::here()) const& {
    return detail::with_leaves(pattern_,
                               core::apply_linear(*linear_, detail::tree_ref(cotangent), false, where));
  }
  T operator()(const R& cotangent, Where where = Where::here()) && {
    return detail::with_leaves(pattern_,
                               core::apply_linear(*linear_, detail::tree_ref(cotangent), true, where));
  }
  /// The types of what it keeps from the forward pass, as jax.ad_checkpoint.print_saved_residuals shows.
  Types residuals() const { return core::residual_types(*linear_); }

 private:
  std::shared_ptr<core::LinearState> linear_;
  T pattern_;
};
template <class R, class P>
struct Vjp {
  R out;
  P pullback;
};
namespace detail {
template <class... A>
auto one_or_tuple(const std::tuple<A...>& t) {  // a single argument needs no tuple around it
  if constexpr (sizeof...(A) == 1)
    return std::get<0>(t);
  else
    return t;
}
}  // namespace detail
namespace detail {
template <class F, class... A>
auto vjp(F&& f, const std::tuple<A...>& arguments, Where where) {
  using R = detail::result_t<decltype(f), decltype(arguments)>;
  Result pattern;
  auto out = core::vjp(
      detail::tree_ref(arguments),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where, pattern);
  auto shape = detail::emptied(detail::one_or_tuple(arguments));  // a pullback holds residuals alone
  using P = Pullback<R, decltype(shape)>;
  return Vjp<R, P>{detail::filled<R>(pattern, out.outs), P(std::move(out.linear), std::move(shape))};
}
}  // namespace detail
/// Reverse mode: f at its arguments, and the function from cotangents of the result to those of the arguments
/// (a tuple, or the one argument's own type).
template <class F, class A>
auto vjp(F&& f, const A& a, Where where = Where::here()) {
  return detail::vjp(f, detail::copies(a), where);
}
template <class F, class A, class B>
auto vjp(F&& f, const A& a, const B& b, Where where = Where::here()) {
  return detail::vjp(f, detail::copies(a, b), where);
}
template <class F, class A, class B, class C>
auto vjp(F&& f, const A& a, const B& b, const C& c, Where where = Where::here()) {
  return detail::vjp(f, detail::copies(a, b, c), where);
}
template <class F, class A, class B, class C, class D, class... More>  // its errors have no line of their own
auto vjp(F&& f, const A& a, const B& b, const C& c, const D& d, const More&... more) {
  return detail::vjp(f, detail::copies(a, b, c, d, more...), {});
}

/// The linear function of `linearize`, or of `linear_transpose`: from tangents (or cotangents) to tangents.
template <class From, class To>
class LinearFunction {
 public:
  LinearFunction(std::shared_ptr<core::LinearState> linear, To pattern)
      : linear_(std::move(linear)), pattern_(std::move(pattern)) {}
  LinearFunction(const LinearFunction&) = default;  // a move is a copy
  LinearFunction& operator=(const LinearFunction&) = default;
  To operator()(const From& tangent, Where where = Where::here()) const {
    return detail::with_leaves(pattern_,
                               core::apply_linear(*linear_, detail::tree_ref(tangent), false, where));
  }

 private:
  std::shared_ptr<core::LinearState> linear_;
  To pattern_;
};
template <class R, class L>
struct Linearize {
  R out;
  L linear;
};
namespace detail {
template <class F, class... A>
auto linearize(F&& f, const std::tuple<A...>& arguments, Where where) {
  using R = detail::result_t<decltype(f), decltype(arguments)>;
  Result pattern;
  auto out = core::linearize(
      detail::tree_ref(arguments),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where, pattern);
  R value = detail::filled<R>(pattern, out.outs);
  using L = LinearFunction<decltype(detail::one_or_tuple(arguments)), R>;
  return Linearize<R, L>{value, L(std::move(out.linear), detail::emptied(value))};
}
}  // namespace detail
/// f at its arguments, and its derivative there as a function of tangents; what does not depend on them is
/// done once.
template <class F, class A>
auto linearize(F&& f, const A& a, Where where = Where::here()) {
  return detail::linearize(f, detail::copies(a), where);
}
template <class F, class A, class B>
auto linearize(F&& f, const A& a, const B& b, Where where = Where::here()) {
  return detail::linearize(f, detail::copies(a, b), where);
}
template <class F, class A, class B, class C>
auto linearize(F&& f, const A& a, const B& b, const C& c, Where where = Where::here()) {
  return detail::linearize(f, detail::copies(a, b, c), where);
}
template <class F, class A, class B, class C, class D, class... More>  // its errors have no line of their own
auto linearize(F&& f, const A& a, const B& b, const C& c, const D& d, const More&... more) {
  return detail::linearize(f, detail::copies(a, b, c, d, more...), {});
}
/// The adjoint of a linear function of one argument, of which only the types of `example` matter.
template <class F, class A>
auto linear_transpose(F&& f, const A& example, Where where = Where::here()) {
  const auto arguments = detail::copies(example);
  using R = detail::result_t<decltype(f), decltype(arguments)>;
  auto linear = core::linear_transpose(
      detail::tree_ref(arguments),
      [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where);
  return LinearFunction<R, A>(std::move(linear), detail::emptied(example));
}

namespace detail {
template <class F>
struct Jacobian {
  mutable F f;
  bool forward;
  Where where;
  Array operator()(const Array& x) const { return core::jacobian(forward, x, f, where); }
};
}  // namespace detail
/// The Jacobian of an Array -> Array function: result axes, then argument axes. By columns (forward) or rows.
template <class F>
auto jacfwd(F f, Where where = Where::here()) {
  return detail::Jacobian<F>{std::move(f), true, where};
}
template <class F>
auto jacrev(F f, Where where = Where::here()) {
  return detail::Jacobian<F>{std::move(f), false, where};
}
template <class F>
auto hessian(F f, Where where = Where::here()) {
  return jacfwd(jacrev(std::move(f), where), where);
}

// ---- vmap, checkpoint
// ---------------------------------------------------------------------------------------------

namespace detail {
template <class F, class R, class... A>
struct Vmap {
  mutable F f;
  const VmapOptions* options;
  Where where;
  R operator()(const A&... a) const {
    const auto arguments = detail::copies(a...);
    const core::TreeRef refs[] = {detail::tree_ref(a)..., {}};
    Result pattern;
    const Arrays out = core::vmap(
        {refs, sizeof...(A)}, *options,
        [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where,
        pattern);
    return detail::filled<R>(pattern, out);
  }
};
template <class F, class R, class... A>
auto vmap(F f, const VmapOptions& options, Where where, R (*)(A...)) {
  return Vmap<F, R, A...>{std::move(f), core::kept(options), where};
}
template <class F, class R, class... A>
struct Checkpointed {
  mutable F f;
  const CheckpointOptions* options;
  Where where;
  R operator()(const A&... a) const {
    const auto arguments = detail::copies(a...);
    Result pattern;
    const Arrays out = core::checkpoint(
        detail::tree_ref(arguments), options->save,
        [&](std::span<const Array> leaves) { return detail::run_on<R>(f, arguments, leaves); }, where,
        pattern);
    return detail::filled<R>(pattern, out);
  }
};
template <class F, class R, class... A>
auto checkpoint(F f, const CheckpointOptions& options, Where where, R (*)(A...)) {
  return Checkpointed<F, R, A...>{std::move(f), core::kept(options), where};
}
}  // namespace detail

/// f over lanes: its arguments gain an axis, as `options.in` says, and so does its result.
template <class F>
auto vmap(F f, const VmapOptions& options = {}, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::vmap: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::vmap(std::move(f), options, where, static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}
/// f, whose intermediate values are computed again in the backward pass, except those that the policy saves.
template <class F>
auto checkpoint(F f, const CheckpointOptions& options = {}, Where where = Where::here()) {
  static_assert(detail::Concrete<F>,
                "baton::checkpoint: write the parameter types of the function (no `auto` parameters)");
  if constexpr (detail::Concrete<F>)
    return detail::checkpoint(std::move(f), options, where, static_cast<detail::signature_t<F>*>(nullptr));
  else
    return 0;
}
/// The tree; its derivative is zero.
template <class T>
T stop_gradient(T tree, Where where = Where::here()) {
  return detail::with_leaves(tree, core::stop_gradient(leaves(tree), where));
}

}  // namespace baton
