#pragma once
// fold_layouts: takes transposes, reshapes and slices around products into the products, which read and write
// with any strides, so that nothing is copied. The results stay the same but for the order in which products
// are summed.
#include "baton/program.h"

namespace baton::cpu {

Program fold_layouts(const Program&);

}  // namespace baton::cpu
