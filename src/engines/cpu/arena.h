#pragma once
// arena: the memory of what lives only while a Program runs. It is kept from run to run; what is large is
// kept once for all who run one after the other.
#include <cstddef>

namespace baton::cpu {

class Arena {
 public:
  enum class Keep { alone, shared_if_large };
  /// Takes no memory yet. `alone`: what it takes is its own until it dies, so that a run waits for nobody.
  Arena(std::size_t bytes, Keep);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// The memory, while one lives. Throws std::bad_alloc where there is none.
  class Use {
   public:
    explicit Use(Arena& arena);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    void* data() const { return arena_.data_; }

   private:
    Arena& arena_;
  };

 private:
  const std::size_t bytes_;
  const bool shared_;
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace baton::cpu
