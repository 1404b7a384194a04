#pragma once
// nested: a Program inside another, such as the body of a loop. Its arena and its pointers lie in the scratch
// of the step around it.
#include "base/cache_line.h"
#include "engines/cpu/packing.h"
#include "engines/cpu/planned.h"

namespace baton::cpu {

class Nested : public Planned {
 public:
  Nested(const Program& program, std::vector<int> take, LoopCompiler& loops)
      : Planned(program, std::move(take), Passing::copied, loops) {}

  std::int64_t scratch() const {
    return table_at() + static_cast<std::int64_t>(whole_lines(pointer_count() * sizeof(void*)));
  }
  /// The table of pointers in this scratch, with the place of the arena.
  void** table(void* scratch) const {
    void** t = reinterpret_cast<void**>(static_cast<char*>(scratch) + table_at());
    *arena(t) = scratch;
    return t;
  }
  /// Whether the input is overwritten by the result.
  bool takes(std::size_t input, std::size_t result) const {
    return plan().take[input] == static_cast<int>(result);
  }

 private:
  std::int64_t table_at() const { return whole_lines(plan().arena_bytes); }
};

/// Carries of a loop. One that the body overwrites in its place lies in the memory of the result. Any other
/// turns between that and memory in the scratch: a step reads one and writes the other.
class Carries {
 public:
  /// The body takes them behind `before` other inputs and returns them first.
  Carries(const Nested& body, std::size_t before, std::size_t count) : before_(before) {
    for (std::size_t k = 0; k < count; ++k) {
      bytes_.push_back(body.program().type(body.program().outputs[k]).bytes());
      turning_.push_back(!body.takes(before + k, k));
      turn_at_.push_back(scratch_);
      if (turning_[k]) scratch_ += static_cast<std::int64_t>(whole_lines(bytes_[k]));
    }
  }
  std::size_t size() const { return bytes_.size(); }
  std::int64_t scratch() const { return scratch_; }
  bool turns(std::size_t k) const { return turning_[k]; }
  std::size_t bytes(std::size_t k) const { return bytes_[k]; }
  /// The second memory of a carry that turns.
  void* second(std::size_t k, void* scratch) const { return static_cast<char*>(scratch) + turn_at_[k]; }
  /// Which inputs and results of the body move from step to step because of them.
  void mark(Mask& inputs, Mask& results) const {
    for (std::size_t k = 0; k < size(); ++k)
      if (turning_[k]) inputs[before_ + k] = results[k] = true;
  }

 private:
  std::size_t before_;
  std::vector<std::size_t> bytes_;
  std::vector<bool> turning_;
  std::vector<std::int64_t> turn_at_;  // in the scratch
  std::int64_t scratch_ = 0;
};

}  // namespace baton::cpu
