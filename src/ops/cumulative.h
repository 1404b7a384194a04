#pragma once
// cumulative: what cumsum and its like share: running results along one axis, from the start or from the end.
#include "ops/reduction.h"

namespace baton::ops {

extern const Primitive cumsum, cumprod, cummax, cummin, cumlogsumexp;

struct Cumulative {
  std::int64_t axis = 0;
  bool reverse = false;
  BATON_FIELDS(axis, reverse)
};

Types cumulative_type(std::string_view name, std::span<const Type> in, const Params& params, Domain domain);
template <const Primitive& self, Domain domain>
Types cumulative_type(std::span<const Type> in, const Params& params) {
  return cumulative_type(self.name, in, params, domain);
}
std::vector<Batched> cumulative_batch(const Primitive& primitive, std::span<const Batched> in,
                                      const Params& params);
template <const Primitive& self>
std::vector<Batched> cumulative_batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                                      Transformer&) {
  return cumulative_batch(self, in, params);
}
Array bind_cumulative(const Primitive& primitive, Operand x, int axis, bool reverse);
std::vector<Example> cumulative_examples(bool distinct = false);

/// A running value and its tangent; `combine` joins two of them, the earlier one first.
struct Dual {
  Array x, dx;
};
/// The tangent of a running combination, in a tree as jax.lax.associative_scan builds it.
Array cumulative_jvp(const Array& x, const Array& dx, const Params& params,
                     FunctionRef<Dual(const Dual&, const Dual&)> combine);
/// The tangent of max or min where `prefer_first` and `prefer_second` say who won; ties share by halves.
Array chosen_tangent(const Array& prefer_first, const Array& prefer_second, const Array& da, const Array& db);

/// x > y; complex numbers compare by parts.
inline Array above(const Array& x, const Array& y) {
  return is_complex(x.dtype()) ? lax::lt_total(y, x) : lax::gt(x, y);
}

/// log(exp(x) + exp(y)).
struct LogSumExp {
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (is_complex_v<T>) {
      if (x.real() < y.real()) std::swap(x, y);
      if (std::isinf(x.real())) return x;
      return x + std::log(T(1) + std::exp(y - x));
    } else {
      if (x < y) std::swap(x, y);
      if (std::isinf(x)) return std::isnan(y) ? y : x;
      return x + std::log1p(std::exp(y - x));
    }
  }
};

/// Runs along the axis one precision up; the first element stands for itself.
template <class F, Domain domain>
void evaluate_cumulative(std::span<const View> in, std::span<const View> out, const Params& params,
                         Evaluator&) {
  const auto& p = params.as<Cumulative>();
  const Shape& shape = in[0].shape();
  const std::int64_t n = shape[static_cast<std::size_t>(p.axis)];
  const std::int64_t step = strides_of(shape)[static_cast<std::size_t>(p.axis)];
  Shape lanes = shape;
  lanes[static_cast<std::size_t>(p.axis)] = n > 0 ? 1 : 0;
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), y = out[0].as<T>();
      for (Counter c(lanes); !c.done(); c.next()) {
        const std::int64_t start = offset_of(c.index(), strides_of(shape));
        wide_t<T> value{};
        for (std::int64_t k = 0; k < n; ++k) {
          const auto i = static_cast<std::size_t>(start + step * (p.reverse ? n - 1 - k : k));
          value = k == 0 ? widen(x[i]) : F{}(value, widen(x[i]));
          y[i] = narrow<T>(value);
        }
      }
    }
  });
}

}  // namespace baton::ops
