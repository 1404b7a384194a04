// golden: reads tests/data/numpy.json and compares.
#include "numpy/golden.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "baton/error.h"
#include "baton/transform.h"

namespace baton {
namespace {

using nlohmann::json;

const json& golden() {
  static const json data = [] {
    std::ifstream file(std::string(BATON_TEST_DATA) + "/numpy.json");
    return json::parse(file);
  }();
  return data;
}

double number(const json& j) {
  if (!j.is_string()) return j.get<double>();
  const std::string text = j.get<std::string>();
  return text == "nan" ? NAN : text == "inf" ? INFINITY : -INFINITY;
}
std::vector<double> numbers(const json& values) {
  std::vector<double> out;
  for (const json& v : values) out.push_back(number(v));
  return out;
}
Dtype dtype_named(const std::string& name) {
  const std::map<std::string, Dtype> dtypes = {{"bool", boolean}, {"int8", s8},    {"int32", s32},
                                               {"uint8", u8},     {"uint32", u32}, {"float32", f32},
                                               {"complex64", c64}};
  return dtypes.at(name);
}
Array input(const std::string& name) {
  const json& j = golden()["inputs"][name];
  const Dtype d = dtype_named(j["dtype"].get<std::string>());
  Shape shape = j["shape"].get<Shape>();
  if (!is_complex(d)) return astype(Array(numbers(j["values"]), shape), d);
  std::vector<std::complex<float>> parts;
  const auto flat = numbers(j["values"]);
  for (std::size_t i = 0; i < flat.size(); i += 2)
    parts.emplace_back(static_cast<float>(flat[i]), static_cast<float>(flat[i + 1]));
  return Array(parts, shape);
}

void compare(const Array& got, const json& want, const std::string& what, bool signs = false) {
  const auto values = numbers(want);
  const Array parts = is_complex(got.dtype()) ? stack({real(got), imag(got)}, -1) : got;
  const Array exact = astype(parts, f64);
  const auto read = exact.read<double>();
  ASSERT_EQ(read.size(), values.size()) << what;
  double scale = signs ? 0 : 1;
  if (!signs)
    for (double v : values) scale = std::isfinite(v) ? std::max(scale, std::abs(v)) : scale;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double tolerance = 3e-6 * std::max(scale, 1.0) + 1e-5 * std::abs(values[i]);
    const bool same = std::isnan(values[i]) ? std::isnan(read[i])
                      : std::isinf(values[i]) || (signs && values[i] == 0)
                          ? read[i] == values[i] && std::signbit(read[i]) == std::signbit(values[i])
                          : std::abs(read[i] - values[i]) <= tolerance;
    EXPECT_TRUE(same) << what << " element " << i << ": got " << read[i] << ", JAX has " << values[i];
  }
}

void check(const GoldenCase& c) {
  SCOPED_TRACE(c.name);
  ASSERT_TRUE(golden()["cases"].contains(c.name));
  const json& want = golden()["cases"][c.name];
  Arrays inputs;
  std::vector<std::string> names;
  std::istringstream words(c.inputs);
  for (std::string word; words >> word;) names.push_back(word), inputs.push_back(input(word));
  const Array out = c.f(inputs);
  EXPECT_EQ(out.shape(), want["shape"].get<Shape>());
  EXPECT_EQ(name_of(out.dtype()), name_of(dtype_named(want["dtype"].get<std::string>())));
  compare(out, want["values"], "value");
  if (!want.contains("grads")) return;
  const auto loss = [&](Arrays a) -> Array {
    const Array y = c.f(a);
    return sum(y * reshape(cos(arange(static_cast<double>(y.size()))), y.shape()));
  };
  const Arrays grads = grad(loss)(inputs);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (want["grads"].contains(names[i]))
      compare(grads[i], want["grads"][names[i]], "gradient in " + names[i]);
}

}  // namespace

Array golden_input(const std::string& name) { return input(name); }

void check_golden_edge(const std::string& name, FunctionRef<Array()> f) {
  SCOPED_TRACE(name);
  ASSERT_TRUE(golden()["cases"].contains(name));
  const json& want = golden()["cases"][name];
  try {
    const Array out = f();
    EXPECT_EQ(out.shape(), want["shape"].get<Shape>());
    EXPECT_EQ(name_of(out.dtype()), name_of(dtype_named(want["dtype"].get<std::string>())));
    compare(out, want["values"], "value", !is_complex(out.dtype()));
  } catch (const Error& e) {
    ADD_FAILURE() << name << ": " << e.what();
  }
}

void check_golden(const std::vector<GoldenCase>& cases) {
  for (const GoldenCase& c : cases) {
    try {
      check(c);
    } catch (const Error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}

}  // namespace baton
