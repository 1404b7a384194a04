// tree: visitors over trees, in compiled code.
#include "baton/tree.h"

#include <algorithm>
#include <cstring>

#include "base/counters.h"
#include "base/text.h"
#include "trace/describe.h"
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

std::string constant_text(std::string_view bytes, std::string_view kind) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
  };
  if (kind == "text" || kind == "key") return "\"" + std::string(bytes) + "\"";
  if (kind == "bool") return bytes[0] ? "true" : "false";
  if (kind == "real")
    return show_real(bytes.size() == sizeof(float) ? static_cast<double>(read(0.0f)) : read(0.0));
  const auto wide = read(std::int64_t{0});
  return std::to_string(bytes.size() == sizeof(std::int32_t) ? static_cast<std::int32_t>(wide) : wide);
}

class Describer final : public LeafVisitor {
 public:
  Description result;
  explicit Describer(std::string_view root) : path_(root) {}
  void array(Array& a, Role) override {
    result.lines.push_back({path_, a.empty() ? "empty" : show(a.type()), Line::Kind::leaf});
    result.leaf_paths.push_back(path_);
  }
  void constant(std::string_view bytes, std::string_view kind) override {
    const bool size = kind == "size";
    result.lines.push_back({size ? path_ + " (size)" : path_, constant_text(bytes, kind),
                            size || kind == "key" ? Line::Kind::size : Line::Kind::constant});
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

void assign(TreeRef tree, std::span<const Array> leaves, Where where) {
  std::size_t i = 0;
  for_each_leaf(tree, [&](Array& a, Role) {
    if (i < leaves.size()) a = leaves[i];
    ++i;
  });
  if (i != leaves.size())
    throw UsageError("with_leaves: the tree has " + std::to_string(i) + " leaves, found " +
                     std::to_string(leaves.size()) + "." + called_at(where));
}

Description describe(TreeRef tree, std::string_view root) {
  Describer visitor(root);
  tree.visit(tree.object, visitor);
  return std::move(visitor.result);
}

std::string Change::advice() const {
  switch (kind) {
    case Line::Kind::leaf:
      return "";
    case Line::Kind::constant:
      return "\n  A number, enum or string in a tree is a constant of the Program: make it an Array to let "
             "it "
             "change.";
    case Line::Kind::size:
      return "\n  What a container holds is a constant of the Program: give it all of its leaves before.";
  }
  return "";
}

std::optional<Change> first_change(const Lines& before, const Lines& now) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string became = i < now.size() ? now[i].value : "nothing";
    if (before[i].value != became) return Change{before[i].path, before[i].value, became, before[i].kind};
  }
  return std::nullopt;
}

std::vector<std::string> paths(TreeRef tree, std::string_view root) {
  return describe(tree, root).leaf_paths;
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
  if (!Trace::current()) require_values({a}, "clone", {});
  if (!a.node() || a.node()->kind != Node::Kind::concrete) return a;
  if (Trace::current())
    return a;  // a copy would hide where the values came from; those of a Program never change
  Array copy = uninitialized(a.type());
  if (a.type().bytes()) std::memcpy(data_of(copy), data_of(a), a.type().bytes());
  return copy;
}

void structure_error(const char* who, const std::string& message, Where where) {
  throw UsageError(std::string(who) + ": " + message + called_at(where));
}

void require_same_structure(const char* who, TreeRef a, TreeRef b, Where where) {
  const std::vector<std::string> first = paths(a, ""), second = paths(b, "");
  if (first == second) return;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    const std::string left = i < first.size() ? "`" + first[i] + "`" : "nothing";
    const std::string right = i < second.size() ? "`" + second[i] + "`" : "nothing";
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
  const Lines there = describe(destination, "").lines, here = describe(source, "").lines;
  for (std::size_t k = 0; k < there.size(); ++k)
    if (there[k].kind != Line::Kind::leaf && there[k].value != here[k].value)
      throw UsageError("copy_into: only arrays are copied; `" + there[k].path + "` is " + there[k].value +
                       " in the destination and " + here[k].value + " in the source." + called_at(where) +
                       "\n  Make it an Array, or replace the destination: destination = clone(source).");
  if (const Trace* trace = Trace::current())
    throw UsageError("copy_into: it would fill the arrays once, while `" + trace->info().name +
                     "` is traced, and not when its Program runs." + called_at(where) +
                     "\n  Return the new values, and copy them where the function is called.");
  const auto differ = [](const Array& to, const Array& a) {
    return !a.empty() && to.node()->buffer != a.node()->buffer;
  };
  Arrays fresh(from.size());  // all memory is taken before the first write
  i = 0;
  for_each_leaf(destination, [&](Array& to, Role) {
    if (differ(to, from[i]) && !sole_owner(to)) fresh[i] = uninitialized(from[i].type());
    ++i;
  });
  i = 0;
  for_each_leaf(destination, [&](Array& to, Role) {
    const Array& a = from[i];
    Array& memory = fresh[i++];
    if (!differ(to, a)) return;
    if (!memory.empty()) {
      to = std::move(memory);
      count().copies.fetch_add(1, std::memory_order_relaxed);
    }
    if (a.type().bytes()) std::memcpy(data_of(to), data_of(a), a.type().bytes());
  });
}

}  // namespace baton::core
