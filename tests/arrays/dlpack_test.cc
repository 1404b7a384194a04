// dlpack: arrays to and from other libraries, of which this test plays one.
#include "baton/dlpack.h"

#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton {
namespace {

/// A tensor of another library.
struct Foreign {
  std::vector<std::int64_t> shape, strides;
  int deleted = 0;
  DLManagedTensor tensor = {};
  Foreign(void* data, DLDataType dtype, std::vector<std::int64_t> s, std::vector<std::int64_t> st = {})
      : shape(std::move(s)), strides(std::move(st)) {
    tensor.dl_tensor = {data,  {kDLCPU, 0},  static_cast<std::int32_t>(shape.size()),
                        dtype, shape.data(), strides.empty() ? nullptr : strides.data(),
                        0};
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor* self) { ++static_cast<Foreign*>(self->manager_ctx)->deleted; };
  }
};
constexpr DLDataType float_type = {kDLFloat, 32, 1};

std::string error_of(DLManagedTensor* tensor) {
  try {
    from_dlpack(tensor, Where{"train.cc", 3});
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Dlpack, EveryDtypeGoesRound) {
  for (int d = 0; d < dtype_count; ++d) {
    const Type type{static_cast<Dtype>(d), {2, 1}};
    const Array a = lax::zeros(type);
    DLManagedTensor* out = to_dlpack(a);
    EXPECT_EQ(out->dl_tensor.dtype.bits, 8 * size_of(type.dtype));
    const Array b = from_dlpack(out);
    EXPECT_EQ(b.type(), type);
    EXPECT_EQ(b.data(), a.data());
  }
}

TEST(Dlpack, TheTensorKeepsTheBuffer) {
  const Counters before = counters();
  DLManagedTensorVersioned* out = to_dlpack_versioned(Array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3}));
  EXPECT_EQ(out->version.major, 1u);
  EXPECT_TRUE(out->flags & DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_EQ(out->dl_tensor.strides[0], 3);
  EXPECT_EQ(static_cast<float*>(out->dl_tensor.data)[5], 6.f);
  EXPECT_GT(counters().live_bytes, before.live_bytes);
  out->deleter(out);
  EXPECT_EQ(counters().live_bytes, before.live_bytes);
}

TEST(Dlpack, DenseMemoryIsUsedAsItIs) {
  float data[] = {1, 2, 3, 4};
  Foreign foreign(data, float_type, {2, 1, 2}, {2, 77, 1});  // the stride of an axis of extent 1 says nothing
  {
    Array a = from_dlpack(&foreign.tensor);
    EXPECT_EQ(a.data(), data);
    const Array b = jit([](const Array& x) { return lax::neg(x); })(std::move(a));
    EXPECT_EQ(data[0], 1.f);  // never donated
    EXPECT_EQ(b.read<float>()[3], -4.f);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(Dlpack, OtherStridesAndOffsetsAreCopied) {
  float data[] = {9, 0, 1, 2, 3, 4, 5};
  Foreign transposed(data, float_type, {3, 2}, {1, 3});
  transposed.tensor.dl_tensor.byte_offset = sizeof(float);
  const Array a = from_dlpack(&transposed.tensor);
  EXPECT_EQ(transposed.deleted, 1);
  EXPECT_EQ(a.read<float>().vector(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  alignas(8) char bytes[12];
  const float two[] = {1, 2};
  std::memcpy(bytes + 1, two, sizeof two);
  Foreign crooked(bytes + 1, float_type, {2});
  EXPECT_EQ(from_dlpack(&crooked.tensor).read<float>()[1], 2.f);
  EXPECT_EQ(crooked.deleted, 1);
}

TEST(Dlpack, RefusesWhatItCannotHold) {
  float data[] = {1, 2};
  Foreign elsewhere(data, float_type, {2}), lanes(data, {kDLFloat, 32, 2}, {1}),
      odd(data, {kDLFloat, 8, 1}, {2});
  elsewhere.tensor.dl_tensor.device.device_type = kDLCUDA;
  EXPECT_EQ(error_of(&elsewhere.tensor),
            "from_dlpack: a tensor in memory of the CPU (device type 1) is required, found device type 2.\n"
            "  called at train.cc:3\n  Copy the tensor to the CPU in the library that it comes from.");
  EXPECT_EQ(error_of(&lanes.tensor).substr(0, 66),
            "from_dlpack: elements of one lane are required, found 2 lanes.\n  c");
  EXPECT_EQ(error_of(&odd.tensor).substr(0, 70),
            "from_dlpack: no dtype of Baton has DLPack's type code 2 with 8 bits.\n ");
  EXPECT_EQ(elsewhere.deleted + lanes.deleted + odd.deleted, 0);
  EXPECT_EQ(error_of(nullptr), "from_dlpack: a tensor is required, found null.\n  called at train.cc:3");
  EXPECT_THROW(to_dlpack(Array()), UsageError);
}

}  // namespace
}  // namespace baton
