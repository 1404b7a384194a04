// derivative: every example's derivatives, forward and reverse, against central differences in one random
// direction, and against each other by the adjoint identity <ct, J v> = <J^T ct, v>.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "row.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton::testing {
namespace {

using Values = std::vector<std::complex<long double>>;

/// Cotangents are not conjugated: the pairing is the real part of the plain product.
long double pairing(const Arrays& a, const Arrays& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Values x = elements(a[i]), y = elements(b[i]);
    for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] * y[k]).real();
  }
  return sum;
}
long double size_of_pairing(const Arrays& a, const Arrays& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Values x = elements(a[i]), y = elements(b[i]);
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::abs(x[k]) * std::abs(y[k]);
  }
  return sum;
}

bool finite(const Arrays& list) {
  for (const Array& a : list)
    for (const auto& x : elements(a))
      if (!std::isfinite(x.real()) || !std::isfinite(x.imag())) return false;
  return true;
}

Mask inexact(const Types& types) {
  Mask m;
  for (const Type& t : types) m.push_back(is_inexact(t.dtype));
  return m;
}
Types chosen(const Types& types, const Mask& mask) {
  Types list;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (mask[i]) list.push_back(types[i]);
  return list;
}
Arrays chosen(const Arrays& arrays, const Mask& mask) {
  Arrays list;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (mask[i]) list.push_back(arrays[i]);
  return list;
}
Arrays joined(Arrays a, const Arrays& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// (inputs, cotangents of the outputs in `outs`) -> cotangents of the inputs in `in`.
Program vjp(const Program& program, const Mask& in, const Mask& outs) {
  Mask none(program.outputs().size());
  const JvpProgram forward = transformer().jvp(program, in, inexact(program.outputs()));
  Mask unknown(program.inputs().size()), results = none;
  for (bool b : in)
    if (b) unknown.push_back(true);
  Mask cotangents;  // of the tangents that the jvp gives
  for (std::size_t k = 0; k < forward.out.size(); ++k)
    if (forward.out[k]) results.push_back(true), cotangents.push_back(outs[k]);
  const PartialProgram cut = transformer().partial(forward.program, unknown, results, {});
  check(cut.known);
  check(cut.unknown);
  Mask linear(cut.unknown.inputs().size());
  std::size_t count = 0;
  for (bool b : in) count += b;
  for (std::size_t i = 0; i < count; ++i) linear[i] = true;
  const TransposeProgram back = transformer().transpose(cut.unknown, linear, cotangents, linear);
  check(back.program);
  Types types = program.inputs();
  for (const Type& t : chosen(program.outputs(), outs)) types.push_back(t);
  return make_program("vjp", types, [&](const Arrays& arguments) {
    const auto n = static_cast<std::ptrdiff_t>(program.inputs().size());
    const Arrays x(arguments.begin(), arguments.begin() + n), ct(arguments.begin() + n, arguments.end());
    const Arrays known = splice(cut.known, x);
    const auto residuals = known.end() - static_cast<std::ptrdiff_t>(cut.residuals.size());
    return splice(back.program, joined(Arrays(residuals, known.end()), ct));
  });
}

/// The inputs moved by `step` along the direction.
Arrays moved(const Arrays& x, const Arrays& v, const Mask& in, long double step) {
  Arrays result = x;
  std::size_t next = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!in[i]) continue;
    Values a = elements(x[i]);
    const Values b = elements(v[next++]);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += step * b[k];
    result[i] = from_elements(x[i].type(), a);
  }
  return result;
}

struct Check {
  double tolerance;
  Random& random;
  bool forward = true, reverse = true;

  /// Compares jvp and vjp of the Program at x, and to `order` those of its jvp and of its vjp.
  void derivatives(const Program& program, const Arrays& x, const Mask& in, int order) {
    const Mask outs = inexact(program.outputs());
    Arrays v, ct;
    for (const Type& t : chosen(program.inputs(), in)) v.push_back(draw_direction(t, random));
    for (const Type& t : chosen(program.outputs(), outs)) ct.push_back(draw_direction(t, random));
    if (v.empty() || ct.empty()) return;

    const JvpProgram tangents = transformer().jvp(program, in, outs);
    check(tangents.program);
    Arrays dy = chosen(differences(program, x, v, in), outs);
    if (forward) {
      const Arrays both = run(tangents.program, joined(x, v));
      const auto count = static_cast<std::ptrdiff_t>(outs.size());
      const Arrays plain = run(program, x);
      for (std::size_t k = 0; k < outs.size(); ++k)
        EXPECT_EQ(difference(both[k], plain[k], 64), "") << "result " << k << " beside its tangent";
      const Arrays slopes = dy;
      dy = Arrays(both.begin() + count, both.end());
      compare(dy, slopes);
    }
    Program gradients;
    if (reverse) {
      gradients = vjp(program, in, outs);
      check(gradients);
      const Arrays gradient = run(gradients, joined(x, ct));
      EXPECT_TRUE(finite(gradient));
      const long double left = pairing(ct, dy), right = pairing(gradient, v);
      const long double scale = size_of_pairing(ct, dy) + size_of_pairing(gradient, v) + 1;
      const double allowed =
          forward && !rough() ? 1e-9 : tolerance;  // both sides are exact, or one is a difference
      EXPECT_LE(std::fabs(static_cast<double>(left - right)), static_cast<double>(scale) * allowed)
          << "<ct, J v> is " << static_cast<double>(left) << " and <J^T ct, v> "
          << static_cast<double>(right);
    }

    if (order < 2 || ::testing::Test::HasFailure()) return;
    Mask all = in;
    all.resize(in.size() + v.size(), true);
    if (forward) {
      SCOPED_TRACE("of the jvp");
      derivatives(tangents.program, joined(x, v), all, order - 1);
    }
    all = in;
    all.resize(in.size() + ct.size(), true);
    if (reverse) {
      SCOPED_TRACE("of the vjp");
      derivatives(gradients, joined(x, ct), all, order - 1);
    }
  }

