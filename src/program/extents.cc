// extents: shapes that no memory can hold are refused before anything multiplies their extents.
#include "program/primitive.h"

namespace baton {
namespace {

constexpr int max_rank = 1000;
constexpr std::int64_t most = std::int64_t{1} << 56;  // elements; sums of a few such numbers do not overflow

/// Finds a number beyond every extent in a Params struct: a start, size, stride, padding, dilation, count.
class Beyond final : public FieldVisitorOfSome {
 public:
  std::string fault;
  void integer(std::string_view n, std::int64_t& x) override {
    if (x > most || x < -most)
      fault = std::to_string(x) + " for " + std::string(n) + " is beyond what a shape can have";
  }
  void integers(std::string_view n, std::vector<std::int64_t>& list) override {
    for (std::int64_t x : list) integer(n, x);
  }
  void type(std::string_view, Type& t) override {
    if (std::string found = fault_of_extents(t); !found.empty()) fault = found;
  }
};

}  // namespace

std::string fault_of_extents(const Type& type) {
  if (type.rank() > max_rank)
    return "a shape of " + std::to_string(type.rank()) + " axes is found; at most " +
           std::to_string(max_rank) + " are possible";
  std::int64_t size = 1;
  for (std::int64_t extent : type.shape) {
    if (extent < 0) return "an extent of the shape " + show(type.shape) + " is negative";
    // An empty axis makes no shape possible: strides are products of the other extents.
    if (__builtin_mul_overflow(size, extent ? extent : 1, &size) || size > most)
      return "the shape " + show(type.shape) + " has too many elements";
  }
  return {};
}

Types result_types(const Primitive& primitive, std::span<const Type> in, const Params& params) {
  Beyond beyond;
  params.visit(beyond);
  if (!beyond.fault.empty()) type_error(primitive.name, beyond.fault + ".");
  Types out = primitive.type(in, params);
  for (const Type& t : out)
    if (const std::string fault = fault_of_extents(t); !fault.empty())
      type_error(primitive.name, fault + ".");
  return out;
}

}  // namespace baton
