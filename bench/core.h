#pragma once
// core: what the measures of bench_core share: contests, in which those who do the same work take turns.
#include <functional>

#include "measure.h"

namespace bench {

struct Contender {
  std::string peer;
  std::function<void()> run;
};
/// What one call does, if that says something: 1e-9 * 2 * n^3, in GFLOP.
struct Work {
  double amount = 0;
  std::string unit = {};
};
/// Lets the contenders take turns for so many seconds, at least three times after a turn that is not counted.
/// A turn is as many calls as take a millisecond. Says the median time of a call of each; of the others, also
/// the median over the rounds of the first one's time, divided by theirs. Returns the median seconds of a
/// call of the first.
double contest(const std::string& workload, const std::vector<Contender>&, double seconds, const Work& = {});

struct Effort {
  double seconds;  // about how long one contest may go on
  int threads;     // of Baton, OpenBLAS and memcpy; other loops have one
};

// Each measure says its results.

// core_kernels.cc
void measure_adam(const Effort& effort);
void measure_softmax(const Effort& effort);
void measure_layer_norm(const Effort& effort);
void measure_matmul(const Effort& effort);
// core_calls.cc
void measure_scalar_add(const Effort& effort);
void measure_leaves(const Effort& effort);
void measure_control(const Effort& effort);
void measure_first_call(const Effort& effort);
void measure_many_kernels(const Effort& effort);

}  // namespace bench
