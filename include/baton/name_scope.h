#pragma once
// name_scope: names for parts of a model, in listings and reports; no part of a Program's content.
#include <string_view>

namespace baton {

/// While it lives, operations of this thread are recorded under this name: `const NameScope scope("block2");`
/// Scopes nest: model/block2/dense.
class NameScope {
 public:
  explicit NameScope(std::string_view name);
  ~NameScope();
  NameScope(const NameScope&) = delete;

 private:
  std::size_t outer_length_;
};

}  // namespace baton
