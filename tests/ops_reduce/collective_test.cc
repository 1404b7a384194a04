// collective: operations over an axis name, resolved by batching: values, other axes, adjoints.
#include "ops_reduce/helpers.h"

namespace baton {
namespace {

/// The Program of `f` on arrays of this shape, inside vmaps over `i` of 3 lanes (and over `j` of 2).
Program inside(const Types& in, FunctionRef<Array(const Arrays&)> f) {
  const AxisName outer("j", 2), inner("i", 3);
  return make_program("f", in, [&](const Arrays& a) -> Arrays { return {f(a)}; });
}
std::vector<float> lanes(const Program& f, const Arrays& x) {
  return values(execute(batch(f, {3, "i"}, Mask(x.size(), true), {true}).program, x, {})[0]);
}
const Array scalars({1.f, 2.f, 4.f});
const Array vectors({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f}, {3, 3});

TEST(Collective, ReductionsOverLanes) {
  const Types in = {{f32, {}}};
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::psum(a[0], "i"); }), {scalars}),
            (Floats{7, 7, 7}));
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::pmax(a[0], "i"); }), {scalars}),
            (Floats{4, 4, 4}));
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::pmin(a[0], "i"); }), {scalars}),
            (Floats{1, 1, 1}));
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::sub(a[0], lax::pmean(a[0], "i")); }),
                  {Array({1.f, 2.f, 6.f})}),
            (Floats{-2, -1, 3}));
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::mul(a[0], lax::psum(1.f, "i")); }), {scalars}),
            (Floats{3, 6, 12}));
  EXPECT_EQ(lanes(inside(in,
                         [](const Arrays& a) {
                           return lax::add(a[0], lax::convert_element_type(lax::axis_index("i"), f32));
                         }),
                  {scalars}),
            (Floats{1, 3, 6}));
}

TEST(Collective, PermutationsOfManyLanesAreOneGather) {
  auto program = [](std::int64_t n) {
    const AxisName axis("i", n);
    std::vector<std::pair<int, int>> pairs;
    for (int k = 0; k + 1 < n; ++k) pairs.emplace_back(k, k + 1);
    const Program one = make_program(
        "f", {{f32, {2}}}, [&](const Arrays& a) -> Arrays { return {lax::ppermute(a[0], "i", pairs)}; });
    return batch(one, {n, "i"}, {true}, {true}).program;
  };
  EXPECT_EQ(program(3).equation_count(), program(50).equation_count());
  EXPECT_EQ(values(execute(program(3), {Array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2})}, {})[0]),
            (Floats{0, 0, 1, 2, 3, 4}));
}

