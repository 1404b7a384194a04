#pragma once
// executable: a Program that an engine has made ready to run.
#include <memory>
#include <span>
#include <string>

#include "baton/array.h"
#include "baton/error.h"
#include "baton/plan_report.h"
#include "baton/program.h"

namespace baton {

class Executable;

/// What an executable needs for one run at a time besides its arrays. Who calls it often keeps one, so that a
/// call takes no memory of its own.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

/// Memory for a run was refused: nothing has run, and the inputs are as they were. Who knows what the
/// function and its arguments are called says it again with these names.
class NoMemory : public DeviceError {
 public:
  NoMemory(const std::string& text, const Executable& of) : DeviceError(text), executable_(&of) {}
  /// Whether it is this one's, and not that of a run inside it, such as of a host function.
  bool is_of(const Executable& e) const { return executable_ == &e; }

 private:
  const Executable* executable_;
};

class Executable {
 public:
  virtual ~Executable() = default;
  /// `threads`: how many a run may use; 0: those of the process, 1: the caller's alone.
  virtual std::unique_ptr<Workspace> workspace(int threads) const = 0;
  /// Fills `results`, empty arrays. Inputs are taken over: one that nobody else holds dies at its last use.
  /// If this throws, those in whose memory a result would be are still there. Throws NoMemory before it
  /// begins, if its memory is known before and refused.
  virtual void run(Workspace&, std::span<Array> inputs, std::span<Array> results) const = 0;
  virtual std::size_t result_count() const = 0;
  /// For each input: the result that is written into its memory, or -1. At most what was asked for.
  virtual std::span<const int> take() const = 0;
  /// What a run takes, inputs by these names; nothing is known of engines without Plans.
  virtual PlanReport report(std::span<const std::string> /*inputs*/) const { return {}; }

  /// One run, with a workspace of its own.
  Arrays run(Arrays inputs) const {
    Arrays results(result_count());
    run(*workspace(0), inputs, results);
    return results;
  }
};
/// Runs. Where the memory of this executable is refused, the error is what `says` gives.
template <class Run, class Says>
void run_named(const Executable& executable, const Run& run, const Says& says) {
  try {
    run();
  } catch (const NoMemory& e) {
    if (!e.is_of(executable)) throw;
    throw DeviceError(says());
  }
}
using ExecutablePtr = std::shared_ptr<const Executable>;

}  // namespace baton
