// softmax: functions over whole axes, safe for large numbers: the maximum is taken away first, and has no
// derivative.
#include "baton/activations.h"
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

struct Shifted {
  Array x;    // minus its maximum; 0 or less
  Array max;  // with extent 1 along the axes
  List axes;
  Array mask;  // bool, or empty
};

/// `finite`: a maximum of -inf or inf counts as 0, for sums whose result it is added to again.
Shifted shifted(std::string_view name, const Array& x, const Axes& axes, const Array& given, bool finite) {
  if (is_complex(x.dtype())) type_error(name, "real operands are required, found " + show(x.type()) + ".");
  Shifted s;
  s.axes = axes_of(name, axes, x.type());
  Array a = x;
  if (!given.empty()) {
    s.mask = mask_of(name, given, x.shape());
    a = lax::select(s.mask, x, lax::full(x.shape(), lowest(x.dtype())));
  }
  const Array most = max(lax::stop_gradient(a), s.axes, {.keepdims = true, .initial = -INFINITY});
  s.max = finite ? where(lax::is_finite(most), most, 0.0) : most;
  s.x = lax::sub(a, broadcast(s.max, x.shape()));
  return s;
}
Array masked(const Shifted& s, const Array& x) {
  return s.mask.empty() ? x : lax::select(s.mask, x, lax::full_like(x, 0));
}

}  // namespace

Array logsumexp(Operand x, const Axes& axes, const LogSumExp& options) {
  const Frame frame(x.where());
  const Array a = floating(x);
  const Shifted s = shifted("logsumexp", a, axes, options.where, true);
  Array terms = masked(s, lax::exp(s.x));
  if (!options.b.empty()) terms = multiply(terms, options.b);
  const Array total = sum(terms, s.axes, {.keepdims = true});
  const Array logs = lax::log(total);
  const Array result = lax::add(logs, to(s.max, total.dtype()));
  return options.keepdims ? result : lax::reshape(result, without(a.shape(), s.axes));
}

Array logmeanexp(Operand x, const Axes& axes, const KeepOptions& options) {
  const Frame frame(x.where());
  const Array a = floating(x);
  double count = 1;
  for (std::int64_t axis : axes_of("logmeanexp", axes, a.type()))
    count *= static_cast<double>(a.shape()[at(axis)]);
  return lax::sub(logsumexp(a, axes, {.keepdims = options.keepdims}), std::log(count));
}

Array softmax(Operand x, const Axes& axes, const SoftmaxOptions& options) {
  const Frame frame(x.where());
  const Shifted s = shifted("softmax", floating(x), axes, options.where, false);
  const Array terms = masked(s, lax::exp(s.x));
  Array total = sum(terms, s.axes, {.keepdims = true});
  // Where nothing is left the terms are 0, and so is the result, with its derivative.
  if (!s.mask.empty()) total = where(any(s.mask, s.axes, {.keepdims = true}), total, 1);
  return lax::div(terms, broadcast(total, terms.shape()));
}

Array log_softmax(Operand x, const Axes& axes, const SoftmaxOptions& options) {
  const Frame frame(x.where());
  const Shifted s = shifted("log_softmax", floating(x), axes, options.where, false);
  const Array total = lax::log(sum(masked(s, lax::exp(s.x)), s.axes, {.keepdims = true}));
  const Array result = lax::sub(s.x, broadcast(total, s.x.shape()));
  return s.mask.empty() ? result
                        : lax::select(s.mask, result, lax::full(result.shape(), lowest(result.dtype())));
}

Array standardize(Operand x, const Axes& axes, const Standardize& options) {
  const Frame frame(x.where());
  const Array a = floating(x);
  const Array centre = options.mean.empty() ? mean(a, axes, {.keepdims = true}) : options.mean;
  const Array distance = subtract(a, centre);
  const Array variance = !options.variance.empty() ? options.variance
                         : options.mean.empty()    ? var(a, axes, {.keepdims = true})
                                                   : mean(square(distance), axes, {.keepdims = true});
  return multiply(distance, rsqrt(add(variance, options.epsilon)));
}

}  // namespace baton
