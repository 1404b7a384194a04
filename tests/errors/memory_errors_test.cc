// memory_errors: memory of others that is not as it must be, and memory that is not there.
#include "baton/dlpack.h"
#include "errors.h"

namespace baton {
namespace {

struct State {
  Array w, step;
};
State fresh() { return {Array({1.f, 2.f}), Array(0)}; }

TEST(Errors, MemoryIsRefused) {
  auto step = jit(
      [](const State& s, const Array& x) {
        const Array all = lax::broadcast_in_dim(lax::sin(x), {std::int64_t{1} << 42, 2}, {1});
        return State{lax::add(s.w, lax::reduce_max(all, {0})), all};
      },
      {.name = "step"}, train);
  State s = fresh();
  const Array x({1.f, 2.f});
  EXPECT_MESSAGE(
      step(s, x),
      R"(`step` (jit at train.cc:41): a call takes 32.0 TiB beside its arguments (results 32.0 TiB, arena 0 B), and the system refuses it. Nothing has run.
  called at memory_errors_test.cc:LINE
  The largest values at its peak:
    32.0 TiB  f32[4398046511104,2]  broadcast_in_dim at memory_errors_test.cc:LINE
    8 B  f32[2]  args[0].w
    8 B  f32[2]  args[1]
    8 B  f32[2]  add at memory_errors_test.cc:LINE
    4 B  s32[]  args[0].step
  Take less at once (a smaller batch, scan over parts), or keep less (checkpoint, donation).)");
  EXPECT_EQ(s.w.size(), 2);
}

TEST(Errors, MemoryIsRefusedToAnOperation) {
  const Array x({1.f, 2.f});
  EXPECT_MESSAGE(
      lax::broadcast_in_dim(x, {std::int64_t{1} << 42, 2}, {1}),
      R"(broadcast_in_dim: a call takes 32.0 TiB beside its arguments (results 32.0 TiB, arena 0 B), and the system refuses it. Nothing has run.
  called at memory_errors_test.cc:LINE
  The largest values at its peak:
    32.0 TiB  f32[4398046511104,2]  broadcast_in_dim
    8 B  f32[2]  input 0
  Take less at once (a smaller batch, scan over parts), or keep less (checkpoint, donation).)");
}

/// A tensor of another library, of two floats unless it is changed.
struct Foreign {
  float data[4] = {};
  std::int64_t shape[1] = {2};
  DLTensor tensor = {data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
};
void import(void (*change)(Foreign&)) {
  Foreign foreign;
  change(foreign);
  DLManagedTensor managed = {};
  managed.dl_tensor = foreign.tensor;
  from_dlpack(&managed, train);
}

TEST(MemoryMessages, TensorsOfOtherLibraries) {
  EXPECT_MESSAGE(
      import([](Foreign& f) { f.tensor.device.device_type = kDLCUDA; }),
      "from_dlpack: a tensor in memory of the CPU (device type 1) is required, found device type 2.\n"
      "  called at train.cc:41\n"
      "  Copy the tensor to the CPU in the library that it comes from.");
  EXPECT_MESSAGE(import([](Foreign& f) { f.tensor.dtype.lanes = 4; }),
                 "from_dlpack: elements of one lane are required, found 4 lanes.\n"
                 "  called at train.cc:41\n"
                 "  Make the lanes a last axis in the library that it comes from.");
  EXPECT_MESSAGE(import([](Foreign& f) { f.tensor.dtype.bits = 8; }),
                 "from_dlpack: no dtype of Baton has DLPack's type code 2 with 8 bits.\n"
                 "  called at train.cc:41\n"
                 "  Convert the tensor in the library that it comes from.");
  EXPECT_MESSAGE(import([](Foreign& f) { f.tensor.ndim = -1; }),
                 "from_dlpack: an extent for each axis is required, found -1 axes.\n"
                 "  called at train.cc:41");
  EXPECT_MESSAGE(import([](Foreign& f) { f.tensor.shape = nullptr; }),
                 "from_dlpack: an extent for each axis is required, found a null shape.\n"
                 "  called at train.cc:41");
  EXPECT_MESSAGE(import([](Foreign& f) { f.shape[0] = -1; }),
                 "from_dlpack: an extent of the shape (-1) is negative.\n"
                 "  called at train.cc:41");
  EXPECT_MESSAGE(import([](Foreign& f) { f.tensor.data = nullptr; }),
                 "from_dlpack: the values of f32[2] are required, found a null pointer.\n"
                 "  called at train.cc:41");
  EXPECT_MESSAGE(import([](Foreign& f) {
                   f.tensor.dtype = {kDLBool, 8, 1}, std::memset(f.data, 2, 2);
                 }),
                 "Array::adopt: the elements of bool[2] must be 0 or 1, found 2 at 0.\n"
                 "  called at train.cc:41\n"
                 "  Use Array::copy, which takes any memory.");
  DLManagedTensorVersioned newer = {};
  newer.version.major = 2;
  EXPECT_MESSAGE(from_dlpack(&newer, train),
                 "from_dlpack: version 1 of DLPack is required, found version 2.\n"
                 "  called at train.cc:41\n"
                 "  Ask the other library for a tensor of version 1.");
  EXPECT_MESSAGE(from_dlpack(static_cast<DLManagedTensor*>(nullptr), train),
                 "from_dlpack: a tensor is required, found null.\n"
                 "  called at train.cc:41");
  EXPECT_MESSAGE(to_dlpack(Array(), train),
                 "data: the array is empty: it was never set, or its value was moved away.\n"
                 "  called at train.cc:41");
}

TEST(MemoryMessages, MemoryOfOthers) {
  static const float four[4] = {};
  const Type two{f32, {2}};
  const std::int64_t strides[] = {4};
  SAYS(Array(two, nullptr), "Array: the values of f32[2] are required, found a null pointer.");
  SAYS(Array::copy(two, nullptr, strides),
       "Array::copy: the values of f32[2] are required, found a null pointer.");
  SAYS(Array::copy({f32, {2, 2}}, four, strides),
       "Array::copy: one stride for each axis is required; the shape (2,2) has 2 axes, found 1 strides.");
  SAYS(Array::borrow(two, nullptr),
       "Array::borrow: the values of f32[2] are required, found a null pointer.");
  SAYS(Array::borrow(two, reinterpret_cast<const char*>(four) + 1),
       "Array::borrow: memory for f32[2] must be aligned to 4 bytes, found another address.\n"
       "  Use Array::copy, which takes any memory.");
  SAYS(Array::adopt(two, nullptr, nullptr),
       "Array::adopt: the values of f32[2] are required, found a null pointer.");
  SAYS(Array::borrow({boolean, {2}}, "\1\2"),
       "Array::borrow: the elements of bool[2] must be 0 or 1, found 2 at 1.\n"
       "  Use Array::copy, which takes any memory.");
  SAYS(Array::borrow({f32, {-1}}, four), "Array::borrow: an extent of the shape (-1) is negative.");
}

TEST(MemoryMessages, ValuesThatAreNotThere) {
  Array kept;
  jit([&](const Array& x) { return kept = lax::sin(x); }, {.name = "step"}, train)(Array(1.f));
  SAYS(kept.item(),
       "item: the value of a traced array f32[] was asked for. It was made at memory_errors_test.cc:LINE "
       "while `step` was traced, and has escaped: that trace has ended.\n"
       "  Return the value from `step` instead of keeping it in a variable outside.");
  SAYS(Array().item(), "item: the array is empty: it was never set, or its value was moved away.");
  SAYS(abstract({f32, {}}).item(),
       "item: the value of a traced array f32[] was asked for. It has a type and no value: it comes from "
       "abstract or eval_shape.");
}

TEST(MemoryMessages, NoMemory) {
  const char* const advice =
      "\n  Take less at once (a smaller batch, scan over parts), or keep less (checkpoint, donation).";
  SAYS(zeros({std::int64_t{1} << 56}, u8),
       std::string(
           "broadcast_in_dim: a call takes 65536.0 TiB beside its arguments (results 65536.0 TiB, arena 0 "
           "B), and the system refuses it. Nothing has run."
           "\n  The largest values at its peak:"
           "\n    65536.0 TiB  u8[72057594037927936]  broadcast_in_dim"
           "\n    1 B  u8[]  input 0") +
           advice);
  SAYS(
      zeros({std::int64_t{1} << 56}, c128),
      std::string("broadcast_in_dim: a call takes 1048576.0 TiB beside its arguments (results 1048576.0 TiB, "
                  "arena 0 B), and the system refuses it. Nothing has run."
                  "\n  The largest values at its peak:"
                  "\n    1048576.0 TiB  c128[72057594037927936]  broadcast_in_dim"
                  "\n    16 B  c128[]  input 0") +
          advice);
  try {
    const char one = 0;
    Array({u8, {std::int64_t{1} << 56}}, &one);
    FAIL();
  } catch (const DeviceError& e) {
    EXPECT_STREQ(e.what(), "baton: no memory for a buffer of 65536.0 TiB.");
  }
}

}  // namespace
}  // namespace baton
