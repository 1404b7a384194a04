// signature: one visitor hashes the arguments of a call, another puts them into words.
#include "jit/signature.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "trace/trace.h"

namespace baton::core {
namespace {

class Signer final : public LeafVisitor {
 public:
  explicit Signer(Signature& signature) : s_(signature) {}
  int argument = 0;
  bool donated = false;

  void array(Array& a, Role role) override {
    const Node* n = a.node();
    s_.leaves.push_back({&a, argument, donated, donated && sole_owner(a)});
    if (!n || n->kind == Node::Kind::donated) {
      s_.given_away = s_.given_away || n;
      s_.words.push_back(-1);
      return;
    }
    s_.traced = s_.traced || n->kind == Node::Kind::traced;
    const Shape& shape = n->type.shape;
    s_.words.push_back(static_cast<std::int64_t>(role) + (static_cast<std::int64_t>(n->type.dtype) << 8) +
                       (static_cast<std::int64_t>(shape.size()) << 16));
    for (std::int64_t extent : shape) s_.words.push_back(extent);
  }
  void constant(std::string_view bytes, std::string_view kind) override { text(kind), text(bytes); }
  void enter(std::string_view) override {}
  void enter(std::size_t) override {}
  void leave() override {}

  void text(std::string_view t) {
    s_.words.push_back(static_cast<std::int64_t>(t.size()));
    const std::size_t end = s_.words.size();
    s_.words.resize(end + (t.size() + sizeof(std::int64_t) - 1) / sizeof(std::int64_t));
    if (!t.empty()) std::memcpy(&s_.words[end], t.data(), t.size());
  }

 private:
  Signature& s_;
};

}  // namespace

void sign(std::span<const ArgRef> args, Signature& s) {
  s.leaves.clear();
  s.words.clear();
  s.traced = s.given_away = false;
  Signer signer(s);
  for (std::size_t i = 0; i < args.size(); ++i) {
    signer.argument = static_cast<int>(i);
    signer.donated = args[i].donated;
    args[i].tree.visit(args[i].tree.object, signer);
  }
  for (const auto& [name, size] : AxisName::around()) signer.text(name), s.words.push_back(size);
  s.key = hash_of(s.words.data(), s.words.size() * sizeof(std::int64_t));
}

Arrays leaves_of(const Signature& s) {
  Arrays leaves;
  for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
  return leaves;
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
