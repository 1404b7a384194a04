// golden: every case of tests/data/ops.json, made by JAX, on the reference engine. tests/golden/make_ops.py
// says what the tolerances mean.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/element.h"
#include "base/text.h"
#include "row.h"

namespace baton::testing {
namespace {

/// The tensors of a safetensors file.
class Tensors {
 public:
  explicit Tensors(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t length = 0;
    file.read(reinterpret_cast<char*>(&length), sizeof length);
    std::string header(length, ' ');
    file.read(header.data(), static_cast<std::streamsize>(length));
    header_ = nlohmann::json::parse(header);
    data_.assign(std::istreambuf_iterator<char>(file), {});
  }
  Array operator[](const std::string& name) const {
    static const std::map<std::string, Dtype> dtypes = {
        {"BOOL", boolean}, {"I8", s8},   {"I16", s16}, {"I32", s32}, {"I64", s64},
        {"U8", u8},        {"U16", u16}, {"U32", u32}, {"U64", u64}, {"F16", f16},
        {"BF16", bf16},    {"F32", f32}, {"F64", f64}, {"C64", c64}, {"C128", c128}};
    const auto& entry = header_.at(name);
    const Type type{dtypes.at(entry.at("dtype")), entry.at("shape").get<Shape>()};
    return Array(type, data_.data() + entry.at("data_offsets")[0].get<std::size_t>());
  }

 private:
  nlohmann::json header_;
  std::string data_;
};

/// The distance between neighbours of this dtype at x.
long double unit_at(Dtype d, long double x) {
  int bits = 53, lowest = -1074;
  if (d == f16) bits = 11, lowest = -24;
  if (d == bf16) bits = 8, lowest = -133;
  if (d == f32) bits = 24, lowest = -149;
  const int exponent = x == 0 ? lowest : std::max(std::ilogb(x) - bits + 1, lowest);
  return std::ldexp(1.0L, exponent);
}

struct Tolerance {
  long double ulps, rtol, atol;
};

/// Empty if all elements agree; signs of zeros count where nothing is allowed.
std::string mismatch(const Array& found, const Array& wanted, const Tolerance& t, const Arrays& in) {
  if (found.type() != wanted.type()) return "found " + show(found.type()) + ", wanted " + show(wanted.type());
  const Dtype d = real_of(wanted.dtype());
  const auto x = elements(found), y = elements(wanted);
  auto near = [&](long double a, long double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    if (!is_real_floating(d)) return a == b;
    if (a == b) return t.ulps > 0 || a != 0 || std::signbit(a) == std::signbit(b);
    return std::fabs(a - b) <= std::max({t.ulps * unit_at(d, b), t.rtol * std::fabs(b), t.atol});
  };
  auto text = [](std::complex<long double> v) {
    return "(" + show_real(static_cast<double>(v.real())) + "," + show_real(static_cast<double>(v.imag())) +
           ")";
  };
  std::string list;
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (near(x[i].real(), y[i].real()) && near(x[i].imag(), y[i].imag())) continue;
    if (++count > 4) continue;
    list += "\n  element " + std::to_string(i) + ": found " + text(x[i]) + ", wanted " + text(y[i]);
    for (const Array& a : in)
      if (a.size() == wanted.size()) list += " of " + text(elements(a)[i]);
  }
  return count ? std::to_string(count) + " differ:" + list : "";
}

struct Case {
  nlohmann::json entry;
  std::size_t number;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.entry.at("program").get<std::string>(); }

const Tensors& tensors() {
  static const Tensors t(std::string(BATON_TEST_DATA) + "/ops.safetensors");
  return t;
}

class Golden : public ::testing::TestWithParam<Case> {};

TEST_P(Golden, EqualsJax) {
  const auto& [entry, number] = GetParam();
  Arrays in;
  for (int i = 0; i < entry.at("inputs").get<int>(); ++i)
    in.push_back(tensors()[std::to_string(number) + ".in." + std::to_string(i)]);
  const Arrays out = run(Program::parse(entry.at("program").get<std::string>()), in);
  ASSERT_EQ(static_cast<int>(out.size()), entry.at("outputs").get<int>());
  const Tolerance t{entry.value("ulps", 0.0), entry.value("rtol", 0.0), entry.value("atol", 0.0)};
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(mismatch(out[i], tensors()[std::to_string(number) + ".out." + std::to_string(i)], t, in), "")
        << entry.at("program").get<std::string>() << "\nresult " << i;
}

std::vector<Case> cases() {
  std::ifstream file(std::string(BATON_TEST_DATA) + "/ops.json");
  std::vector<Case> list;
  std::size_t number = 0;
  for (const auto& entry : nlohmann::json::parse(file)) {
    if (wanted(entry.at("op").get<std::string>())) list.push_back({entry, number});
    ++number;
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(Jax, Golden, ::testing::ValuesIn(cases()), [](const auto& info) {
  return info.param.entry.at("op").template get<std::string>() + "__" + std::to_string(info.param.number);
});

}  // namespace
}  // namespace baton::testing
