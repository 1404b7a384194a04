#pragma once
// describe: a tree in words: its leaves with their types and its constants with their values, by path.
#include "baton/tree.h"

namespace baton::core {

struct Line {
  enum class Kind { leaf, constant, size };
  std::string path, value;  // "model.weight", "f32[2,3]"
  Kind kind = Kind::leaf;
  bool operator==(const Line& o) const { return path == o.path && value == o.value; }
};
using Lines = std::vector<Line>;
struct Description {
  Lines lines;
  std::vector<std::string> leaf_paths;
};
Description describe(TreeRef tree, std::string_view root);

/// The first line of a tree that another one of its type does not begin with. Sizes come before what they
/// count, so nothing after the first difference matters.
struct Change {
  std::string path, was, became;
  Line::Kind kind = Line::Kind::leaf;
  /// Why a constant cannot change, and what to do; empty for a leaf.
  std::string advice() const;
};
std::optional<Change> first_change(const Lines& before, const Lines& now);

}  // namespace baton::core
