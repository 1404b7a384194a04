// tree: visitors over trees, in compiled code.
#include "baton/tree.h"

#include <cstring>

#include "base/counters.h"
#include "base/text.h"
#include "trace/trace.h"

namespace baton::core {
namespace {

/// A visitor that looks at leaves only.
class Leaves : public LeafVisitor {
 public:
  void constant(std::string_view, std::string_view) override {}
  void enter(std::string_view) override {}
  void enter(std::size_t) override {}
  void leave() override {}

 protected:
  ~Leaves() = default;
};

template <class F>
void for_each_leaf(TreeRef tree, F f) {
  class Each final : public Leaves {
   public:
    explicit Each(F& f) : f_(f) {}
    void array(Array& a, Role role) override { f_(a, role); }

   private:
    F& f_;
  } each(f);
  tree.visit(tree.object, each);
}

class Paths final : public LeafVisitor {
 public:
  explicit Paths(std::string_view root) : path_(root) {}
  std::vector<std::string> paths;
  std::string structure;  // constants and the places of leaves, to compare two trees
  void array(Array& a, Role) override {
    paths.push_back(path_);
    structure += a.empty() ? "[]" : "[array]";
  }
  void constant(std::string_view bytes, std::string_view kind) override {
    if (kind == "size" || kind == "key") structure += std::string(kind) + ":" + std::string(bytes) + ";";
  }
  void enter(std::string_view name) override {
    ends_.push_back(path_.size());
    if (!path_.empty()) path_ += ".";
    path_ += name;
  }
  void enter(std::size_t index) override {
    ends_.push_back(path_.size());
    path_ += "[" + std::to_string(index) + "]";
  }
  void leave() override {
    path_.resize(ends_.back());
    ends_.pop_back();
  }

 private:
  std::string path_;
  std::vector<std::size_t> ends_;
};

}  // namespace

Arrays flatten(TreeRef tree) {
  Arrays all;
  for_each_leaf(tree, [&](Array& a, Role) { all.push_back(a); });
  return all;
}

void assign(TreeRef tree, std::span<const Array> leaves) {
  std::size_t i = 0;
  for_each_leaf(tree, [&](Array& a, Role) {
    if (i < leaves.size()) a = leaves[i];
    ++i;
  });
  if (i != leaves.size())
    throw UsageError("with_leaves: the tree has " + std::to_string(i) + " leaves, found " +
                     std::to_string(leaves.size()) + ".");
}

std::vector<std::string> paths(TreeRef tree, std::string_view root) {
  Paths visitor(root);
  tree.visit(tree.object, visitor);
  return visitor.paths;
}

std::vector<Role> roles(TreeRef tree) {
  std::vector<Role> all;
  for_each_leaf(tree, [&](Array& a, Role role) {
    all.push_back(!a.empty() && !is_inexact(a.dtype()) && role == Role::trainable ? Role::integer : role);
  });
  return all;
}

std::size_t leaf_count(TreeRef tree) {
  std::size_t n = 0;
  for_each_leaf(tree, [&](Array&, Role) { ++n; });
  return n;
}

Array deep_copy(const Array& a) {
  if (!a.node() || a.node()->kind != Node::Kind::concrete) return a;
  Array copy = uninitialized(a.type());
  if (a.type().bytes()) std::memcpy(data_of(copy), data_of(a), a.type().bytes());
  return copy;
}

void structure_error(const char* who, const std::string& message, Where where) {
  throw UsageError(std::string(who) + ": " + message + called_at(where));
}

void require_same_structure(const char* who, TreeRef a, TreeRef b, Where where) {
  Paths first(""), second("");
  a.visit(a.object, first);
  b.visit(b.object, second);
  if (first.paths == second.paths) return;
  for (std::size_t i = 0; i < std::max(first.paths.size(), second.paths.size()); ++i) {
    const std::string left = i < first.paths.size() ? "`" + first.paths[i] + "`" : "nothing";
    const std::string right = i < second.paths.size() ? "`" + second.paths[i] + "`" : "nothing";
    if (left != right)
      structure_error(who,
                      "the trees must have the same structure; leaf " + std::to_string(i) + " is " + left +
                          " in the first and " + right + " in another.",
                      where);
  }
}

void copy_into(TreeRef destination, TreeRef source, Where where) {
  require_same_structure("copy_into", destination, source, where);
  const Arrays from = flatten(source);
  const std::vector<std::string> names = paths(destination, "");
  std::size_t i = 0;
  // All checks first: a failure leaves the destination as it was.
  for_each_leaf(destination, [&](Array& to, Role) {
    const Array& a = from[i];
    if (to.empty() != a.empty() || (!a.empty() && (to.type() != a.type() || to.traced() || a.traced())))
      structure_error("copy_into",
                      "leaf `" + names[i] + "` must be " + (to.empty() ? "empty" : show(to.type())) +
                          ", found " +
                          (a.empty()    ? "an empty leaf"
                           : a.traced() ? "a traced value"
                                        : show(a.type())) +
                          ".",
                      where);
    ++i;
  });
  i = 0;
  for_each_leaf(destination, [&](Array& to, Role) {
    const Array& a = from[i++];
    if (a.empty() || to.node()->buffer == a.node()->buffer) return;
    if (!sole_owner(to)) {
      to = uninitialized(a.type());
      count().copies.fetch_add(1, std::memory_order_relaxed);
    }
    if (a.type().bytes()) std::memcpy(data_of(to), data_of(a), a.type().bytes());
  });
}

}  // namespace baton::core
