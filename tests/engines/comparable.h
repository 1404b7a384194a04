#pragma once
// comparable: results of the cpu engine and of the reference, without what may differ.
#include <cmath>

#include "baton/baton.h"
#include "ops/matrix.h"
#include "ops/row.h"

namespace baton::testing {

/// Kernels take numbers below the normal ones for zero, and so must who compares.
inline Array without_subnormals(const Array& a) {
  const Dtype d = real_of(a.dtype());
  const long double least = d == f64 ? 0x1p-1022L : 0x1p-126L;
  if (!is_inexact(d) || d == f16) return a;
  auto all = elements(a);
  const auto kept = [&](long double x) { return std::fabs(x) < least ? std::copysign(0.0L, x) : x; };
  for (auto& x : all) x = {kept(x.real()), kept(x.imag())};
  return from_elements(a.type(), all);
}

/// Results without what is left open: of whole bases of svd only the vectors that belong to values.
inline Arrays determined(const Primitive& p, Arrays results) {
  if (&p != &ops::svd) return results;
  Array &u = results[0], &vt = results[2];
  const std::int64_t values = results[1].dim(-1);
  u = lax::slice_in_dim(u, 0, values, 1, u.rank() - 1);
  vt = lax::slice_in_dim(vt, 0, values, 1, vt.rank() - 2);
  return results;
}

/// Whether machine code is worth its time here: a sanitizer does not see into it, and sees all else where it
/// is interpreted.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool machine_code_is_tested = false;
#else
inline constexpr bool machine_code_is_tested = true;
#endif

}  // namespace baton::testing
