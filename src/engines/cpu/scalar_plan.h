#pragma once
// scalar_plan: the Plan of a Program of scalars, such as a comparator, which runs on elements where they lie.
#include "engines/cpu/nested.h"

namespace baton::cpu {

class ScalarPlan {
 public:
  ScalarPlan(const Program& program, LoopCompiler& loops) : plan_(program, {}, loops) {
    const ProgramData& p = plan_.program();
    moving_ = plan_.slots_of(Mask(static_cast<std::size_t>(p.input_count), true), Mask(p.outputs.size()));
  }
  std::int64_t scratch() const { return results_bytes() + plan_.scratch(); }
  bool may_fail() const { return plan_.may_fail(); }
  const Names& evaluated() const { return plan_.evaluated(); }

  /// Runs in this scratch, one after the other.
  class Runs {
   public:
    Runs(const ScalarPlan& p, void* scratch)
        : p_(p), table_(p.plan_.table(static_cast<char*>(scratch) + p.results_bytes())) {
      for (std::size_t k = 0; k < p.plan_.program().outputs.size(); ++k)
        p.plan_.results(table_)[k] = static_cast<char*>(scratch) + k * result_bytes;
      std::fill_n(p.plan_.inputs(table_), p.plan_.program().input_count, scratch);
      p.plan_.place(table_);
    }
    /// Where input i is read.
    void*& in(std::size_t i) { return p_.plan_.inputs(table_)[i]; }
    /// The results of the last run.
    const void* out(std::size_t k) const { return p_.plan_.results(table_)[k]; }
    void run() {
      Alone alone;
      p_.plan_.place(table_, p_.moving_);
      p_.plan_.run(table_, alone);
    }

   private:
    const ScalarPlan& p_;
    void** const table_;
  };

 private:
  static constexpr std::size_t result_bytes = 16;  // of the largest dtype
  std::int64_t results_bytes() const {
    return static_cast<std::int64_t>(whole_lines(plan_.program().outputs.size() * result_bytes));
  }

  const Nested plan_;
  std::vector<int> moving_;
};

}  // namespace baton::cpu
