#pragma once
// instructions: which vectors kernels use: the processor's own, or, in tests, narrower ones.
namespace baton::cpu {

enum class Instructions { plain, avx2, avx512 };

/// The widest that this processor has, and no wider than what tests want.
Instructions instructions();
Instructions instructions_of_processor();
/// Whether some lanes of any dtype are read and written as fast as all.
bool masks_cost_little();

/// While one lives, kernels that are made use no wider vectors; compiled loops have those of AVX2 where
/// products have plain ones. Not for several threads at once; what was made before stays as it is.
class NoWiderThan {
 public:
  explicit NoWiderThan(Instructions);
  ~NoWiderThan();
  NoWiderThan(const NoWiderThan&) = delete;
  NoWiderThan& operator=(const NoWiderThan&) = delete;

 private:
  const Instructions before_;
};

}  // namespace baton::cpu
