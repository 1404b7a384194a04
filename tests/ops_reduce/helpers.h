#pragma once
// helpers: what these tests share: reading results, gradients of Programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "baton/lax.h"
#include "error_of.h"
#include "trace/executor.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float inf = std::numeric_limits<float>::infinity();

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

template <class T = float>
std::vector<T> values(const Array& a) {
  return a.read<T>().vector();
}
/// Elements in double, the two parts of complex ones.
inline std::vector<double> reals(const Array& a) {
  std::vector<double> out;
  if (a.dtype() == c128) {
    for (const auto& z : a.read<std::complex<double>>()) out.insert(out.end(), {z.real(), z.imag()});
  } else if (a.dtype() == f64) {
    for (double x : a.read<double>()) out.push_back(x);
  } else {
    for (float x : a.read<float>()) out.push_back(x);
  }
  return out;
}
inline void expect_near(const Array& a, const std::vector<double>& want, double tolerance = 1e-12) {
  const auto got = reals(a);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], tolerance) << "element " << i;
}
inline Array doubles(const std::vector<double>& x, const Shape& shape) { return Array(x, shape); }

/// A scalar Program (a, b) -> ... of f32.
inline Program scalar_pair(FunctionRef<Array(const Array&, const Array&)> f) {
  return make_program("pair", {{f32, {}}, {f32, {}}},
                      [&](const Arrays& in) -> Arrays { return {f(in[0], in[1])}; });
}

/// The gradient of sum(weights * f(x)) in each floating input.
inline Arrays gradient(const Program& f, const Arrays& inputs, const Arrays& weights) {
  const Types in = f.inputs();
  Mask moves;
  for (const Type& t : in) moves.push_back(is_inexact(t.dtype));
  Mask outs;
  for (const Type& t : f.outputs()) outs.push_back(is_inexact(t.dtype));
  const JvpProgram forward = jvp(f, moves, outs);
  Mask unknown(in.size());
  std::size_t tangents = 0;
  for (bool m : moves)
    if (m) unknown.push_back(true), ++tangents;
  const PartialProgram cut = partial(forward.program, unknown, Mask(forward.program.outputs().size()), {});
  std::size_t known = 0;
  for (bool u : cut.out) known += u ? 0 : 1;
  Arrays arguments = execute(cut.known, inputs, {});
  arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(known));
  Mask linear(cut.unknown.inputs().size());
  std::fill(linear.begin(), linear.begin() + static_cast<std::ptrdiff_t>(tangents), true);
  const TransposeProgram back =
      transpose(cut.unknown, linear, Mask(cut.unknown.outputs().size(), true), linear);
  arguments.insert(arguments.end(), weights.begin(), weights.end());
  return execute(back.program, arguments, {});
}

}  // namespace baton
