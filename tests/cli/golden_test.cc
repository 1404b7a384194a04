// golden: JAX's own programs through the command line: `grad` and `run` of the gradient that JAX lowered give
// the same numbers from the same file, once the cotangents are inputs.
#include <cmath>

#include "baton/safetensors.h"
#include "tool.h"

namespace baton {
namespace {

class Golden : public Tool {};

void expect_near(const NamedArrays& found, const std::string& name, const Array& want) {
  ASSERT_TRUE(found.contains(name)) << name;
  ASSERT_EQ(found.at(name).type(), want.type()) << name;
  const auto x = found.at(name).read<float>(), y = want.read<float>();
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(x[i], y[i], 2e-5 * (1 + std::abs(y[i]))) << name << " at " << i;
}

TEST_F(Golden, GradientsOfTheToolAndOfJaxAgree) {
  for (const std::string name : {"acos", "adam_three_steps_diff", "cholesky", "conv2d_asym_negative_pad",
                                 "layernorm", "scan_simple"}) {
    SCOPED_TRACE(name);
    const std::string data = std::string(BATON_TEST_DATA) + "/grad/" + name;
    NamedArrays given = load_safetensors(data + "/data.safetensors"), in, with_ct;
    std::size_t inputs = 0;
    for (; given.contains("in." + std::to_string(inputs)); ++inputs)
      with_ct["in." + std::to_string(inputs)] = given.at("in." + std::to_string(inputs));
    std::size_t next = inputs;
    for (const auto& [key, array] : given)  // in the order of their names: fewer than ten
      if (key.starts_with("ct.")) with_ct["in." + std::to_string(next++)] = array;
    save_safetensors(path("with_ct.safetensors"), with_ct);
    Said s =
        baton("grad " + data + "/forward.mlir --in " + data + "/data.safetensors --out grad.safetensors");
    ASSERT_EQ(s.code, 0) << s.err;
    s = baton("run " + data + "/grad.mlir --in with_ct.safetensors --out run.safetensors");
    ASSERT_EQ(s.code, 0) << s.err;
    const NamedArrays ours = load_safetensors(path("grad.safetensors")),
                      lowered = load_safetensors(path("run.safetensors"));
    std::size_t out = 0;
    for (; given.contains("out." + std::to_string(out)); ++out)
      expect_near(lowered, "out." + std::to_string(out), given.at("out." + std::to_string(out)));
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::string key = "grad." + std::to_string(i);
      if (!given.contains(key)) continue;
      expect_near(ours, key, given.at(key));
      expect_near(lowered, "out." + std::to_string(out++), given.at(key));
    }
  }
}

}  // namespace
}  // namespace baton