TEST(Collective, MovesBetweenLanes) {
  const Types in = {{f32, {}}}, three = {{f32, {3}}};
  EXPECT_EQ(lanes(inside(in, [](const Arrays& a) { return lax::all_gather(a[0], "i"); }), {scalars}),
            (Floats{1, 2, 4, 1, 2, 4, 1, 2, 4}));
  EXPECT_EQ(lanes(inside(three, [](const Arrays& a) { return lax::psum_scatter(a[0], "i"); }), {vectors}),
            (Floats{12, 15, 18}));
  EXPECT_EQ(
      lanes(inside(three, [](const Arrays& a) { return lax::psum_scatter(a[0], "i", 0, true); }), {vectors}),
      (Floats{12, 15, 18}));
  EXPECT_EQ(lanes(inside(in,
                         [](const Arrays& a) {
                           return lax::ppermute(a[0], "i", {{0, 1}, {1, 2}});
                         }),
                  {scalars}),
            (Floats{0, 1, 2}));
  EXPECT_EQ(lanes(inside(three, [](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0); }), {vectors}),
            (Floats{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  EXPECT_EQ(
      lanes(inside(three, [](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0, true); }), {vectors}),
      (Floats{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  EXPECT_EQ(
      lanes(inside(three, [](const Arrays& a) { return lax::all_gather(a[0], "i", 0, true); }), {vectors})
          .size(),
      27u);
}

TEST(Collective, OtherAxesAreCarriedAlong) {
  for (auto f : {+[](const Arrays& a) { return lax::psum(a[0], "i"); },
                 +[](const Arrays& a) { return lax::all_gather(a[0], "i"); },
                 +[](const Arrays& a) { return lax::psum_scatter(a[0], "i"); },
                 +[](const Arrays& a) {
                   return lax::ppermute(a[0], "i", {{2, 0}});
                 },
                 +[](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0); },
                 +[](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0, true); },
                 +[](const Arrays& a) { return lax::pmax(a[0], "i"); },
                 +[](const Arrays& a) { return lax::pmin(a[0], "i"); }}) {
    const Program p = inside({{f32, {3}}}, f);
    const Program both = batch(batch(p, {2, "j"}, {true}, {true}).program, {3, "i"}, {true}, {true}).program;
    const Array x =
        lax::concatenate({lax::expand_dims(vectors, {1}), lax::expand_dims(lax::mul(vectors, 10), {1})}, 1);
    const Array y = execute(both, {x}, {})[0];
    for (int j = 0; j < 2; ++j) {
      const Floats alone = lanes(p, {j ? lax::mul(vectors, 10) : vectors});
      EXPECT_EQ(values(lax::reshape(lax::slice_in_dim(y, j, j + 1, 1, 1),
                                    {static_cast<std::int64_t>(alone.size())})),
                alone);
    }
  }
}

TEST(Collective, AdjointsAreEachOthers) {
  // The gradient inside the vmap, as JAX gives it: the adjoint of psum is psum, of all_gather psum_scatter.
  const Program sum = inside({{f32, {}}}, [](const Arrays& a) { return lax::psum(a[0], "i"); });
  const TransposeProgram sum_back = transpose(sum, {true}, {true}, {true});
  EXPECT_EQ(lanes(sum_back.program, {scalars}), (Floats{7, 7, 7}));
  const Program all = inside({{f32, {}}}, [](const Arrays& a) { return lax::all_gather(a[0], "i"); });
  EXPECT_EQ(lanes(transpose(all, {true}, {true}, {true}).program, {vectors}), (Floats{12, 15, 18}));
  const Program part = inside({{f32, {3}}}, [](const Arrays& a) { return lax::psum_scatter(a[0], "i"); });
  EXPECT_EQ(lanes(transpose(part, {true}, {true}, {true}).program, {scalars}),
            (Floats{1, 2, 4, 1, 2, 4, 1, 2, 4}));
  const Program shift = inside({{f32, {}}}, [](const Arrays& a) {
    return lax::ppermute(a[0], "i", {{0, 1}, {1, 2}});
  });
  EXPECT_EQ(lanes(transpose(shift, {true}, {true}, {true}).program, {scalars}), (Floats{2, 4, 0}));
  const Program turn = inside({{f32, {3}}}, [](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0); });
  EXPECT_EQ(lanes(transpose(turn, {true}, {true}, {true}).program, {vectors}),
            (Floats{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  const Program least = inside({{f32, {}}}, [](const Arrays& a) { return lax::pmin(a[0], "i"); });
  EXPECT_EQ(
      values(execute(batch(jvp(least, {true}, {true}).program, {3, "i"}, {true, true}, {true, true}).program,
                     {Array({5.f, 1.f, 1.f}), Array({1.f, 10.f, 4.f})}, {})[1]),
      (Floats{7, 7, 7}));
  const Program largest = inside({{f32, {}}}, [](const Arrays& a) { return lax::pmax(a[0], "i"); });
  EXPECT_EQ(values(execute(
                batch(jvp(largest, {true}, {true}).program, {3, "i"}, {true, true}, {true, true}).program,
                {Array({5.f, 1.f, 5.f}), Array({1.f, 10.f, 3.f})}, {})[1]),
            (Floats{2, 2, 2}));
}

TEST(Collective, NoneRunsOutsideOfItsVmap) {
  for (auto f : {+[](const Arrays& a) { return lax::psum(a[0], "i"); },
                 +[](const Arrays& a) { return lax::pmax(a[0], "i"); },
                 +[](const Arrays& a) { return lax::pmin(a[0], "i"); },
                 +[](const Arrays& a) { return lax::all_gather(a[0], "i"); },
                 +[](const Arrays& a) { return lax::psum_scatter(a[0], "i"); },
                 +[](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0); },
                 +[](const Arrays& a) {
                   return lax::ppermute(a[0], "i", {{0, 1}});
                 },
                 +[](const Arrays&) { return lax::axis_index("i"); }})
    EXPECT_EQ(
        message([&] {
          execute(inside({{f32, {3}}}, f), {scalars}, {});
        }),
        "a Program with an operation over the axis name of a vmap (psum and its like) cannot run outside of "
        "it.\n  Trace the vmapped function instead of the function inside.");
}

TEST(Collective, Errors) {
  EXPECT_EQ(message([] { lax::psum(1.f, "rows"); }),
            "psum: no vmap around this call has an axis named `rows`; there are no axis names here.\n  Name "
            "the axis: "
            "vmap(f, {.axis_name = \"rows\"}).");
  EXPECT_EQ(message([] {
              inside({{f32, {2}}}, [](const Arrays& a) { return lax::psum_scatter(a[0], "i"); });
            }),
            "psum_scatter: axis 0 of f32[2] must have one element for each lane, 3.");
  EXPECT_EQ(message([] {
              inside({{f32, {2}}}, [](const Arrays& a) { return lax::all_to_all(a[0], "i", 0, 0, true); });
            }),
            "all_to_all: axis 0 of f32[2] must be a multiple of the number of lanes, 3.");
  EXPECT_EQ(message([] {
              inside({{f32, {}}}, [](const Arrays& a) { return lax::ppermute(a[0], "i", {{0, 1}, {0, 2}}); });
            }),
            "ppermute: sources must be different lanes, found (0,0).");
  EXPECT_EQ(
      message([] {
        inside({{s32, {}}}, [](const Arrays& a) { return lax::pmean(a[0], "i"); });
      }),
      "pmean: operand 0 must be floating or complex, found s32[].\n  Convert it first: astype(x, f32).");
}

}  // namespace
}  // namespace baton
