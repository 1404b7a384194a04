// cumlogsumexp: running log(sum(exp(x))) along an axis, from its end if reversed. It never overflows.
#include "ops/cumulative.h"

namespace baton {
namespace ops {
namespace {
Array weight(const Array& x,
             const Array& total) {  // exp(x - total), 0 for log(0) even where the total is that
  const Array share = lax::exp(lax::sub(x, total));
  if (is_complex(x.dtype())) return share;
  const Array none = lax::eq(x, -std::numeric_limits<double>::infinity());
  return lax::select(none, zeros_like(share), share);
}
Arrays jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return {cumulative_jvp(x[0], dx[0], params, [](const Dual& a, const Dual& b) -> Dual {
    Array out;
    if (is_complex(a.x.dtype())) {
      const Array first = lax::ge(lax::real(a.x), lax::real(b.x));
      const Array high = lax::select(first, a.x, b.x), low = lax::select(first, b.x, a.x);
      out = lax::add(high, lax::log1p(lax::exp(lax::sub(low, high))));
    } else {
      const Array high = lax::max(a.x, b.x), low = lax::min(a.x, b.x);
      const Array grown = lax::add(high, lax::log1p(lax::exp(lax::sub(low, high))));
      out = lax::select(lax::is_finite(high), grown, high);  // inf - inf has no meaning
    }
    return {out, lax::add(lax::mul(a.dx, weight(a.x, out)), lax::mul(b.dx, weight(b.x, out)))};
  })};
}
}  // namespace
extern const Primitive cumlogsumexp = {.name = "cumlogsumexp",
                                       .params = Cumulative{},
                                       .type = cumulative_type<cumlogsumexp, Domain::inexact>,
                                       .evaluate = evaluate_cumulative<LogSumExp, Domain::inexact>,
                                       .jvp = jvp,
                                       .batch = cumulative_batch<cumlogsumexp>,
                                       .examples = cumulative_examples()};
}  // namespace ops
Array lax::cumlogsumexp(Operand x, int axis, bool reverse) {
  return ops::bind_cumulative(ops::cumlogsumexp, x, axis, reverse);
}
}  // namespace baton