  /// A result in low precision, of a function that is nearly linear.
  bool rough() const { return tolerance > 1e-4; }

  Arrays differences(const Program& program, const Arrays& x, const Arrays& v, const Mask& in) const {
    const long double step = rough() ? 0.25L : 1e-5L;
    const Arrays high = run(program, moved(x, v, in, step)), low = run(program, moved(x, v, in, -step));
    Arrays slopes;
    for (std::size_t k = 0; k < high.size(); ++k) {
      Values a = elements(high[k]);
      const Values b = elements(low[k]);
      for (std::size_t i = 0; i < a.size();
           ++i) {  // a NaN that stays one, as a gather fills with, does not move, nor does an infinity
        const bool stays = a[i] == b[i] || (std::isnan(a[i].real()) && std::isnan(b[i].real()));
        a[i] = stays ? 0 : (a[i] - b[i]) / (2 * step);
      }
      slopes.push_back(is_inexact(high[k].dtype()) ? from_elements(high[k].type(), a) : high[k]);
    }
    return slopes;
  }

  void compare(const Arrays& rule, const Arrays& slopes) const {
    long double scale = 1;
    for (const Array& a : rule)
      for (const auto& d : elements(a)) scale = std::max(scale, std::abs(d));
    for (std::size_t k = 0; k < rule.size(); ++k) {
      const Values d = elements(rule[k]), slope = elements(slopes[k]);
      for (std::size_t i = 0; i < d.size(); ++i) {
        EXPECT_LE(static_cast<double>(std::abs(slope[i] - d[i])), tolerance * static_cast<double>(scale))
            << "tangent " << k << ", element " << i << ": " << static_cast<double>(d[i].real()) << ","
            << static_cast<double>(d[i].imag()) << " by rule, " << static_cast<double>(slope[i].real()) << ","
            << static_cast<double>(slope[i].imag()) << " by differences";
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
};

class Derivatives : public ::testing::TestWithParam<Row> {};

TEST_P(Derivatives, EqualDifferences) {
  const Row& row = GetParam();
  for (const Variant& v : precise_variants(row)) {
    SCOPED_TRACE(v.label);
    Random random(row.name() + v.label);
    Mask all;
    for (std::size_t i = 0; i < v.inputs.size(); ++i) all.push_back(differentiable(row, v.inputs, i));
    const Program program = program_of(*row.primitive, v.inputs, v.params);
    const Arrays x = draw(row, v.inputs, random);
    double tolerance = row.example.tolerance;
    for (const Types& types : {chosen(v.inputs, all), chosen(v.outputs, inexact(v.outputs))})
      for (const Type& t : types)
        if (real_of(t.dtype) != f64) tolerance = std::max(tolerance, 2e-2);
    const bool complex =
        std::any_of(v.inputs.begin(), v.inputs.end(), [](const Type& t) { return is_complex(t.dtype); });
    const int order = complex ? std::min(row.example.order, row.example.complex_order) : row.example.order;
    if (order == 0) continue;
    Check check{tolerance, random, row.example.forward, row.example.reverse};
    check.derivatives(program, x, all, order);
    // One input at a time: the other tangents are symbolic zeros.
    for (std::size_t i = 0; i < all.size(); ++i) {
      Mask one(all.size());
      one[i] = all[i];
      if (!one[i] || one == all) continue;
      SCOPED_TRACE("in input " + std::to_string(i) + " alone");
      check.derivatives(program, x, one, 1);
    }
  }
}

/// One result's cotangent at a time: the others are symbolic zeros.
TEST_P(Derivatives, EachResultAlone) {
  const Row& row = GetParam();
  const Variant v = precise_variants(row)[0];
  if (v.outputs.size() < 2 || !row.example.reverse) return;
  Random random(row.name() + v.label);
  Mask in;
  for (std::size_t i = 0; i < v.inputs.size(); ++i) in.push_back(differentiable(row, v.inputs, i));
  const Program program = program_of(*row.primitive, v.inputs, v.params);
  const Arrays x = draw(row, v.inputs, random);
  const Mask outs = inexact(v.outputs);
  Arrays cts;
  for (const Type& t : v.outputs) cts.push_back(draw_direction(t, random));
  const Arrays all = run(vjp(program, in, outs), joined(x, chosen(cts, outs)));
  std::vector<Values> sums;
  for (const Array& a : all) sums.emplace_back(static_cast<std::size_t>(a.size()));
  for (std::size_t k = 0; k < outs.size(); ++k) {
    if (!outs[k]) continue;
    Mask one(outs.size());
    one[k] = true;
    const Arrays part = run(vjp(program, in, one), joined(x, {cts[k]}));
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Values values = elements(part[i]);
      for (std::size_t j = 0; j < values.size(); ++j) sums[i][j] += values[j];
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(difference(from_elements(all[i].type(), sums[i]), all[i], 1e4), "")
        << "the cotangents add up, input " << i;
}

std::vector<Row> smooth(const std::vector<Row>& all) {
  std::vector<Row> list;
  for (const Row& row : all)
    if (row.example.order > 0) list.push_back(row);
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, Derivatives, ::testing::ValuesIn(smooth(rows())),
                         [](const auto& info) { return info.param.name(); });
INSTANTIATE_TEST_SUITE_P(Edges, Derivatives, ::testing::ValuesIn(smooth(edge_rows())),
                         [](const auto& info) { return info.param.name(); });

}  // namespace
}  // namespace baton::testing
