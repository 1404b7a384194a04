#pragma once
// safetensors: named arrays in a file that is read without copying.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "baton/tree.h"

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

namespace core {
NamedArrays named_leaves(TreeRef tree);
Arrays leaves_named(TreeRef like, const NamedArrays& arrays, Where where);
}  // namespace core

/// The leaves of a tree under their paths, for a file: save_safetensors("m.safetensors",
/// named_leaves(model)). Empty leaves are left out.
template <class T>
NamedArrays named_leaves(const T& tree) {
  return core::named_leaves(detail::tree_ref(tree));
}
/// The tree with its leaves replaced by the arrays of their paths: model = with_named_leaves(model,
/// load_safetensors("m.safetensors")). An array that is missing, left over or of another type is an error.
template <class T>
T with_named_leaves(const T& like, const NamedArrays& arrays, Where where = Where::here()) {
  return detail::with_leaves(like, core::leaves_named(detail::tree_ref(like), arrays, where));
}

}  // namespace baton
