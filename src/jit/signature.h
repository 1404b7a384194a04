#pragma once
// signature: what a trace depends on: structure, leaf types, roles and constants of the arguments of a call.
#include "base/hash.h"
#include "baton/jit.h"
#include "trace/describe.h"

namespace baton::core {

/// One leaf of the arguments of a call.
struct LeafRef {
  Array* array;
  int argument;
  bool donated;
  bool sole;  // donated, and nobody else holds its memory
};

struct Signature {
  std::vector<LeafRef> leaves;
  Hash key;
  bool traced = false, given_away = false;  // whether a leaf is traced; was donated before
  std::vector<std::int64_t> words;          // what the key is the hash of
};
/// Fills a signature, which keeps its memory from call to call.
void sign(std::span<const ArgRef> args, Signature&);

Arrays leaves_of(const Signature&);

/// The same as text, for explanations.
Description describe(std::span<const ArgRef> args);  // args[0].model.weight, ...

/// What differs, a line each: "\n  args[1].x    f32[32,784] -> f32[17,784]".
struct Difference {
  std::size_t count = 0;
  std::string text;
};
Difference difference(const Lines& before, const Lines& now);

}  // namespace baton::core
