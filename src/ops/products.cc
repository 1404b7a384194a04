// products: the dtype of the result of dot_general and conv_general_dilated.
#include "ops/products.h"

namespace baton::ops {

Dtype product_dtype(const char* name, std::span<const Type> in, const std::string& preferred) {
  require_dtype(name, in, 0, Domain::number);
  if (in[0].dtype != in[1].dtype)
    type_error(name, "operands must have one dtype, found " + show(in[0]) + " and " + show(in[1]) +
                         ".\n  Convert one with astype.");
  if (preferred.empty()) return in[0].dtype;
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<Dtype>(i);
    if (name_of(d) != preferred) continue;
    const bool fits = is_integer(in[0].dtype) ? is_integer(d) || is_real_floating(d)
                                              : is_inexact(d) && is_complex(d) == is_complex(in[0].dtype);
    if (!fits)
      type_error(name, "a product of " + show(in[0]) + " and " + show(in[1]) + " cannot be " + preferred +
                           ": integers give integers or floats, floats give floats, complex gives complex.");
    return d;
  }
  type_error(name, "the preferred dtype `" + preferred + "` is unknown.");
}

void to_one_dtype(Array& a, Array& b) {
  if (a.dtype() == b.dtype()) return;
  const Dtype d = promote(a.dtype(), b.dtype());
  a = lax::convert_element_type(a, d);
  b = lax::convert_element_type(b, d);
}

}  // namespace baton::ops
