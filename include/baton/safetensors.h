#pragma once
// safetensors: named arrays in a file that is read without copying.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "baton/array.h"

namespace baton {

using NamedArrays = std::map<std::string, Array>;

/// An open file. Arrays of large files are views of the mapped file: private, so writing to one never changes
/// the file.
class Safetensors {
 public:
  /// Throws a UsageError with the byte offset where the file is not as it must be.
  explicit Safetensors(const std::string& path);
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const;
  /// The type of an array; errors where the file holds one that Baton has no dtype for.
  const Type& type(const std::string& name) const;
  Array array(const std::string& name) const;
  /// The texts under `__metadata__`.
  const std::map<std::string, std::string>& metadata() const;

 private:
  struct File;
  std::shared_ptr<const File> file_;
};

/// All arrays of a file.
NamedArrays load_safetensors(const std::string& path);
/// Writes beside the file and renames, so that a file is whole or not there.
void save_safetensors(const std::string& path, const NamedArrays& arrays,
                      const std::map<std::string, std::string>& metadata = {}, Where where = Where::here());

}  // namespace baton
