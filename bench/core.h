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

// Each measure says its results; `seconds` is about how long one contest may go on.

// core_kernels.cc
void measure_adam(double seconds);
void measure_softmax(double seconds);
void measure_layer_norm(double seconds);
void measure_matmul(double seconds);
// core_calls.cc
void measure_scalar_add(double seconds);
void measure_leaves(double seconds);
void measure_control(double seconds);
void measure_first_call(double seconds);
void measure_many_kernels(double seconds);

}  // namespace bench
