#pragma once
// elementwise: type rule and reference evaluation of operations on single elements.
// The function is written once, generic over the wide type: double for f16, bf16 and f32, long double for
// f64, complex likewise; integers and bool compute in their own type.
#include "ops/rules.h"

namespace baton::ops {

/// All operands alike and in the domain; the result has their type.
template <Domain domain, int count>
Types elementwise_type(std::string_view name, std::span<const Type> in) {
  require_count(name, in, count);
  require_same_type(name, in);
  require_dtype(name, in, 0, domain);
  return {in[0]};
}

/// The same for a bool result, as comparisons give.
template <Domain domain, int count>
Types predicate_type(std::string_view name, std::span<const Type> in) {
  return {{boolean, elementwise_type<domain, count>(name, in)[0].shape}};
}
/// The same for a result that is real for complex operands.
template <Domain domain, int count>
Types real_type(std::string_view name, std::span<const Type> in) {
  const Type operand = elementwise_type<domain, count>(name, in)[0];
  return {{real_of(operand.dtype), operand.shape}};
}

/// What F is called with: a wide value, but an f64 itself where F is `correctly_rounded`, as C++ computes it:
/// a wider type would round its result twice.
template <class F, class T>
auto operand_of(T x) {
  if constexpr (std::is_same_v<T, double> && requires { F::correctly_rounded; })
    return x;
  else
    return widen(x);
}

/// The elements of the result of F{}(x): real ones where F makes a real number of a complex x.
template <class F, class T>
struct ResultOf {
  using type = T;
};
template <class F, class T>
requires(is_complex_v<T> && !is_complex_v<std::invoke_result_t<F, wide_t<T>>>) struct ResultOf<F, T> {
  using type = typename T::value_type;
};

/// evaluate for y = F{}(x): F is called with a wide value and returns one (of any type that narrows to the
/// result).
template <class F, Domain domain>
void evaluate_unary(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      using R = typename ResultOf<F, T>::type;
      const auto x = in[0].as<T>();
      const auto y = out[0].as<R>();
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = narrow<R>(F{}(operand_of<F>(x[i])));
    }
  });
}

/// evaluate for z = F{}(x, y).
template <class F, Domain domain>
void evaluate_binary(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), y = in[1].as<T>();
      const auto z = out[0].as<T>();
      for (std::size_t i = 0; i < x.size(); ++i)
        z[i] = narrow<T>(F{}(operand_of<F>(x[i]), operand_of<F>(y[i])));
    }
  });
}

/// evaluate for a bool result of two operands; F is called with the elements themselves, 16-bit floats as
/// double.
template <class F, Domain domain>
void evaluate_compare(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), y = in[1].as<T>();
      const auto z = out[0].as<bool>();
      for (std::size_t i = 0; i < x.size(); ++i) z[i] = F{}(widen(x[i]), widen(y[i]));
    }
  });
}

/// Binds an operation of two operands of one type; a number takes the type of the array beside it.
Array bind_binary(const Primitive&, Operand x, Operand y);
/// Binds an operation of one operand.
inline Array bind_unary(const Primitive& p, Operand x) {
  return bind_one(p, {x.array()}, p.params, x.where());
}

/// Inputs and rows that most elementwise operations are tested with.
std::vector<Example> unary_examples(double low = -2, double high = 2, int order = 2);
/// The same rows with a complex operand, for operations that take no other.
std::vector<Example> complex_examples();
std::vector<Example> binary_examples(double low = -2, double high = 2, int order = 2);
/// For operations on bits: integers of both signs, and counts beyond the width.
std::vector<Example> integer_examples(int operands);

/// jvp of max and min: the tangent of the operand that is the result, the mean of both where both are.
Arrays chooser_of_two_jvp(const Arrays& x, const Arrays& result, const Arrays& dx, const Params&);

/// Integer arithmetic that wraps, without undefined behaviour.
template <class T>
T wrap_add(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  else
    return x + y;
}
template <class T>
T wrap_sub(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y));
  else
    return x - y;
}
template <class T>
T wrap_mul(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  else
    return x * y;
}

/// Sums and products of many, from that of none. Integers wrap.
struct Sum {
  template <class T>
  static T start() {
    return T{};
  }
  template <class T>
  T operator()(T x, T y) const {
    return wrap_add(x, y);
  }
};
struct Product {
  template <class T>
  static T start() {
    if constexpr (is_half_v<T>)
      return T(1.0f);
    else
      return T(1);
  }
  template <class T>
  T operator()(T x, T y) const {
    return wrap_mul(x, y);
  }
};

}  // namespace baton::ops
