// golden: JAX's own outputs, gradients and tangents for whole programs, read from StableHLO text.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "arrays.h"
#include "base/element.h"
#include "baton/safetensors.h"
#include "baton/stablehlo.h"
#include "engines/cpu/cpu.h"
#include "interop/derivative.h"
#include "interop/runner.h"

namespace baton {
namespace {

const std::filesystem::path folder = std::filesystem::path(BATON_TEST_DATA) / "grad";

struct Case {
  std::string name;
  nlohmann::json meta;
  std::unique_ptr<Safetensors> data;
  double rtol = 0, atol = 0;
};

Case load(const std::string& name) {
  Case c{name, {}, std::make_unique<Safetensors>((folder / name / "data.safetensors").string()), 0, 0};
  std::ifstream(folder / name / "meta.json") >> c.meta;
  c.rtol = c.meta["tolerance"]["rtol"];
  c.atol = c.meta["tolerance"]["atol"];
  return c;
}

template <class T>
bool near(T got, T want, const Case& c) {
  if constexpr (is_complex_v<T>) {
    return near(got.real(), want.real(), c) && near(got.imag(), want.imag(), c);
  } else if constexpr (is_half_v<T>) {
    return near(static_cast<float>(got), static_cast<float>(want), c);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
    if (std::isinf(want) || std::isinf(got)) return got == want;
    return std::fabs(static_cast<double>(got) - want) <=
           c.atol + c.rtol * std::fabs(static_cast<double>(want));
  } else {
    return got == want;
  }
}

/// What is wrong with an array; empty if nothing.
std::string differs(const Array& got, const Array& want, const Case& c) {
  if (got.type() != want.type()) return show(got.type()) + " instead of " + show(want.type());
  std::string wrong;
  with_type(got.dtype(), [&]<class T>(Tag<T>) {
    const T* x = static_cast<const T*>(got.data());
    const T* y = static_cast<const T*>(want.data());
    for (std::int64_t i = 0; i < got.size() && wrong.empty(); ++i)
      if (!near(x[i], y[i], c))
        wrong = "element " + std::to_string(i) + ": got " + text(got) + "\nwant " + text(want);
  });
  return wrong;
}

void inputs(Arrays& to, const Case& c, const char* key, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (const std::string name = key + ("." + std::to_string(i)); c.data->contains(name))
      to.push_back(c.data->array(name));
}
/// Compares results from `first` on with those arrays of the file that are there.
std::size_t compare(const Arrays& results, std::size_t first, const Case& c, const char* key,
                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = key + ("." + std::to_string(i));
    if (!c.data->contains(name)) continue;
    if (first >= results.size()) {
      ADD_FAILURE() << c.name << ": " << name << " is missing";
      return first;
    }
    const std::string wrong = differs(results[first++], c.data->array(name), c);
    EXPECT_EQ(wrong, "") << c.name << ": " << name;
  }
  return first;
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  const Case c = load(GetParam());
  const std::size_t in = c.meta["inputs"].size(), out = c.meta["outputs"].size();
  const std::filesystem::path path = folder / c.name;
  /// The gradient that JAX gives is not that of the lowered program, or the program holds loops without
  /// reverse mode.
  bool differentiable() const { return !c.meta["custom_rule_matters"] && c.name != "igamma"; }
  Arrays arrays(const char* more = nullptr, std::size_t count = 0) const {
    Arrays a;
    inputs(a, c, "in", in);
    if (more) inputs(a, c, more, count);
    return a;
  }
  /// The texts of one function: JAX writes some also with composites (export), or for another platform
  /// (generic). Those of which custom calls are left are refused.
  void each(const std::string& stem, const std::function<void(const Program&)>& f) const {
    for (const char* form : {"", ".export", ".generic"}) {
      const std::string file = path / (stem + form + ".mlir");
      if (!std::filesystem::exists(file)) continue;
      SCOPED_TRACE(file);
      if (std::string(form) == ".generic" && !c.meta["generic_custom_calls"].empty())
        EXPECT_THROW(load_stablehlo(file), UnsupportedError);
      else
        f(load_stablehlo(file));
    }
  }
};

TEST_P(Golden, Outputs) {
  each("forward",
       [&](const Program& p) { EXPECT_EQ(compare(run_program(p, arrays()), 0, c, "out", out), out); });
}
TEST_P(Golden, GradientProgram) {
  if (!c.meta["vjp"]) return;
  each("grad", [&](const Program& p) {
    const Arrays results = run_program(p, arrays("ct", out));
    compare(results, compare(results, 0, c, "out", out), c, "grad", in);
  });
}
TEST_P(Golden, Gradient) {
  if (!c.meta["vjp"] || !differentiable()) return;
  each("forward", [&](const Program& p) {
    const Arrays results = run_program(vjp_program(p), arrays("ct", out));
    compare(results, compare(results, 0, c, "out", out), c, "grad", in);
  });
}
TEST_P(Golden, Jvp) {
  if (!c.meta["jvp"] || !differentiable()) return;
  each("forward", [&](const Program& p) {
    const Arrays results = run_program(jvp_program(p), arrays("tan", in));
    compare(results, compare(results, 0, c, "out", out), c, "jvp", out);
  });
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    list.push_back(entry.path().filename());
  std::sort(list.begin(), list.end());
  return list;
}
INSTANTIATE_TEST_SUITE_P(Jax, Golden, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

/// None runs by the reference's evaluation: in JAX's programs, in those that it differentiated, and in
/// gradients of ours.
TEST(GoldenData, EveryOperationHasAKernel) {
  std::map<std::string, int> evaluated;
  const auto count = [&](const Program& p) {
    for (const std::string& name : cpu::compile(p, {}, cpu::Compile::when_worth)->report({}).evaluated)
      ++evaluated[name];
  };
  for (const std::string& name : names()) {
    const Case c = load(name);
    const Program forward = load_stablehlo((folder / name / "forward.mlir").string());
    count(forward);
    if (!c.meta["vjp"]) continue;
    count(load_stablehlo((folder / name / "grad.mlir").string()));
    if (!c.meta["custom_rule_matters"] && name != "igamma") count(vjp_program(forward));
  }
  EXPECT_EQ(evaluated, (std::map<std::string, int>()));
}

TEST(GoldenData, IsThere) { EXPECT_GE(names().size(), 200u); }

}  // namespace
}  // namespace baton
