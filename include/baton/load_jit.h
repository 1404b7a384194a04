#pragma once
// load_jit: a function that JAX or another framework exported as StableHLO text, with a C++ signature.
//   auto step = load_jit<Out(State, Batch)>("step.mlir");
//   const Array loss = step.update(state, batch);   // the state is donated
#include "baton/jit.h"

namespace baton {

struct LoadOptions {
  std::string function = "main";
  Donation donation = Donation::when_possible;
};

namespace core {
class LoadedProgram;
std::shared_ptr<const LoadedProgram> load_program(const std::string& path, const LoadOptions& options,
                                                  Where where);
/// Gives the arguments' leaves to the Program and its results to the result's leaves, after comparing every
/// type.
void run_loaded(const LoadedProgram& program, TreeRef arguments, TreeRef result, Where where);
}  // namespace core

namespace detail {
template <class S>
struct Loaded;
template <class R, class... A>
struct Loaded<R(A...)> {
  std::shared_ptr<const core::LoadedProgram> program;
  Where where;
  R operator()(const A&... a) const {
    std::tuple<A...> arguments(a...);
    R result = pattern(arguments);
    core::run_loaded(*program, tree_ref(arguments), tree_ref(result), where);
    return result;
  }

 private:
  /// A result to be filled in. Its containers have no size of their own: what has the type of an argument, as
  /// the state in {state, more}, takes that argument's structure, and must get back its types.
  static R pattern(const std::tuple<A...>& arguments) {
    R result{};
    take_structure(result, arguments);
    return result;
  }
  template <class T>
  static void take_structure(T& member, const std::tuple<A...>& arguments) {
    if constexpr (std::is_same_v<T, Array> || is_leaf<T>) {  // says nothing of its own
    } else if constexpr ((std::is_same_v<T, A> || ...)) {
      bool found = false;
      const auto take = [&](const auto& argument) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(argument)>, T>)
          if (!std::exchange(found, true)) member = argument;
      };
      std::apply([&](const auto&... a) { (take(a), ...); }, arguments);
    } else if constexpr (is_tuple<T>) {
      std::apply([&](auto&... m) { (take_structure(m, arguments), ...); }, member);
    } else if constexpr (std::is_aggregate_v<T> && std::is_class_v<T> && !is_std_array<T> && !Named<T>) {
      std::apply([&](auto&... m) { (take_structure(m, arguments), ...); }, tie(member));
    }
  }
};
}  // namespace detail

/// The function of a StableHLO file as a Jit of this signature. The leaves of the arguments are the file's
/// arguments, in order, and those of the result its results. A leaf whose type differs is an error at the
/// first call that names it.
template <class S>
Jit<S> load_jit(const std::string& path, const LoadOptions& options = {}, Where where = Where::here()) {
  return Jit<S>(detail::Loaded<S>{core::load_program(path, options, where), where},
                {.donation = options.donation, .name = "load_jit"}, where);
}

}  // namespace baton
