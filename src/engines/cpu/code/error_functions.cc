// error_functions: of the normal law. erfc decays as e^(-x^2), so what is left of it is nearly straight.
#include "engines/cpu/code/formulas.h"

namespace baton::cpu {

/// An odd polynomial near zero; beyond, 1 - e^q, with q a polynomial of |x|. From 4 on it is 1.
Value erf(Value x) {
  const Value size = abs(x), u = x * x;
  const Value near = fma(
      size,
      polynomial(u, {0.12837916612625122, -0.37612634897232056, 0.11283732950687408, -0.026861585676670074,
                     0.005206747446209192, -0.0008211105014197528, 8.67539711180143e-05}),
      size);
  const Value q =
      polynomial(bounded(size, 0, 4), {0.000163302305736579, -1.1294597387313843, -0.6334593296051025,
                                       -0.1081555113196373, 0.025038400664925575, -0.004140143748372793,
                                       0.00042805602424778044, -2.0539198885671794e-05});
  return with_sign_of(x, select(size < 0.875, near, 1 - exp(q)));
}

/// e^(-a^2) times a polynomial of (a - 4) / (a + 4), for a = |x|; 2 less that where x is negative. From 10.06
/// on it is below all numbers of f32.
Value erfc(Value x) {
  const Value a = as(f64, bounded(abs(x), 0, 10.06));
  const Value t = (a - 4) / (a + 4);
  const Value p = polynomial(
      t, {0.13699945761544605, -0.2590680492373371, 0.2187196815087511, -0.16425778817106226,
          0.10896309444917086, -0.06310833342940522, 0.031299812158792496, -0.012839727589129338,
          0.004058684183876994, -0.0008151933052564023, -2.8337426404978272e-05, 0.00010148441976042978});
  const Value above = exp64(a * -a) * p;
  return as(f32, select(x < 0, 2 - above, above));
}

/// x times a polynomial of w = -log(1 - x^2), or, beyond w = 5, of sqrt(w): the inverse grows as sqrt(w).
Value erf_inv(Value x) {
  const Value size = abs(x), wide = as(f64, size);
  const Value w = -log64(fma(wide, -wide, 1));
  const Value near =
      polynomial(w - 2.5, {1.5014093535131223, 0.246640287635678, -0.004177339400084195,
                           -0.0012527446637468776, 0.00021828262685600589, -4.961909501127077e-06,
                           -3.4346101764787402e-06, 4.6589150865969124e-07, 1.803697013682301e-08,
                           -8.772777623905087e-09, 3.355530275020257e-10});
  const Value far =
      polynomial(sqrt(w) - 3, {2.832976801316997, 1.001675236211791, 0.009445312474184222,
                               -0.00764274756298289, 0.0056876042082215006, -0.0035672126331969195,
                               0.0014754513994794912, -0.00011975676067590429, -0.00027801411448954673,
                               0.00016033853217835943, -2.9218597134541487e-05});
  const Value value = as(f32, select(w < 5, near, far) * wide);
  const Value edge = select(equals(size, 1), infinity, like(x, nan));
  return with_sign_of(x, select(size < 1, value, edge));
}

}  // namespace baton::cpu
