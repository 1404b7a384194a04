#pragma once
// npy: NumPy's files of one array (.npy) and of several (.npz).
#include "baton/safetensors.h"

namespace baton {

/// Throws a UsageError with the byte offset where the file is not as it must be. Either byte order, either
/// axis order.
Array load_npy(const std::string& path);
void save_npy(const std::string& path, const Array& array, Where where = Where::here());
/// Stored or deflated entries; names without `.npy`.
NamedArrays load_npz(const std::string& path);
void save_npz(const std::string& path, const NamedArrays& arrays, bool compressed = false,
              Where where = Where::here());

}  // namespace baton
