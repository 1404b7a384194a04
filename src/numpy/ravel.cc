// ravel: leaves one behind the other.
#include "baton/ravel.h"

#include "base/text.h"
#include "numpy/common.h"

namespace baton::core {

std::vector<std::optional<Type>> leaf_types(const Arrays& leaves) {
  std::vector<std::optional<Type>> types;
  for (const Array& leaf : leaves) types.push_back(leaf.empty() ? std::nullopt : std::optional(leaf.type()));
  return types;
}

Array ravel_leaves(const Arrays& leaves, Where where) {
  const Frame frame(where);
  std::vector<Operand> present;
  for (const Array& leaf : leaves)
    if (!leaf.empty()) present.emplace_back(leaf);
  if (present.empty()) return lax::zeros({f32, {0}});
  const Dtype dtype = numpy::common_dtype(present);
  Arrays flat;
  for (const Operand& leaf : present) flat.push_back(numpy::to(baton::ravel(leaf), dtype));
  return flat.size() == 1 ? flat[0] : lax::concatenate(flat, 0);
}

Arrays unravel_leaves(const Array& flat, const std::vector<std::optional<Type>>& types, Where where) {
  const Frame frame(where);
  std::int64_t size = 0;
  for (const auto& type : types) size += type ? type->size() : 0;
  if (flat.empty() || flat.shape() != Shape{size})
    type_error("unravel", "a vector of the " + std::to_string(size) +
                              " elements of the tree is required, found " +
                              (flat.empty() ? "an empty array" : show(flat.type())) + ".");
  Arrays leaves;
  std::int64_t from = 0;
  for (const auto& type : types) {
    leaves.emplace_back();
    if (!type) continue;
    const Array part = lax::slice(flat, {from}, {from + type->size()}, {});
    leaves.back() = lax::reshape(numpy::to(part, type->dtype), type->shape);
    from += type->size();
  }
  return leaves;
}

}  // namespace baton::core
