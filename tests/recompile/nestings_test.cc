// nestings: jit, transforms and loops inside each other, made once or on each call, around a function that is
// kept or written anew and captures arrays that are kept or fresh. After the first call none compiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <string_view>

#include "base/held_bytes.h"
#include "baton/baton.h"
#include "on_cpu.h"

namespace baton {
namespace {

using Function = std::function<Array(const Array&)>;  // f32[4] -> f32[4]

Array total(const Array& x) { return lax::reduce_sum(x, {0}); }

struct Wrapper {
  std::string_view name;
  Function (*around)(const Function&);
};
const Wrapper wrappers[] = {
    {"jit", [](const Function& f) -> Function { return jit(f); }},
    {"checkpoint", [](const Function& f) -> Function { return checkpoint(f); }},
    {"grad", [](const Function& f) -> Function { return grad([f](const Array& x) { return total(f(x)); }); }},
    {"value_and_grad",
     [](const Function& f) -> Function {
       return [g = value_and_grad([f](const Array& x) { return total(f(x)); })](const Array& x) {
         const auto both = g(x);
         return both.value + both.grad;
       };
     }},
    {"vjp",
     [](const Function& f) -> Function {
       return [f](const Array& x) {
         const auto [out, pullback] = vjp(f, x);
         return pullback(out);
       };
     }},
    {"jvp",
     [](const Function& f) -> Function { return [f](const Array& x) { return jvp(f, x, x).tangent; }; }},
    {"linearize",
     [](const Function& f) -> Function {
       return [f](const Array& x) {
         const auto linear = linearize(f, x).linear;
         return linear(x) + linear(x);
       };
     }},
    {"vmap",
     [](const Function& f) -> Function {
       return [g = vmap(f)](const Array& x) {
         return lax::reduce_sum(g(lax::broadcast_in_dim(x, {3, 4}, {1})), {0});
       };
     }},
    {"custom_vjp",
     [](const Function& f) -> Function {
       return custom_vjp(
           f, [f](const Array& x) { return std::pair(f(x), x); },
           [](const Array& x, const Array& cotangent) { return cotangent * lax::cos(x); });
     }},
    {"scan",
     [](const Function& f) -> Function {
       return [f](const Array& x) {
         return scan(
                    [f](const Array& c, const Array& y) {
                      return Step{f(c) * 0.5f + y, Nothing{}};
                    },
                    x, lax::broadcast_in_dim(x, {2, 4}, {1}))
             .carry;
       };
     }},
};

/// A wrapper, and whether it is made once or on each call.
struct Layer {
  const Wrapper* wrapper;
  bool kept;
};
using Layers = std::vector<Layer>;

/// The innermost first.
Function nested(const Layers& layers, Function f) {
  for (const Layer& layer : layers)
    f = layer.kept ? layer.wrapper->around(f)
                   : Function([around = layer.wrapper->around, f](const Array& x) { return around(f)(x); });
  return f;
}
/// How the innermost function comes to be, and whether the layers that are kept outlive a call. A fresh
/// lambda within them is made each time that they call it; a nest that is made anew stands around one.
struct Innermost {
  bool kept_layers, fresh_lambda, fresh_capture;
};
std::string name_of(const Layers& layers, const Innermost& how) {
  std::string name = std::string(how.fresh_lambda ? "fresh" : "kept") + " lambda, " +
                     (how.fresh_capture ? "fresh" : "kept") + " capture";
  for (const Layer& layer : layers)
    name = std::string(layer.kept && how.kept_layers ? "" : "fresh ") + std::string(layer.wrapper->name) +
           "(" + name + ")";
  return name;
}

/// A rule for reverse mode has no forward mode.
bool has_derivatives(const Layers& layers) {
  const auto is = [](std::string_view name) {
    return [name](const Layer& l) { return l.wrapper->name == name; };
  };
  const auto rule = std::find_if(layers.begin(), layers.end(), is("custom_vjp"));
  return std::none_of(rule, layers.end(), is("jvp")) && std::none_of(rule, layers.end(), is("linearize"));
}

struct Cost {
  std::int64_t compiles, eager, modules;
  std::size_t held;
};
Cost now() {
  const Counters c = counters();
  return {c.compiles, c.eager_compiles, c.code_modules, HeldBytes::all()};
}

/// Calls 2 to `calls` compile nothing, and nothing is held for them.
void expect_nothing_compiles(const Layers& layers, const Innermost& how, int calls) {
  if (!has_derivatives(layers)) return;
  SCOPED_TRACE(name_of(layers, how));
  const Array weights({0.5f, 0.25f, 1.f, 2.f}), x({0.3f, -0.7f, 1.1f, 0.2f});
  const auto with = [](const Array& w) -> Function {
    return [w](const Array& a) { return lax::sin(a * w); };
  };
  const auto fresh = [&] { return with(how.fresh_capture ? clone(weights) : weights); };
  const Function one = with(weights);
  const Function kept =
      nested(layers, how.fresh_lambda ? Function([&](const Array& a) { return fresh()(a); }) : one);
  const auto call = [&] {
    return how.kept_layers ? kept(x) : nested(layers, how.fresh_lambda ? fresh() : one)(x);
  };
  call();
  const Cost before = now();
  for (int i = 1; i < calls; ++i) call();
  const Cost after = now();
  EXPECT_EQ(after.compiles, before.compiles);
  EXPECT_EQ(after.eager, before.eager);
  EXPECT_EQ(after.modules, before.modules);
  EXPECT_LE(after.held, before.held);
}

class Nestings : public testing::OnCpu {};

/// The counts would show it.
TEST_F(Nestings, AConstantThatChangesCompilesAgain) {
  for (const Wrapper& wrapper : wrappers) {
    const auto call = [&](float factor) {
      return jit(wrapper.around([factor](const Array& x) { return lax::sin(x) * factor; }))(
          Array({0.5f, 1.f, 2.f, 3.f}));
    };
    call(3.25f);
    const Cost before = now();
    for (int i = 0; i < 3; ++i) call(4.25f + static_cast<float>(i));
    const Cost after = now();
    EXPECT_EQ(after.compiles - before.compiles, 3) << wrapper.name;
    EXPECT_GT(after.held, before.held) << wrapper.name;
  }
}

TEST_F(Nestings, OfOneAndTwo) {
  for (const Wrapper& inner : wrappers)
    for (int ways = 0; ways < 16; ++ways) {
      const Layer one = {&inner, (ways & 1) != 0};
      const Innermost how = {(ways & 2) != 0, (ways & 4) != 0, (ways & 8) != 0};
      expect_nothing_compiles({one}, how, 20);
      for (const Wrapper& outer : wrappers)
        for (bool kept : {false, true}) expect_nothing_compiles({one, {&outer, kept}}, how, 5);
    }
}

TEST_F(Nestings, OfThreeAndFour) {
  const char* asked = std::getenv("BATON_FUZZ_ROUNDS");
  const int rounds = asked ? std::atoi(asked) : 60;
  std::mt19937 random(7);
  const auto draw = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < rounds; ++round) {
    Layers layers;
    for (std::size_t depth = 3 + draw(2); layers.size() < depth;)
      layers.push_back({&wrappers[draw(std::size(wrappers))], draw(2) == 1});
    const Innermost how = {draw(2) == 1, draw(2) == 1, draw(2) == 1};
    expect_nothing_compiles(layers, how, round % 10 ? 5 : 100);
  }
}

}  // namespace
}  // namespace baton
