// golden: every distribution against the numbers of jax.random for the same keys, in tests/data/random.json.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/element.h"
#include "baton/lax.h"
#include "baton/random.h"
#include "trace/executor.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

using nlohmann::json;
using random::Key;

std::string contents(const std::string& name) {
  std::ifstream file(std::string(BATON_TEST_DATA) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The tensors of a safetensors file.
std::map<std::string, Array> tensors() {
  const std::string file = contents("random.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  const std::map<std::string, Dtype> dtypes = {
      {"BOOL", boolean}, {"I8", s8},   {"I16", s16}, {"I32", s32},   {"I64", s64}, {"U8", u8},  {"U16", u16},
      {"U32", u32},      {"U64", u64}, {"F16", f16}, {"BF16", bf16}, {"F32", f32}, {"F64", f64}};
  std::map<std::string, Array> result;
  const json header = json::parse(file.substr(8, length));
  for (const auto& [name, entry] : header.items())
    result[name] = Array({dtypes.at(entry["dtype"]), entry["shape"].get<Shape>()},
                         file.data() + 8 + length + entry["data_offsets"][0].get<std::size_t>());
  return result;
}

Dtype dtype_named(const std::string& name) {
  const std::map<std::string, Dtype> dtypes = {
      {"bool", boolean},  {"int8", s8},     {"int16", s16},   {"int32", s32},     {"int64", s64},
      {"uint8", u8},      {"uint16", u16},  {"uint32", u32},  {"uint64", u64},    {"float16", f16},
      {"bfloat16", bf16}, {"float32", f32}, {"float64", f64}, {"complex64", c64}, {"complex128", c128}};
  return dtypes.at(name);
}

/// A number or nested lists of numbers.
void flatten(const json& j, std::vector<double>& out, Shape& shape, std::size_t depth = 0) {
  if (!j.is_array()) {
    out.push_back(j.get<double>());
    return;
  }
  if (shape.size() == depth) shape.push_back(static_cast<std::int64_t>(j.size()));
  for (const json& part : j) flatten(part, out, shape, depth + 1);
}
template <class T>
Array array_of(const json& j) {
  std::vector<double> values;
  Shape shape;
  flatten(j, values, shape);
  return Array(std::vector<T>(values.begin(), values.end()), shape);
}
Array floats(const json& j) { return array_of<float>(j); }
Shape shape_in(const json& p) { return p["shape"].get<Shape>(); }

initializers::Initializer initializer_named(const std::string& name) {
  if (name == "glorot_uniform") return initializers::glorot_uniform();
  if (name == "glorot_normal") return initializers::glorot_normal();
  if (name == "he_normal") return initializers::he_normal();
  if (name == "he_uniform") return initializers::he_uniform();
  if (name == "lecun_normal") return initializers::lecun_normal();
  if (name == "normal_0.02") return initializers::normal(0.02);
  if (name == "truncated_normal_0.5") return initializers::truncated_normal(0.5);
  if (name == "uniform_0.3") return initializers::uniform(0.3);
  ADD_FAILURE() << name;
  return initializers::zeros();
}

Array evaluate(const json& entry) {
  const std::string op = entry["op"];
  const json& p = entry["params"];
  if (op == "key") {
    auto seed = static_cast<std::uint64_t>(p["seed"].get<std::int64_t>());
    if (!entry["x64"].get<bool>()) seed &= 0xffffffffu;
    return random::key(seed).data;
  }
  const Key key{Array({entry["key"][0].get<std::uint32_t>(), entry["key"][1].get<std::uint32_t>()})};
  const Dtype dtype = p.contains("dtype") ? dtype_named(p["dtype"]) : dtype_named(entry["dtype"]);
  if (op == "threefry_2x32") {
    auto counts = p["counts"].get<std::vector<std::uint32_t>>();
    const std::size_t count = counts.size(), half = (count + 1) / 2;
    counts.resize(2 * half);
    auto word = [&](std::int64_t i) {
      return lax::full({static_cast<std::int64_t>(half)},
                       lax::reshape(lax::slice_in_dim(key.data, i, i + 1), {}));
    };
    const Array all(counts, {static_cast<std::int64_t>(counts.size())});
    const auto n = static_cast<std::int64_t>(half);
    const auto [a, b] =
        lax::threefry2x32(word(0), word(1), lax::slice_in_dim(all, 0, n), lax::slice_in_dim(all, n, 2 * n));
    return lax::slice_in_dim(lax::concatenate({a, b}, 0), 0, static_cast<std::int64_t>(count));
  }
  if (op == "split")
    return random::split_array(
        key, p["num"].is_array() ? p["num"].get<Shape>() : Shape{p["num"].get<std::int64_t>()});
  if (op == "fold_in") return random::fold_in(key, p["data"].get<std::int64_t>()).data;
  if (op == "fold_in_then_split")
    return random::split_array(random::fold_in(key, p["data"].get<int>()), {p["num"].get<std::int64_t>()});
  if (op == "clone_chain_split") {
    Key k = key;
    for (int i = 0; i < p["depth"].get<int>(); ++i) k = random::split(k, 2)[p["take"].get<std::size_t>()];
    return k.data;
  }
  if (op == "bits") return random::bits(key, shape_in(p), dtype);
  if (op == "uniform")
    return random::uniform(key, shape_in(p), dtype, p["minval"].get<double>(), p["maxval"].get<double>());
  if (op == "normal" || op == "orthogonal_abs_qr_input") {
    const Array z = random::normal(key, shape_in(p), dtype);
    if (!is_complex(dtype)) return z;
    const auto last = static_cast<std::int64_t>(z.rank());
    return lax::concatenate({lax::expand_dims(lax::real(z), {last}), lax::expand_dims(lax::imag(z), {last})},
                            z.rank());
  }
  if (op == "truncated_normal")
    return random::truncated_normal(key, p["lower"].get<double>(), p["upper"].get<double>(), shape_in(p),
                                    dtype);
  if (op == "bernoulli") return random::bernoulli(key, floats(p["p"]), shape_in(p));
  if (op == "categorical") {
    random::CategoricalOptions o{.axis = p["axis"].get<int>(), .replace = p.value("replace", true)};
    if (!p["shape"].is_null()) o.shape = shape_in(p);
    return random::categorical(key, floats(p["logits"]), o);
  }
  if (op == "permutation") {
    if (p.contains("n")) return random::permutation(key, p["n"].get<std::int64_t>());
    const Array x = lax::reshape(lax::iota({f32, {20}}, 0), {5, 4});
    return random::permutation(key, x, p["axis"].get<int>(), p["independent"].get<bool>());
  }
  if (op == "choice") {
    random::ChoiceOptions o{.replace = p["replace"].get<bool>()};
    if (p.contains("p")) o.p = floats(p["p"]);
    return random::choice(key, p["a"].get<std::int64_t>(), shape_in(p), o);
  }
  if (op == "randint") {
    auto bound = [&](const json& j) {
      return j.is_array() ? array_of<std::int32_t>(j) : Array(j.get<std::int64_t>());
    };
    return random::randint(key, shape_in(p), bound(p["minval"]), bound(p["maxval"]), dtype);
  }
  if (op == "gumbel") return random::gumbel(key, shape_in(p), dtype);
  if (op == "exponential") return random::exponential(key, shape_in(p), dtype);
  if (op == "laplace") return random::laplace(key, shape_in(p), dtype);
  if (op == "logistic") return random::logistic(key, shape_in(p), dtype);
  if (op == "cauchy") return random::cauchy(key, shape_in(p), dtype);
  if (op == "rademacher") return random::rademacher(key, shape_in(p), dtype);
  if (op == "gamma") return random::gamma(key, floats(p["a"]), shape_in(p), dtype);
  if (op == "beta") return random::beta(key, p["a"].get<float>(), p["b"].get<float>(), shape_in(p), dtype);
  if (op == "dirichlet") return random::dirichlet(key, floats(p["alpha"]), shape_in(p), dtype);
  if (op == "poisson") return random::poisson(key, floats(p["lam"]), shape_in(p), dtype);
  if (op == "initializer") return initializer_named(p["name"])(key, shape_in(p));
  if (op == "vmap_uniform_over_split") {
    const Program one = make_program("one", {{u32, {2}}}, [&](const Arrays& k) -> Arrays {
      return {random::uniform(Key{k[0]}, shape_in(p))};
    });
    const std::int64_t lanes = p["num"].get<std::int64_t>();
    return execute(batch(one, {lanes, ""}, {true}, {true}).program, {random::split_array(key, {lanes})},
                   {})[0];
  }
  ADD_FAILURE() << "no such op: " << op;
  return {};
}

TEST(Random, EqualsJax) {
  const json cases = json::parse(contents("random.json"));
  const auto expected = tensors();
  ASSERT_GT(cases["entries"].size(), 190u);
  for (const json& entry : cases["entries"]) {
    SCOPED_TRACE(entry.dump());
    const Array got = evaluate(entry);
    const Array& want = expected.at(entry["tensor"]);
    ASSERT_EQ(show(got.type()), show(want.type()));
    if (entry["exact"].get<bool>()) {
      EXPECT_EQ(std::memcmp(got.data(), want.data(), want.type().bytes()), 0);
      continue;
    }
    const double rtol = entry["tolerance"]["rtol"], atol = entry["tolerance"]["atol"];
    const Array a = lax::convert_element_type(got, f64), b = lax::convert_element_type(want, f64);
    const auto x = a.read<double>(), y = b.read<double>();
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_NEAR(x[i], y[i], atol + rtol * std::abs(y[i])) << "element " << i;
  }
}

}  // namespace
}  // namespace baton
