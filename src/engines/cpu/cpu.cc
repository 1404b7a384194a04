// cpu: from a Program to its executable, and one run of that.
#include "engines/cpu/cpu.h"

#include <algorithm>
#include <new>

#include "base/counters.h"
#include "base/text.h"
#include "engines/cpu/arena.h"
#include "engines/cpu/floating.h"
#include "engines/cpu/loop_kernel.h"
#include "engines/cpu/planned.h"
#include "engines/cpu/pool.h"
#include "plan/report.h"
#include "trace/node.h"

namespace baton::cpu {
namespace {

class CpuWorkspace final : public Workspace {
 public:
  CpuWorkspace(const Planned& planned, int threads)
      : table(planned.pointer_count()),
        arena(static_cast<std::size_t>(planned.plan().arena_bytes),
              threads == 1 ? Arena::Keep::alone : Arena::Keep::shared_if_large),
        pool_(threads ? threads : default_threads()) {}

  Workers& workers() { return pool_.count() == 1 ? static_cast<Workers&>(alone_) : pool_; }

  std::vector<void*> table;
  bool placed = false;
  Arena arena;

 private:
  Pool pool_;
  Alone alone_;
};

class Compiled final : public Executable {
 public:
  Compiled(const Program& program, std::vector<int> take, LoopCompiler& loops)
      : planned_(program, std::move(take), Passing::handed_on, loops) {
    const ProgramData& p = planned_.program();
    const Plan& plan = planned_.plan();
    for (const OutputCopy& copy : plan.copies)
      copies_ += plan.places[static_cast<std::size_t>(copy.from)].kind != Place::Kind::literal;
    for (std::size_t i = 0; i < plan.take.size(); ++i)
      if (plan.take[i] >= 0) passed_.push_back({i, static_cast<std::size_t>(plan.take[i])});
    const std::vector<bool> fresh = fresh_outputs(plan);
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const bool donated =
          std::find(plan.take.begin(), plan.take.end(), static_cast<int>(k)) != plan.take.end();
      if (fresh[k])
        fresh_.push_back(k);
      else if (!donated)
        passed_.push_back({static_cast<std::size_t>(p.outputs[k]), k});
    }
  }

  std::unique_ptr<Workspace> workspace(int threads) const override {
    return std::make_unique<CpuWorkspace>(planned_, threads);
  }
  std::span<const int> take() const override { return planned_.plan().take; }
  std::size_t result_count() const override { return planned_.program().outputs.size(); }
  PlanReport report(std::span<const std::string> inputs) const override { return planned_.report(inputs); }

  void run(Workspace& w, std::span<Array> inputs, std::span<Array> results) const override {
    auto& space = static_cast<CpuWorkspace&>(w);
    const Arena::Use memory = take_memory(space, results);
    void** const table = space.table.data();
    bool moved = !space.placed;
    const auto lie_at = [&](void*& base, void* data) {
      moved = moved || base != data;
      base = data;
    };
    lie_at(*planned_.arena(table), memory.data());
    void** const in = planned_.inputs(table);
    void** const out = planned_.results(table);
    for (std::size_t i = 0; i < inputs.size(); ++i) lie_at(in[i], data_of(inputs[i]));
    for (std::size_t k : fresh_) lie_at(out[k], data_of(results[k]));
    for (const Passed& p : passed_) lie_at(out[p.result], in[p.input]);
    if (moved) planned_.place(table);
    space.placed = true;
    {
      const Floating floating(Subnormal::zero);
      planned_.run(table, space.workers());
    }
    for (const Passed& p : passed_) results[p.result] = std::move(inputs[p.input]);
    if (copies_) count().copies.fetch_add(copies_, std::memory_order_relaxed);
  }

 private:
  struct Passed {  // an input that is handed on, or in whose memory the result is made
    std::size_t input, result;
  };

  /// The arena, and memory for the results that are no inputs and take none of theirs. Where it is refused,
  /// nothing has run.
  Arena::Use take_memory(CpuWorkspace& space, std::span<Array> results) const {
    const ProgramData& p = planned_.program();
    try {
      for (std::size_t k : fresh_) results[k] = uninitialized(p.type(p.outputs[k]));
      return Arena::Use(space.arena);
    } catch (const DeviceError&) {  // of a result
    } catch (const std::bad_alloc&) {
    }
    throw NoMemory(refusal("a program", report({}), {}), *this);
  }

  Planned planned_;
  std::vector<Passed> passed_;
  std::vector<std::size_t> fresh_;  // results with memory of their own
  int copies_ = 0;                  // results that could not be made in their place
};

}  // namespace

ExecutablePtr compile(const Program& program, std::vector<int> take, Compile when, int threads) {
  LoopCompiler loops(when, threads ? threads : default_threads());
  auto made = std::make_shared<Compiled>(program, std::move(take), loops);
  loops.finish();
  return made;
}

void clear_caches() { forget_compiled(); }

}  // namespace baton::cpu
