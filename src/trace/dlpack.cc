// dlpack: the two ways across the DLPack ABI.
#include "baton/dlpack.h"

#include <memory>

#include "base/text.h"
#include "trace/check_shape.h"
#include "trace/node.h"

namespace baton {
namespace {

DLDataType dl_type(Dtype d) {
  const auto bits = static_cast<std::uint8_t>(8 * size_of(d));
  const int code = d == boolean       ? kDLBool
                   : is_signed(d)     ? kDLInt
                   : is_unsigned(d)   ? kDLUInt
                   : d == Dtype::bf16 ? kDLBfloat
                   : is_complex(d)    ? kDLComplex
                                      : kDLFloat;
  return {static_cast<std::uint8_t>(code), bits, 1};
}

/// What a tensor that is out holds.
template <class Managed>
struct Out {
  Managed managed = {};
  Array array;
  Shape shape, strides;
};

template <class Managed>
Managed* export_array(const Array& array, Where where) {
  const void* data = array.data(where);  // refuses empty and traced arrays
  auto* out = new Out<Managed>;
  out->array = array;
  out->shape = array.shape();
  out->strides.resize(out->shape.size());
  std::int64_t stride = 1;
  for (std::size_t k = out->shape.size(); k-- > 0; stride *= out->shape[k]) out->strides[k] = stride;
  out->managed.manager_ctx = out;
  out->managed.deleter = [](Managed* self) { delete static_cast<Out<Managed>*>(self->manager_ctx); };
  DLTensor& t = out->managed.dl_tensor;
  t.data = const_cast<void*>(data);
  t.device = {kDLCPU, 0};
  t.ndim = array.rank();
  t.dtype = dl_type(array.dtype());
  t.shape = out->shape.data();
  t.strides = out->strides.data();
  t.byte_offset = 0;
  return &out->managed;
}

Type type_of(const DLTensor& t, Where where) {
  if (t.device.device_type != kDLCPU)
    throw UsageError(
        "from_dlpack: a tensor in memory of the CPU (device type 1) is required, found device type " +
        std::to_string(static_cast<int>(t.device.device_type)) + "." + called_at(where) +
        "\n  Copy the tensor to the CPU in the library that it comes from.");
  if (t.dtype.lanes != 1)
    throw UsageError("from_dlpack: elements of one lane are required, found " +
                     std::to_string(t.dtype.lanes) + " lanes." + called_at(where) +
                     "\n  Make the lanes a last axis in the library that it comes from.");
  Type type;
  for (int d = 0; d <= dtype_count; ++d) {
    if (d == dtype_count)
      throw UsageError("from_dlpack: no dtype of Baton has DLPack's type code " +
                       std::to_string(t.dtype.code) + " with " + std::to_string(t.dtype.bits) + " bits." +
                       called_at(where) + "\n  Convert the tensor in the library that it comes from.");
    const DLDataType known = dl_type(static_cast<Dtype>(d));
    if (known.code != t.dtype.code || known.bits != t.dtype.bits) continue;
    type.dtype = static_cast<Dtype>(d);
    break;
  }
  if (t.ndim < 0 || (t.ndim > 0 && !t.shape))
    throw UsageError("from_dlpack: an extent for each axis is required, found " +
                     (t.ndim < 0 ? std::to_string(t.ndim) + " axes" : std::string("a null shape")) + "." +
                     called_at(where));
  if (t.ndim > 0) type.shape.assign(t.shape, t.shape + t.ndim);
  check_shape(type, "from_dlpack", where);
  if (type.size() && !t.data)
    throw UsageError("from_dlpack: the values of " + show(type) + " are required, found a null pointer." +
                     called_at(where));
  return type;
}

bool dense(const DLTensor& t) {
  if (!t.strides) return true;
  std::int64_t stride = 1;
  for (int k = t.ndim; k-- > 0; stride *= t.shape[k])
    if (t.shape[k] != 1 && t.strides[k] != stride) return false;
  return true;
}

template <class Managed>
Array import_tensor(Managed* tensor, Where where) {
  if (!tensor) throw UsageError("from_dlpack: a tensor is required, found null." + called_at(where));
  const DLTensor& t = tensor->dl_tensor;
  const Type type = type_of(t, where);
  char* data = static_cast<char*>(t.data) + t.byte_offset;
  const std::size_t alignment = size_of(real_of(type.dtype));
  const auto done = [](void*, void* context) {
    auto* managed = static_cast<Managed*>(context);
    if (managed->deleter) managed->deleter(managed);
  };
  if (type.size() == 0 || (dense(t) && reinterpret_cast<std::uintptr_t>(data) % alignment == 0)) {
    Array a = Array::adopt(type, data, done, tensor, where);
    a.node()->buffer->borrowed = true;  // the other library may still read it
    return a;
  }
  std::vector<std::int64_t> strides(type.shape.size());
  std::int64_t stride = static_cast<std::int64_t>(size_of(type.dtype));
  for (std::size_t k = strides.size(); k-- > 0; stride *= type.shape[k])
    strides[k] = t.strides ? t.strides[k] * static_cast<std::int64_t>(size_of(type.dtype)) : stride;
  Array a = Array::copy(type, data, strides, where);
  done(data, tensor);
  return a;
}

}  // namespace

DLManagedTensor* to_dlpack(const Array& array, Where where) {
  return export_array<DLManagedTensor>(array, where);
}

DLManagedTensorVersioned* to_dlpack_versioned(const Array& array, Where where) {
  auto* tensor = export_array<DLManagedTensorVersioned>(array, where);
  tensor->version = {1, 0};
  tensor->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  return tensor;
}

Array from_dlpack(DLManagedTensor* tensor, Where where) { return import_tensor(tensor, where); }

Array from_dlpack(DLManagedTensorVersioned* tensor, Where where) {
  if (tensor && tensor->version.major != 1)
    throw UsageError("from_dlpack: version 1 of DLPack is required, found version " +
                     std::to_string(tensor->version.major) + "." + called_at(where) +
                     "\n  Ask the other library for a tensor of version 1.");
  return import_tensor(tensor, where);
}

}  // namespace baton
