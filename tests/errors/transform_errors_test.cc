// transform_errors: what transforms and control flow say to functions and operations that they cannot take.
#include <thread>

#include "errors.h"

namespace baton {
namespace {

Array f(const Shape& shape) { return zeros(shape); }
Array with(const Program& p, const Arrays& in) { return lax::call(p, in, "f")[0]; }
const Program add_scalars = trace([](const Array& x, const Array& y) { return lax::add(x, y); },
                                  abstract({f32, {}}), abstract({f32, {}}));
const Program add_whole = trace([](const Array& x, const Array& y) { return lax::add(x, y); },
                                abstract({s32, {}}), abstract({s32, {}}));
template <class F>
Array derivative(F function, const Array& x) {
  return jvp(function, x, x).tangent;
}

TEST(TransformMessages, OperationsWithoutADerivative) {
  SAYS(derivative([](const Array& x) { return lax::nextafter(x, 1); }, f({2})),
       "nextafter: this operation has no derivative.\n"
       "  Put stop_gradient around its operands, or give the function a rule with custom_jvp.");
  SAYS(derivative([](const Array& x) { return lax::igamma_grad_a(x, 1); }, f({2})),
       "igamma_grad_a: this operation has no derivative.\n"
       "  Put stop_gradient around its operands, or give the function a rule with custom_jvp.");
  SAYS(grad([](const Array& x) { return lax::nextafter(x, 1); })(f({})),
       "nextafter: this operation has no derivative.\n"
       "  Put stop_gradient around its operands, or give the function a rule with custom_jvp.");
  SAYS(derivative([](const Array& x) { return lax::polygamma(x, 1); }, f({2})),
       "polygamma: it has no derivative in its order.\n"
       "  Put stop_gradient around that operand.");
  SAYS(derivative([](const Array& x) { return lax::zeta(x, 1); }, f({2})),
       "zeta: it has no derivative in its exponent.\n"
       "  Put stop_gradient around that operand.");
  SAYS(derivative([](const Array& x) { return lax::svd(x, true).u; }, f({2, 3})),
       "svd: its derivative is not defined for full_matrices of f32[2,3], which is not square.\n"
       "  Set full_matrices = false.");
  const lax::Window two = {.dimensions = {2}};
  SAYS(derivative([&](const Array& x) { return lax::reduce_window_max(x, two); }, zeros({3}, c64)),
       "reduce_window_max: complex numbers have no derivative here, found c64[3].\n"
       "  Take their real part first.");
  SAYS(derivative([&](const Array& x) { return lax::reduce_window_min(x, two); }, zeros({3}, c64)),
       "reduce_window_min: complex numbers have no derivative here, found c64[3].\n"
       "  Take their real part first.");
}

TEST(TransformMessages, ReductionsOfOne) {
  const Program both = Program::parse(
      "{ a:f32[], i:s32[], b:f32[], j:s32[] ->\n  c:f32[] = add a b\n  k:s32[] = add i j\n  return c, k }");
  const Array i = zeros({3}, s32);
  SAYS(derivative(
           [&](const Array& x) {
             return lax::reduce({x, i}, {Array(0.f), Array(0)}, both, {0})[0];
           },
           f({3})),
       "reduce: to be differentiated all operands must be floating or complex, found s32[3].\n"
       "  Use argmax, sort or reduce_max to choose by index.");
  SAYS(derivative([&](const Array& x) { return lax::reduce({f({3})}, {x}, add_scalars, {0})[0]; }, f({})),
       "reduce: initial values cannot be differentiated.\n"
       "  Combine them with the result instead.");
  SAYS(derivative(
           [&](const Array& x) {
             return lax::reduce_window({x, i}, {Array(0.f), Array(0)}, both, {.dimensions = {2}})[0];
           },
           f({3})),
       "reduce_window: to be differentiated all operands must be floating or complex, found s32[3].\n"
       "  Use reduce_window_max or _min to choose.");
}

TEST(TransformMessages, ValuesFromOutsideOfACustomRule) {
  SAYS(derivative(
           [](const Array& x) {
             auto own = custom_jvp([x](const Array& y) { return lax::mul(x, y); },
                                   [](const std::tuple<Array>& y, const std::tuple<Array>& dy) {
                                     return Jvp<Array>{std::get<0>(y), std::get<0>(dy)};
                                   });
             return own(f({2}));
           },
           f({2})),
       "custom_jvp: the function reads a differentiated value f32[2] from outside.\n"
       "  Its rule knows nothing of it: pass the value as an argument.");
  struct Kept {
    Array out, residuals;
  };
  SAYS(grad([](const Array& x) {
         auto own = custom_vjp([x](const Array& y) { return lax::mul(x, y); },
                               [](const Array& y) {
                                 return Kept{y, y};
                               },
                               [](const Array&, const Array& ct) { return ct; });
         return own(f({}));
       })(f({})),
       "custom_vjp: the function reads a differentiated value f32[] from outside.\n"
       "  Its rule knows nothing of it: pass the value as an argument.");
}

TEST(TransformMessages, LeavesOfCustomRules) {
  struct Kept {
    Array out, residuals;
  };
  using Several = std::vector<Array>;
  struct KeptSeveral {
    Several out;
    Array residuals;
  };
  EXPECT_MESSAGE(
      custom_jvp([](const Array& x) { return Several{x}; },
                 [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
                   return Jvp<Several>{{std::get<0>(x), std::get<0>(x)}, {std::get<0>(dx)}};
                 },
                 train)(f({})),
      "custom_jvp: the rule must return Jvp{out, tangent} with the leaves of the function's result.\n"
      "  called at train.cc:41");
  EXPECT_MESSAGE(
      custom_vjp([](const Array& x) { return Several{x}; },
                 [](const Array&) {
                   return KeptSeveral{{}, {}};
                 },
                 [](const Array&, const Several& ct) { return ct[0]; }, train)(f({})),
      "custom_vjp: forward must return {out, residuals} where out has the leaves of the function's result.\n"
      "  called at train.cc:41");
  EXPECT_MESSAGE(
      custom_vjp([](const Several& x) { return x[0]; },
                 [](const Several& x) {
                   return Kept{x[0], x[0]};
                 },
                 [](const Array&, const Array&) { return Several{}; }, train)({f({})}),
      "custom_vjp: backward must return a cotangent for each of the 1 leaves of the arguments, found 0.\n"
      "  called at train.cc:41");
}

TEST(TransformMessages, LinearFunctions) {
  using Several = std::vector<Array>;
  auto by = linearize([](const Several& x) { return lax::add(x[0], x[1]); }, Several{f({2}), f({2})});
  SAYS(by.linear({f({2})}), "linearize: the tangent must have 2 leaves, found 1.");
  auto back = vjp([](const Array& x) { return Several{x, x}; }, f({2}));
  SAYS(back.pullback({f({2})}), "vjp: the cotangent must have 2 leaves, found 1.");
  SAYS(linear_transpose([](const Array& x) { return lax::sin(x); }, f({2})),
       "linear_transpose: the function must be linear in its argument; the derivative of the operation at "
       "transform_errors_test.cc:LINE depends on the argument's value.\n"
       "  Use vjp for the derivative of a function at a point.");
  SAYS(linear_transpose([](const Array& x) { return lax::sort({x})[0]; }, f({2})),
       "linear_transpose: the function must be linear in its argument; the derivative of the operation at "
       "transform_errors_test.cc:LINE depends on the argument's value.\n"
       "  Use vjp for the derivative of a function at a point.");
  SAYS(linear_transpose([](const Array& x) { return lax::reduce({x}, {Array(0.f)}, add_scalars, {0})[0]; },
                        f({2})),
       "reduce: reverse mode is not possible through this operation.\n"
       "  Use forward mode (jvp), or give the function a rule with custom_vjp.");
  auto own = custom_jvp([](const Array& x) { return lax::neg(x); },
                        [](const std::tuple<Array>& x, const std::tuple<Array>& dx) {
                          return Jvp<Array>{lax::neg(std::get<0>(x)), lax::neg(std::get<0>(dx))};
                        });
  SAYS(linear_transpose(
           [](const Array& x) {
             const auto same = [](const Array& y) { return y; };
             return custom_linear_solve(
                 same, zeros({2}), [x](const Array&) { return x; }, same);
           },
           f({2})),
       "custom_linear_solve: the solution is linear in b alone.");
  SAYS(linear_transpose(own, f({2})),
       "custom_jvp: reverse mode is not possible through this operation.\n"
       "  Use forward mode (jvp), or give the function a rule with custom_vjp.");
}

struct Endless {
  Array operator()(const Array& x) const {
    static const auto compiled = jit(Endless{}, {.name = "endless"}, train);
    return compiled(x);
  }
};
Array nested(const Array&) { return vmap(nested, {}, train)(f({1})); }

TEST(TransformMessages, TracesWithoutEnd) {
  EXPECT_MESSAGE(Endless()(f({})),
                 "`endless` (jit at train.cc:41): the function calls itself with arguments of the same "
                 "types, so its trace would never end.\n"
                 "  called at transform_errors_test.cc:LINE\n"
                 "  Use while_loop, scan or fori_loop for what repeats.");
  EXPECT_MESSAGE(nested(f({})),
                 "vmap: traces are nested more than 500 deep.\n"
                 "  called at train.cc:41\n"
                 "  Use scan, fori_loop or while_loop for what repeats.");
}

TEST(TransformMessages, TracedValuesInAnotherThread) {
  std::string alone, beside;
  trace(
      [&](const Array& x) {
        std::thread([&] {
          alone = said([&] { lax::sin(x); });
          trace(
              [&](const Array& y) {
                beside = said([&] { lax::add(x, y); });
                return y;
              },
              f({}));
        }).join();
        return x;
      },
      f({}));
  EXPECT_EQ(
      alone,
      "sin: a traced value f32[] that was made at transform_errors_test.cc:LINE while `trace` was traced is "
      "used in another thread.\n  A traced value belongs to its trace and thread: pass arrays as arguments.");
  EXPECT_EQ(beside,
            "add: a traced value f32[] of `trace` (made at transform_errors_test.cc:LINE) is used in another "
            "thread than the one that traces it.\n  A traced value belongs to its trace and thread: pass "
            "arrays as arguments.");
}

TEST(TransformMessages, Scans) {
  SAYS(lax::scan(add_scalars, {}, {f({})}, {}),
       "scan: a length is required where no array is scanned.\n"
       "  Give {.length = n}.");
  SAYS(lax::scan(add_scalars, {}, {f({})}, {f({})}),
       "scan: a length is required where no array is scanned.\n"
       "  Give {.length = n}.");
  SAYS(lax::scan(add_scalars, {}, {f({})}, {f({})}, {.length = 2}),
       "scan: the leading axis of every array that is scanned must have extent 2, found f32[].");
  SAYS(lax::scan(add_scalars, {}, {f({})}, {f({3})}, {.length = 2}),
       "scan: the leading axis of every array that is scanned must have extent 2, found f32[3].");
  SAYS(lax::scan(add_scalars, {}, {f({}), f({}), f({})}, {f({3})}),
       "scan: the body must take the consts and the carry and return the carry first.");
  SAYS(lax::scan(add_scalars, {}, {f({})}, {Array({1, 2})}),
       "scan: slice 0 must be f32[], found s32[].\n"
       "  Convert it with astype.");
  SAYS(lax::scan(add_whole, {}, {f({})}, {Array({1, 2})}),
       "scan: carry 0 must be s32[], found f32[].\n"
       "  Convert it with astype.");
  SAYS(lax::cond(f({}), {add_scalars}, {f({}), f({})}),
       "cond: the index must be s32[], or bool[] with two branches, found f32[].");
  SAYS(lax::cond(Array(true), {add_scalars}, {f({}), f({})}),
       "cond: the index must be s32[], or bool[] with two branches, found bool[].");
  SAYS(lax::cond(0, {}, {f({}), f({})}), "cond: at least one branch is required.");
}

TEST(TransformMessages, Lanes) {
  const auto over = [](const std::vector<std::pair<int, int>>& pairs) {
    return vmap([pairs](const Array& x) { return lax::ppermute(x, "i", pairs); }, {.axis_name = "i"});
  };
  SAYS(over({{0, 2}})(f({2})), "ppermute: destinations must be lanes of `i`, from 0 to 1, found (2).");
  SAYS(over({{-1, 0}})(f({2})), "ppermute: sources must be lanes of `i`, from 0 to 1, found (-1).");
  SAYS(over({{0, 1}, {0, 0}})(f({2})), "ppermute: sources must be different lanes, found (0,0).");
}

TEST(TransformMessages, AxesOfLanes) {
  const auto lanes = [](auto function) {
    vmap([function](const Array& x) -> Array { return function(x); }, {.axis_name = "i"})(f({2, 3}));
  };
  SAYS(lanes([](const Array& x) { return lax::all_gather(x, "i", 2); }),
       "all_gather: a new axis 2 is out of range for f32[3].");
  SAYS(lanes([](const Array& x) { return lax::all_gather(x, "i", 1, true); }),
       "all_gather: axis 1 is out of range for f32[3].");
  SAYS(lanes([](const Array& x) { return lax::psum_scatter(x, "i"); }),
       "psum_scatter: axis 0 of f32[3] must have one element for each lane, 2.");
  SAYS(lanes([](const Array& x) { return lax::psum_scatter(x, "i", 0, true); }),
       "psum_scatter: axis 0 of f32[3] must be a multiple of the number of lanes, 2.");
  SAYS(lanes([](const Array& x) { return lax::all_to_all(x, "i", 0, 0); }),
       "all_to_all: axis 0 of f32[3] must have one element for each lane, 2.");
  SAYS(lanes([](const Array& x) { return lax::all_to_all(x, "i", 0, 2, true); }),
       "all_to_all: axis 0 of f32[3] must be a multiple of the number of lanes, 2.");
  SAYS(lanes([](const Array& x) { return lax::psum(lax::gt(x, 0), "i"); }),
       "psum: operand 0 must be a number, not bool, found bool[3].");
  SAYS(lanes([](const Array& x) { return lax::pmean(lax::convert_element_type(x, s32), "i"); }),
       "pmean: operand 0 must be floating or complex, found s32[3].\n"
       "  Convert it first: astype(x, f32).");
  SAYS(lanes([](const Array& x) { return lax::psum(x, "j"); }),
       "psum: no vmap around this call has an axis named `j`; there are `i`.\n"
       "  Name the axis: vmap(f, {.axis_name = \"j\"}).");
}

TEST(TransformMessages, ProgramsThatCannotRun) {
  const Program sum =
      Program::parse("{ a:f32[] ->\n  b:f32[] = psum a {axis_name=\"i\", axis_size=2}\n  return b }");
  EXPECT_MESSAGE(with(sum, {f({})}),
                 "a Program with an operation over the axis name of a vmap (psum and its like) cannot run "
                 "outside of it.\n"
                 "  Trace the vmapped function instead of the function inside.");
  const Program derivative = Program::parse(
      "{ a:f32[] ->\n  b:f32[] = custom_vjp_linear a {backward={ c:f32[] ->\n  return c }, residuals=0}\n"
      "  return b }");
  SAYS(vmap([&](const Array& x) { return with(derivative, {x}); })(f({2})),
       "custom_vjp_linear: this operation cannot be batched by vmap.");
  EXPECT_MESSAGE(
      with(derivative, {f({})}),
      "custom_vjp_linear: this equation stands for a derivative until it is transposed, and cannot run.");
}

}  // namespace
}  // namespace baton
