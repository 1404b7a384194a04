#pragma once
// dlpack: arrays to and from other libraries in the same process, without a copy, by the DLPack ABI (1.0).
// Include your own <dlpack/dlpack.h> first if you have one; without it this header declares the structures
// itself.
#include <cstdint>

#include "baton/array.h"

// NOLINTBEGIN(readability-identifier-naming): these are the names of the ABI
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 0
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
extern "C" {
typedef enum : std::int32_t {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLMetal = 8,
  kDLROCM = 10
} DLDeviceType;
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLComplex = 5U,
  kDLBool = 6U
} DLDataTypeCode;
typedef struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
} DLPackVersion;
typedef struct DLDevice {
  DLDeviceType device_type;
  std::int32_t device_id;
} DLDevice;
typedef struct DLDataType {
  std::uint8_t code;    // DLDataTypeCode
  std::uint8_t bits;    // of one lane
  std::uint16_t lanes;  // 1, but for vector types
} DLDataType;
typedef struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: dense and row-major
  std::uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
}
#endif
struct DLManagedTensorVersioned;  // not in headers older than 1.0
// NOLINTEND(readability-identifier-naming)

namespace baton {

/// The array for another library. Its memory lives until that library calls the deleter, and must not be
/// written: arrays that share memory are equal for ever. While it is out, a donation of the array is a copy.
DLManagedTensor* to_dlpack(const Array& array, Where where = Where::here());
/// The same with a version, marked read-only.
DLManagedTensorVersioned* to_dlpack_versioned(const Array& array, Where where = Where::here());

/// Takes over a tensor of another library: dense row-major memory of the CPU is used as it is, and the
/// deleter is called when the last array over it dies; other strides are copied, and the deleter is called at
/// once. Memory that is used as it is must not change any more; Baton never writes or donates it. After an
/// error the tensor is still the caller's.
Array from_dlpack(DLManagedTensor* tensor, Where where = Where::here());
Array from_dlpack(DLManagedTensorVersioned* tensor, Where where = Where::here());

}  // namespace baton
