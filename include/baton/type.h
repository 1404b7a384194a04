#pragma once
// type: dtype and shape of a whole array, the only static facts about it.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "baton/dtype.h"

namespace baton {

/// Extents, outermost first. `{}` is the shape of a scalar.
using Shape = std::vector<std::int64_t>;

struct Type {
  Dtype dtype = Dtype::f32;
  Shape shape = {};

  bool operator==(const Type&) const = default;
  std::int64_t size() const {  // number of elements
    std::uint64_t n =
        1;  // wraps, where signed numbers must not: shapes are checked before they become arrays
    for (std::int64_t extent : shape) n *= static_cast<std::uint64_t>(extent);
    return static_cast<std::int64_t>(n);
  }
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * size_of(dtype); }
  int rank() const { return static_cast<int>(shape.size()); }
};
using Types = std::vector<Type>;

std::string show(const Type&);   // f32[32,784]
std::string show(const Shape&);  // (32,784); a std::vector has no operator<< of ours
std::ostream& operator<<(std::ostream&, const Type&);

}  // namespace baton
