// signature: one visitor hashes the arguments of a call, another puts them into words.
#include "jit/signature.h"

#include <algorithm>

#include "base/text.h"
#include "trace/trace.h"

namespace baton::core {
namespace {

class Signer final : public LeafVisitor {
 public:
  std::vector<LeafRef> leaves;
  Hasher hasher;
  int argument = 0;
  bool donated = false;

  void array(Array& a, Role role) override {
    leaves.push_back({&a, argument, donated});
    const Node* n = a.node();
    if (!n || n->kind == Node::Kind::donated) {
      hasher.integer(-1);
      return;
    }
    hasher.integer(static_cast<int>(role)).integer(static_cast<int>(n->type.dtype)).integer(n->type.rank());
    for (std::int64_t extent : n->type.shape) hasher.integer(extent);
  }
  void constant(std::string_view bytes, std::string_view kind) override { hasher.text(kind).text(bytes); }
  void enter(std::string_view) override {}
  void enter(std::size_t) override {}
  void leave() override {}
};

}  // namespace

Signature sign(std::span<const ArgRef> args) {
  Signer s;
  for (std::size_t i = 0; i < args.size(); ++i) {
    s.argument = static_cast<int>(i);
    s.donated = args[i].donated;
    args[i].tree.visit(args[i].tree.object, s);
  }
  for (const auto& [name, size] : AxisName::around()) s.hasher.text(name).integer(size);
  return {std::move(s.leaves), s.hasher.finish()};
}

Description describe(std::span<const ArgRef> args) {
  Description all;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Description one = describe(args[i].tree, "args[" + std::to_string(i) + "]");
    all.lines.insert(all.lines.end(), one.lines.begin(), one.lines.end());
    all.leaf_paths.insert(all.leaf_paths.end(), one.leaf_paths.begin(), one.leaf_paths.end());
  }
  for (const auto& [name, size] : AxisName::around())
    all.lines.push_back({"the size of axis `" + name + "`", std::to_string(size), Line::Kind::size});
  return all;
}

Difference difference(const Lines& before, const Lines& now) {
  constexpr std::size_t shown = 8;
  Difference d;
  for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
    if (i < before.size() && i < now.size() && before[i] == now[i]) continue;
    const std::string& path = i < now.size() ? now[i].path : before[i].path;
    const std::string was = i < before.size() ? before[i].value : "nothing";
    const std::string is = i < now.size() ? now[i].value : "nothing";
    if (d.count++ < shown) d.text += "\n  " + path + "    " + was + " -> " + is;
  }
  if (d.count > shown) d.text += "\n  and " + std::to_string(d.count - shown) + " more";
  return d;
}

}  // namespace baton::core
