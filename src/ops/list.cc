// list: the table of all primitives, made from list.def.
#include <algorithm>
#include <unordered_map>

#include "program/primitive.h"

namespace baton {
namespace ops {
#define PRIMITIVE(name) extern const Primitive name;
#include "ops/list.def"
#undef PRIMITIVE
}  // namespace ops

std::span<const Primitive* const> all_primitives() {
  static const Primitive* const table[] = {
#define PRIMITIVE(name) &ops::name,
#include "ops/list.def"
#undef PRIMITIVE
  };
  return table;
}

const Primitive* find_primitive(std::string_view name) {
  static const std::unordered_map<std::string_view, const Primitive*> by_name = [] {
    std::unordered_map<std::string_view, const Primitive*> m;
    for (const Primitive* p : all_primitives()) m.emplace(p->name, p);
    return m;
  }();
  const auto it = by_name.find(name);
  return it == by_name.end() ? nullptr : it->second;
}

}  // namespace baton
