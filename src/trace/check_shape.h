#pragma once
// check_shape: the shapes that arrays may have.
#include <string_view>

#include "baton/array.h"

namespace baton {

/// Throws a UsageError of `who` if an extent is negative or the elements cannot be counted.
void check_shape(const Type& type, std::string_view who, Where where);

}  // namespace baton
