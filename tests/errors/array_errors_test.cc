// array_errors: mistakes with arrays, operations and values, one test each, with the exact message.
#include "baton/random.h"
#include "errors.h"

namespace baton {
namespace {

const Array a23 = lax::zeros({f32, {2, 3}}), a32 = lax::zeros({f32, {3, 2}}), i23 = lax::zeros({s32, {2, 3}});

TEST(Errors, ShapesDiffer) {
  EXPECT_MESSAGE(lax::add(a23, a32),
                 R"(add: operands must have one shape, found f32[2,3] and f32[3,2].
  called at array_errors_test.cc:LINE
  Broadcast or reshape one of them.)");
}

TEST(Errors, DtypesDiffer) {
  EXPECT_MESSAGE(lax::add(a23, i23),
                 R"(add: operands must have one dtype, found f32[2,3] and s32[2,3].
  called at array_errors_test.cc:LINE
  Convert one with astype.)");
}

TEST(Errors, DtypeIsNotAccepted) {
  EXPECT_MESSAGE(lax::sin(i23),
                 R"(sin: operand 0 must be floating or complex, found s32[2,3].
  called at array_errors_test.cc:LINE
  Convert it first: astype(x, f32).)");
}

TEST(Errors, NumberIsNoValueOfTheDtype) {
  EXPECT_MESSAGE(lax::add(lax::zeros({u8, {2}}), 300),
                 R"(the number 300 is not a value of u8, the dtype of the array beside it.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, AxisOutOfRange) {
  EXPECT_MESSAGE(lax::reduce_sum(a23, {2}),
                 R"(reduce_sum: axis 2 is out of range for f32[2,3].
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, AxisGivenTwice) {
  EXPECT_MESSAGE(lax::reduce_sum(a23, {0, 0}),
                 R"(reduce_sum: axis 0 is given twice in (0,0).
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, ReshapeChangesTheSize) {
  EXPECT_MESSAGE(lax::reshape(a23, {4}),
                 R"(reshape: the new shape must have the 6 elements of f32[2,3], found (4).
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, ContractedAxesDiffer) {
  EXPECT_MESSAGE(lax::dot_general(a23, a23, {.lhs_contract = {1}, .rhs_contract = {0}}),
                 R"(dot_general: contracted axes differ: lhs f32[2,3] axis 1 has 3, rhs f32[2,3] axis 0 has 2.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, TooManyElements) {
  EXPECT_MESSAGE(lax::zeros({f32, {std::int64_t{1} << 40, std::int64_t{1} << 40}}),
                 R"(broadcast_in_dim: the shape (1099511627776,1099511627776) has too many elements.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, EmptyOperand) {
  EXPECT_MESSAGE(lax::sin(Array()),
                 R"(sin: an operand is an empty array.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, DonatedOperand) {
  Array x({1.f, 2.f});
  jit([](const Array& v) { return lax::neg(v); })(std::move(x));
  EXPECT_MESSAGE(lax::sin(x),
                 R"(sin: an operand is empty: it was donated at array_errors_test.cc:LINE and not replaced.
  called at array_errors_test.cc:LINE
  Go on with what that call returned, or give the state to `update`, which puts it back.)");  // NOLINT
}

TEST(Errors, ItemInATrace) {
  EXPECT_MESSAGE(
      jit(
          [](const Array& x) {
            x.item(train);
            return x;
          },
          {.name = "step"}, train)(Array(1.f)),
      R"(item: the value of a traced array f32[] was asked for. While `step` is traced (at train.cc:41) arrays have types but no values.
  called at train.cc:41, while tracing for the call at array_errors_test.cc:LINE
  Use `cond` or `where` to choose by value, `host_function` to call C++ with values, or return the array and read it outside.)");
}

TEST(Errors, ReadInATrace) {
  EXPECT_MESSAGE(
      grad(
          [](const Array& x) {
            x.read<float>(train);
            return x;
          },
          {}, train)(Array(1.f)),
      R"(read: the value of a traced array f32[] was asked for. While `value_and_grad` is traced (at train.cc:41) arrays have types but no values.
  called at train.cc:41
  Use `cond` or `where` to choose by value, `host_function` to call C++ with values, or return the array and read it outside.)");
}

TEST(Errors, DataInATrace) {
  EXPECT_MESSAGE(
      vmap(
          [](const Array& x) {
            x.data(train);
            return x;
          },
          {}, train)(Array({1.f, 2.f})),
      R"(data: the value of a traced array f32[] was asked for. While `vmap` is traced (at train.cc:41) arrays have types but no values.
  called at train.cc:41
  Use `cond` or `where` to choose by value, `host_function` to call C++ with values, or return the array and read it outside.)");
}

TEST(Errors, TracedValueEscapes) {
  Array kept;
  jit([&](const Array& x) { return kept = lax::sin(x); }, {.name = "step"}, train)(Array(1.f));
  EXPECT_MESSAGE(
      lax::sin(kept),
      R"(sin: a traced value f32[] that was made at array_errors_test.cc:LINE while `step` was traced has escaped: its trace has ended.
  called at array_errors_test.cc:LINE
  Return the value from `step` instead of keeping it in a variable outside.)");
}

TEST(Errors, TracedValueEscapesIntoAnotherTrace) {
  Array kept;
  jit([&](const Array& x) { return kept = lax::sin(x); }, {.name = "step"}, train)(Array(1.f));
  EXPECT_MESSAGE(
      jit([&](const Array& x) { return lax::add(x, kept); })(Array(1.f)),
      R"(add: a traced value f32[] that was made at array_errors_test.cc:LINE while `step` was traced has escaped: its trace has ended.
  called at array_errors_test.cc:LINE
  Return the value from `step` instead of keeping it in a variable outside.)");
}

TEST(Errors, ItemNarrows) {
  EXPECT_MESSAGE(Array(0.5).item<float>(),
                 R"(item<float>: would narrow f64[].
  called at array_errors_test.cc:LINE
  Use item<double>(), or convert the array with astype.)");
}

TEST(Errors, ItemOfSeveral) {
  EXPECT_MESSAGE(a23.item(),
                 R"(item: an array of one element is required, found f32[2,3].
  called at array_errors_test.cc:LINE
  Index it first, or use read<T>().)");
}

TEST(Errors, ReadAsAnotherDtype) {
  EXPECT_MESSAGE(a23.read<int>(),
                 R"(read<int>: the array is f32[2,3].
  called at array_errors_test.cc:LINE
  Use read<float>(), or convert the array with astype.)");
}

TEST(Errors, WriteOfAnotherSize) {
  Array x({1.f, 2.f});
  EXPECT_MESSAGE(x.write(std::vector<float>{1}),
                 R"(write: values of f32[2] are required, found 1 of f32.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, HostFunctionReadsAnotherDtype) {
  const auto f = [](std::span<const HostArray> in, std::span<const HostArray> out) {
    out[0].as<float>()[0] = static_cast<float>(in[0].as<int>()[0]);
  };
  EXPECT_MESSAGE(host_function(f, {{f32, {}}}, {Array(1.f)}),
                 R"(HostArray::as: the array is f32[], found a request for s32.)");
}

TEST(Errors, HostFunctionDifferentiated) {
  const auto f = [](const Array& x) {
    return host_function([](std::span<const HostArray>, std::span<const HostArray>) {}, {x.type()}, {x},
                         {.name = "sensor"})[0];
  };
  EXPECT_MESSAGE(grad(f)(Array(1.f)),
                 R"(host_function `sensor`: C++ code has no derivative.
  called at array_errors_test.cc:LINE, for the operation at array_errors_test.cc:LINE
  Give the function around it a rule with custom_vjp or custom_jvp, or put stop_gradient around its operands.)");
}

TEST(Errors, HostFunctionWithEffectsUnderVmap) {
  const auto f = [](const Array& x) {
    return host_function([](std::span<const HostArray>, std::span<const HostArray>) {}, {x.type()}, {x},
                         {.kind = HostKind::io, .name = "sensor"})[0];
  };
  EXPECT_MESSAGE(
      vmap(f)(Array({1.f, 2.f})),
      R"(host_function `sensor`: code with effects runs once for each call, so vmap cannot repeat it over lanes.
  called at array_errors_test.cc:LINE, for the operation at array_errors_test.cc:LINE
  Call it outside the vmapped function, or declare it HostKind::pure.)");
}

TEST(Errors, HostFunctionWithEffectsUnderGrad) {
  const auto f = [](const Array& x) {
    return host_function([](std::span<const HostArray>, std::span<const HostArray>) {}, {x.type()}, {x},
                         {.kind = HostKind::io, .name = "sensor"})[0];
  };
  EXPECT_MESSAGE(
      grad(f)(Array(1.f)),
      R"(host_function `sensor`: code with effects runs once for each call, so a function that calls it cannot be differentiated.
  called at array_errors_test.cc:LINE, for the operation at array_errors_test.cc:LINE
  Call it outside the differentiated function, or declare it HostKind::pure.)");
}

TEST(Errors, HostFunctionWithEffectsUnderCheckpoint) {
  const auto f = [](const Array& x) {
    return host_function([](std::span<const HostArray>, std::span<const HostArray>) {}, {x.type()}, {x},
                         {.kind = HostKind::io, .name = "sensor"})[0];
  };
  EXPECT_MESSAGE(
      checkpoint(f)(Array(1.f)),
      R"(host_function `sensor`: code with effects runs once for each call, so checkpoint cannot run it again in the backward pass.
  called at array_errors_test.cc:LINE
  Call it outside the checkpointed function, or declare it HostKind::pure.)");
}

TEST(Errors, TakeFromAnEmptyAxis) {
  EXPECT_MESSAGE(take(zeros({0, 3}), Array({0}), 0),
                 R"(take: axis 0 of f32[0,3] has no elements to take, found indices for f32[1,3].
  called at array_errors_test.cc:LINE
  Give indices without elements, or an axis with some.)");
}

TEST(Errors, RangeWithoutAnEnd) {
  EXPECT_MESSAGE(arange(0, INFINITY),
                 R"(arange: finite numbers are required, found start 0, stop inf and step 1.
  called at array_errors_test.cc:LINE)");
}

TEST(Errors, ChoiceBeyondS32) {
  EXPECT_MESSAGE(
      random::choice(random::key(0), std::int64_t{1} << 40, {2}, {}, train),
      R"(random::choice: the numbers below n must be s32, so n is at most 2147483648, found 1099511627776.
  called at train.cc:41
  Draw wider numbers: randint(key, shape, 0, n, s64).)");
}

TEST(Errors, AxisNameThatNobodyGave) {
  EXPECT_MESSAGE(lax::psum(a23, "devices"),
                 R"(psum: no vmap around this call has an axis named `devices`; there are no axis names here.
  called at array_errors_test.cc:LINE
  Name the axis: vmap(f, {.axis_name = "devices"}).)");
}

}  // namespace
}  // namespace baton
