#pragma once
// ravel: a tree as one vector, and back, as jax.flatten_util.ravel_pytree does: for solvers, norms, line
// searches and whatever knows vectors only.
#include "baton/tree.h"

namespace baton {

namespace core {
/// The elements of all leaves in order, in the dtype that they promote to. Empty leaves have none.
Array ravel_leaves(const Arrays& leaves, Where);
/// Leaves of these types from such a vector, each in its own dtype; an empty type is an empty leaf.
Arrays unravel_leaves(const Array& flat, const std::vector<std::optional<Type>>& types, Where);
std::vector<std::optional<Type>> leaf_types(const Arrays& leaves);
}  // namespace core

/// Makes the tree again from a vector as long as all its leaves together.
template <class T>
class Unravel {
 public:
  explicit Unravel(const T& tree)
      : types_(core::leaf_types(leaves(tree))), structure_(detail::emptied(tree)) {}
  T operator()(const Array& flat, Where where = Where::here()) const {
    return detail::with_leaves(structure_, core::unravel_leaves(flat, types_, where), where);
  }

 private:
  std::vector<std::optional<Type>> types_;
  T structure_;  // without arrays: it keeps no memory of the tree's
};
template <class T>
struct Raveled {
  Array flat;  // [elements of all leaves]
  Unravel<T> unravel;
};

/// `auto [flat, unravel] = ravel(model);` Both work inside traces, and have derivatives.
template <class T>
requires(!std::is_convertible_v<const T&, Operand>) Raveled<T> ravel(const T& tree,
                                                                     Where where = Where::here()) {
  return {core::ravel_leaves(leaves(tree), where), Unravel<T>(tree)};
}

}  // namespace baton
