// indexing: checks and index arithmetic of dynamic slices, gather and scatter.
#include "ops/indexing.h"

namespace baton::ops {

void require_starts(std::string_view name, std::span<const Type> in, std::size_t first, const Type& x) {
  if (in.size() - first != x.shape.size())
    type_error(name, "one start for each axis of " + show(x) + " is required, found " +
                         std::to_string(in.size() - first) + ".");
  for (std::size_t i = first; i < in.size(); ++i)
    if (in[i].rank() != 0 || !is_integer(in[i].dtype))
      type_error(name, "starts must be integer scalars, found " + show(in[i]) + " for axis " +
                           std::to_string(i - first) + " of " + show(x) + ".");
}

Array stacked_starts(std::span<const Batched> starts, const BatchAxis& axis) {
  bool alike = true;
  for (const Batched& s : starts) alike = alike && s.value.dtype() == starts[0].value.dtype();
  Arrays columns;
  for (const Batched& s : starts) {
    const Array column = alike ? with_batch(s, axis) : lax::convert_element_type(with_batch(s, axis), s64);
    columns.push_back(lax::reshape(column, {axis.size, 1}));
  }
  return lax::concatenate(columns, 1);
}

}  // namespace baton::ops
