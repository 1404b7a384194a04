#pragma once
// on_cpu: tests that run on the cpu engine whatever was chosen, and what a call takes there.
#include <gtest/gtest.h>

#include "baton/baton.h"

namespace baton::testing {

class OnCpu : public ::testing::Test {
 protected:
  void SetUp() override { set_default_engine(Engine::cpu); }
  void TearDown() override { set_default_engine(before_); }

 private:
  const Engine before_ = default_engine();
};

/// The most bytes that a call holds beside what is there before it. Memory of runs that lies idle is not
/// there.
template <class F>
std::int64_t most_held_by(F call) {
  clear_caches();
  const std::int64_t before = counters().live_bytes;
  reset_peak();
  call();
  return counters().peak_bytes - before;
}

}  // namespace baton::testing
