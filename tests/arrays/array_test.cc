// array: making, reading, writing and sharing arrays of every dtype.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "error_of.h"

namespace baton {
namespace {

bool starts(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

TEST(Array, KeepsEveryDtype) {
  EXPECT_EQ(Array(true).item<bool>(), true);
  EXPECT_EQ(Array(std::int8_t{-3}).item<std::int8_t>(), -3);
  EXPECT_EQ(Array(std::int16_t{-300}).item<std::int16_t>(), -300);
  EXPECT_EQ(Array(-70000).item<int>(), -70000);
  EXPECT_EQ(Array(std::int64_t{1} << 40).item<std::int64_t>(), std::int64_t{1} << 40);
  EXPECT_EQ(Array(std::uint8_t{200}).item<std::uint8_t>(), 200);
  EXPECT_EQ(Array(std::uint16_t{60000}).item<std::uint16_t>(), 60000);
  EXPECT_EQ(Array(4000000000u).item<std::uint32_t>(), 4000000000u);
  EXPECT_EQ(Array(~std::uint64_t{0}).item<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_EQ(static_cast<float>(Array(float16(1.5f)).item<float16>()), 1.5f);
  EXPECT_EQ(static_cast<float>(Array(bfloat16(1.5f)).item<bfloat16>()), 1.5f);
  EXPECT_EQ(Array(1.1).item<double>(), 1.1);
  EXPECT_EQ(Array(std::complex(1.f, 2.f)).item<std::complex<float>>(), std::complex(1.f, 2.f));
  EXPECT_EQ(Array(std::complex(1., 2.)).item<std::complex<double>>(), std::complex(1., 2.));
  EXPECT_EQ(Array(1ll).dtype(), s64);
}

TEST(Array, ItemWidensAndNeverNarrows) {
  EXPECT_EQ(Array(7).item<std::int64_t>(), 7);
  EXPECT_EQ(Array(7).item<double>(), 7.0);
  EXPECT_EQ(Array(std::uint8_t{7}).item<std::int16_t>(), 7);
  EXPECT_EQ(Array(float16(0.5f)).item<float>(), 0.5f);
  EXPECT_EQ(Array(0.5f).item<std::complex<double>>(), std::complex<double>(0.5));
  EXPECT_TRUE(starts(error_of([] { Array(0.5).item(); }),
                     "item<float>: would narrow f64[].\n  called at array_test.cc:"));
  for (const auto& narrow :
       {+[] { Array(7).item(); }, +[] { Array(0.5f).item<int>(); }, +[] { Array(7).item<unsigned>(); },
        +[] { Array(7u).item<int>(); }, +[] { Array(std::complex(1.f, 0.f)).item(); },
        +[] { Array(float16(1.f)).item<bfloat16>(); }, +[] { Array(1.f).item<float16>(); },
        +[] { Array(std::int64_t{1}).item<double>(); }})
    EXPECT_TRUE(starts(error_of([&] { narrow(); }), "item<"));
  EXPECT_EQ(error_of([] {
              Array({1.f, 2.f}).item(Where{"train.cc", 3});
            }),
            "item: an array of one element is required, found f32[2].\n  called at train.cc:3\n"
            "  Index it first, or use read<T>().");
}

TEST(Array, CopyTakesAnyStrides) {
  const float data[] = {0, 1, 2, 3, 4, 5};
  const auto row = static_cast<std::int64_t>(3 * sizeof(float)),
             one = static_cast<std::int64_t>(sizeof(float));
  const std::int64_t transposed[] = {one, row}, reversed[] = {-row, -one}, repeated[] = {0, one};
  EXPECT_EQ(Array::copy({f32, {3, 2}}, data, transposed).read<float>().vector(),
            (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Array::copy({f32, {2, 3}}, data + 5, reversed).read<float>().vector(),
            (std::vector<float>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(Array::copy({f32, {2, 3}}, data, repeated).read<float>().vector(),
            (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(Array::copy({f32, {}}, data + 4, {}).item(), 4.f);
  EXPECT_EQ(Array::copy({f32, {2, 0}}, nullptr, transposed).size(), 0);
  EXPECT_EQ(
      error_of([&] {
        Array::copy({f32, {2, 3}}, data, std::span(transposed, 1), Where{"train.cc", 3});
      }),
      "Array::copy: one stride for each axis is required; the shape (2,3) has 2 axes, found 1 strides.\n"
      "  called at train.cc:3");
}

TEST(Array, AdoptCallsTheDeleterOnceAtTheEnd) {
  static int deleted = 0;
  deleted = 0;
  {
    Array a = Array::adopt({f32, {2}}, new float[2]{1, 2}, [](void* data, void*) {
      delete[] static_cast<float*>(data);
      ++deleted;
    });
    const Array b = a;
    a = Array();
    EXPECT_EQ(deleted, 0);
    EXPECT_EQ(b.read<float>()[1], 2.f);
  }
  EXPECT_EQ(deleted, 1);
}

TEST(Array, BorrowedMemoryIsNeverWrittenOrDonated) {
  float data[] = {1, 2};
  auto twice = jit([](const Array& x) { return lax::mul(x, 2.f); });
  Array a = Array::borrow({f32, {2}}, data);
  EXPECT_EQ(a.data(), data);
  const Counters before = counters();
  const Array b = twice(std::move(a));
  EXPECT_EQ(counters().denied_donations - before.denied_donations, 1);
  EXPECT_NE(twice.donation().text().find("borrowed memory"), std::string::npos);
  EXPECT_EQ(b.read<float>()[1], 4.f);
  Array c = Array::borrow({f32, {2}}, data);
  c.write<float>(std::vector<float>{7, 8});
  EXPECT_EQ(c.read<float>()[0], 7.f);
  EXPECT_EQ(data[0], 1.f);
}

TEST(Array, WriteIsInPlaceForOneOwnerAndCopiesOtherwise) {
  Array a({1.f, 2.f});
  const void* memory = a.data();
  Counters before = counters();
  a.write(std::vector<float>{3, 4});
  EXPECT_EQ(a.data(), memory);
  EXPECT_EQ(counters().allocations, before.allocations);
  const Array b = a;
  a.write(std::vector<float>{5, 6});
  EXPECT_NE(a.data(), memory);
  EXPECT_EQ(b.read<float>()[0], 3.f);
  EXPECT_EQ(counters().copies - before.copies, 1);
  EXPECT_EQ(error_of([&] {
              a.write(std::span<const float>({1.f}), Where{"train.cc", 3});
            }),
            "write: values of f32[2] are required, found 1 of f32.\n  called at train.cc:3");
  EXPECT_TRUE(starts(error_of([&] {
                       a.write(std::vector<int>{1, 2});
                     }),
                     "write: values of f32[2] are required, found 2 of s32."));
}

TEST(Array, ReadKeepsTheMemoryAlive) {
  auto read = [] { return Array({1.f, 2.f}).read<float>(); }();
  EXPECT_EQ(read[1], 2.f);
  EXPECT_EQ(error_of([] {
              Array(1.5).read<float>(Where{"train.cc", 3});
            }),
            "read<float>: the array is f64[].\n  called at train.cc:3\n"
            "  Use read<double>(), or convert the array with astype.");
  // A write while the span is out goes elsewhere.
  Array a({1.f, 2.f});
  const auto span = a.read<float>();
  a.write(std::vector<float>{3, 4});
  EXPECT_EQ(span[0], 1.f);
}

TEST(Array, ZeroSizesWork) {
  const Array a(std::vector<float>{}, {0, 3});
  EXPECT_EQ(a.size(), 0);
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a.read<float>().size(), 0u);
  EXPECT_EQ(lax::add(a, 1.f).shape(), (Shape{0, 3}));
  EXPECT_EQ(lax::reduce_sum(a, {0}).read<float>().vector(), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(clone(a).shape(), (Shape{0, 3}));
  EXPECT_EQ(jit([](const Array& x) { return lax::neg(x); })(a).shape(), (Shape{0, 3}));
  Array b = a;
  b.write(std::vector<float>{});
  EXPECT_EQ(b.size(), 0);
}

TEST(Array, HugeAndNegativeShapesAreRefused) {
  const std::int64_t big = std::int64_t{1} << 40;
  EXPECT_EQ(error_of([&] {
              Array({f32, {big, big}}, nullptr, Where{"train.cc", 3});
            }),
            "Array: the shape (1099511627776,1099511627776) has too many elements.\n  called at train.cc:3");
  EXPECT_TRUE(starts(error_of([&] {
                       Array::borrow({f32, {big, big}}, nullptr);
                     }),
                     "Array::borrow: the shape "));
  EXPECT_TRUE(starts(error_of([&] {
                       lax::zeros({f32, {big, big}});
                     }),
                     "broadcast_in_dim: the shape "))
      << error_of([&] {
           lax::zeros({f32, {big, big}});
         });
  EXPECT_TRUE(starts(error_of([] { Array(std::vector<float>{}, {-1}); }),
                     "Array: an extent of the shape (-1) is negative."));
  EXPECT_TRUE(starts(error_of([] {
                       Array({1.f, 2.f}, {3});
                     }),
                     "Array: the shape (3) has 3 elements, found 2 values."));
  const float large = 0;  // never read
  EXPECT_THROW(Array({f32, {std::int64_t{1} << 50}}, &large), DeviceError);
}

TEST(Array, DimAndTypeOfWhatIsNotThere) {
  EXPECT_EQ(Array({1.f, 2.f}).dim(-1), 2);
  EXPECT_EQ(error_of([] { Array({1.f, 2.f}).dim(1); }), "Array::dim: axis 1 is out of range for f32[2].");
  EXPECT_EQ(error_of([] { Array().shape(); }),
            "Array::type: the array is empty: it was never set, or its value was moved away.");
}

TEST(Array, EverythingIsGivenBack) {
  const Counters before = counters();
  {
    Array a({1.f, 2.f, 3.f});
    const Array b = lax::mul(lax::sin(a), a);
    const Array c = jit([](const Array& x) { return lax::reduce_sum(lax::mul(x, x), {0}); })(b);
    EXPECT_EQ(counters().live_bytes - before.live_bytes, 3 * 64);
    const std::vector<float> values(4096);  // small buffers may be those that earlier arrays have left
    const Array large(values, {4096});
    EXPECT_GT(counters().allocations, before.allocations);
  }
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
}

TEST(Array, MadeInsideATraceIsAConstantWhateverMadeIt) {
  static const float data[] = {1, 2};
  static const std::int64_t stride[] = {sizeof(float)};
  auto f = jit([](const Array& x) {
    const Array copied = Array::copy({f32, {2}}, data, stride), borrowed = Array::borrow({f32, {2}}, data);
    return lax::add(lax::mul(x, copied), lax::add(borrowed, Array({10.f, 20.f})));
  });
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(f(Array({1.f, 1.f})).read<float>().vector(), (std::vector<float>{12, 24}));
}

}  // namespace
}  // namespace baton
