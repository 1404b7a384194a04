// named_leaves: a tree as named arrays, for files, and back.
#include <algorithm>

#include "base/text.h"
#include "baton/safetensors.h"

namespace baton::core {

NamedArrays named_leaves(TreeRef tree) {
  const Arrays leaves = flatten(tree);
  const std::vector<std::string> names = paths(tree, "");
  NamedArrays named;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (!leaves[i].empty()) named.emplace(names[i], leaves[i]);
  return named;
}

Arrays leaves_named(TreeRef like, const NamedArrays& arrays, Where where) {
  Arrays leaves = flatten(like);
  const std::vector<std::string> names = paths(like, "");
  std::size_t used = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].empty()) continue;
    const auto found = arrays.find(names[i]);
    if (found == arrays.end()) {
      std::vector<std::string> there;
      for (const auto& [name, array] : arrays) there.push_back(name);
      throw UsageError("with_named_leaves: no array is named " + names[i] + "." + called_at(where) +
                       "\n  There are " + join(there, ", ") + ".");
    }
    if (found->second.type() != leaves[i].type())
      throw UsageError("with_named_leaves: leaf " + names[i] + " must be " + show(leaves[i].type()) +
                       ", found " + show(found->second.type()) + "." + called_at(where));
    leaves[i] = found->second;
    ++used;
  }
  if (used < arrays.size())
    for (const auto& [name, array] : arrays)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw UsageError("with_named_leaves: the tree has no leaf named " + name + "." + called_at(where) +
                         "\n  Its leaves are " + join(names, ", ") + ".");
  return leaves;
}

}  // namespace baton::core
