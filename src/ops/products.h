#pragma once
// products: what dot_general and conv_general_dilated share: the dtype of the result, and sums one precision
// up.
#include "ops/rules.h"

namespace baton::ops {

/// The dtype of a product of these operands where `preferred` (a dtype's name, or empty) is asked for; checks
/// all three.
Dtype product_dtype(const char* name, std::span<const Type> in, const std::string& preferred);
/// Converts the one of lower precision to the dtype of the other.
void to_one_dtype(Array& a, Array& b);

/// Calls f(Tag<W>{}) with the type that sums of products of this dtype are computed in; integers: modulo
/// 2^64.
template <class F>
void with_sum_type(Dtype d, F&& f) {
  if (is_integer(d))
    f(Tag<std::uint64_t>{});
  else if (d == f64)
    f(Tag<long double>{});
  else if (is_real_floating(d))
    f(Tag<double>{});
  else if (d == c64)
    f(Tag<std::complex<double>>{});
  else if (d == c128)
    f(Tag<std::complex<long double>>{});
  else
    internal_error("a product of bool");
}

/// Without the recovery of infinities that operator* of std::complex does, which no engine does.
template <class W>
W multiply(const W& x, const W& y) {
  if constexpr (is_complex_v<W>)
    return W(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  else
    return x * y;
}

/// The elements of a view as W, its axes in this order.
template <class W>
std::vector<W> collect(const View& v, const std::vector<std::int64_t>& axes) {
  Shape shape;
  std::vector<std::int64_t> strides;
  const auto own = strides_of(v.shape());
  for (std::int64_t axis : axes) {
    shape.push_back(v.shape()[at(axis)]);
    strides.push_back(own[at(axis)]);
  }
  std::vector<W> all;
  all.reserve(at(v.type->size()));
  with_type(v.dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_complex_v<W> || !is_complex_v<T>) {
      const auto x = v.as<T>();
      for (Counter c(shape); !c.done(); c.next())
        all.push_back(static_cast<W>(widen(x[at(offset_of(c.index(), strides))])));
    }
  });
  return all;
}

/// Rounds sums to the dtype of the result. `from` is the dtype of the operands, whose sign integer sums have.
template <class W>
void store_sums(const std::vector<W>& sums, Dtype from, const View& out) {
  with_type(out.dtype(), [&]<class T>(Tag<T>) {
    const auto y = out.as<T>();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if constexpr (std::is_integral_v<W>) {
        if constexpr (is_real_v<T>)
          y[i] = is_signed(from) ? convert_element<T>(static_cast<std::int64_t>(sums[i]))
                                 : convert_element<T>(sums[i]);
        else if constexpr (std::is_integral_v<T>)
          y[i] = narrow<T>(sums[i]);
      } else if constexpr (is_complex_v<W> == is_complex_v<T> && !std::is_integral_v<T>) {
        y[i] = narrow<T>(sums[i]);
      }
    }
  });
}

}  // namespace baton::ops
