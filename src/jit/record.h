#pragma once
// record: what the traces of one Jit gave, and what its calls leave to the next.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "jit/cache.h"
#include "jit/donation.h"
#include "jit/signature.h"
#include "jit/traced_tree.h"

namespace baton::core {

/// Things that a call needs for itself and leaves to the next: as many as there were calls at one time, but
/// no more than a few. Guarded by the lock of the Jit.
template <class T>
class Spare {
 public:
  std::unique_ptr<T> take() {
    if (spare_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(spare_.back());
    spare_.pop_back();
    return one;
  }
  void give(std::unique_ptr<T> one) {
    if (spare_.size() < 8) spare_.push_back(std::move(one));
  }
  void clear() { spare_.clear(); }

 private:
  std::vector<std::unique_ptr<T>> spare_;
};

/// What is decided for calls whose leaves come in one way. It never changes, so threads share it.
struct Ready {
  std::vector<Given> given;  // how the leaves come
  Engine engine;
  DonationPlan plan;
  ExecutablePtr executable;
};
using ReadyPtr = std::shared_ptr<const Ready>;

/// What one trace of the function gave.
struct Record {
  Hash key;
  TracedTree traced;
  detail::Result pattern;
  ReadyPtr ready;               // for calls like the last one
  Spare<Workspace> workspaces;  // of its executable

  Description arguments;
  std::vector<std::string> result_paths;  // of leaves
  int state_leaves =
      -1;            // of the first argument, with whose tree the result begins, for `update`; -1: not known
  int outside = -1;  // the first captured array that the function read, rather than made; -1: none
};
using RecordPtr = std::shared_ptr<Record>;

class JitState {
 public:
  explicit JitState(const JitSite& s) : site(s) {}
  ~JitState() { delete at_hand.load(); }
  JitState(const JitState&) = delete;
  std::string name() const {
    const std::string at = "jit at " + show(site.where);
    return site.options.name.empty() ? at : "`" + site.options.name + "` (" + at + ")";
  }

  std::string short_name() const { return site.options.name.empty() ? "jit" : site.options.name; }

  const JitSite site;
  struct Tracing {
    Hash key;
    std::thread::id thread;
  };
  std::mutex mutex;                // of what follows; not held while the function is traced
  std::condition_variable traced;  // a trace has ended
  std::vector<RecordPtr> records;  // the oldest goes where there are too many
  std::vector<Tracing> tracing;    // traces that have begun
  bool told_denied = false;        // once is enough
  std::shared_ptr<const DonationReport> last = std::make_shared<DonationReport>();  // of one that donated

  /// What a call has to itself and leaves to the next one.
  struct Scratch {
    Signature signature;
    Gifts gifts;
    Arrays inputs, results, leaves;
    // For a call that comes as the last one did: then it needs nothing that the lock guards.
    RecordPtr record;
    ReadyPtr ready;
    std::unique_ptr<Workspace> space;  // for its executable
    int state_leaves = -1;
    bool repeats = false;  // whether there may be such a call

    void clear() { inputs.clear(), results.clear(), leaves.clear(); }
  };
  std::atomic<Scratch*> at_hand = nullptr;  // owned; who takes it out has it alone
  Spare<Scratch> scratch;                   // of further calls at the same time
};
using Lock = std::unique_lock<std::mutex>;

/// The record of this signature, or nullptr.
RecordPtr kept(const JitState&, const Hash& key);
/// The record of this signature, traced if there is none. One thread traces a Jit at a time; only a thread
/// that is tracing already does not wait for another, since that one may be waiting for it.
RecordPtr find(JitState&, std::span<const ArgRef> args, const Signature&, Body, Where, Lock&);
/// A trivially copyable closure owns no array, so one that it read came through a reference or a global: the
/// trace holds what it was then, and nobody could see a later change.
bool has_stale_captures(const JitState&, const Record&);
void refuse_stale_captures(const JitState&, const Record&, Where);

}  // namespace baton::core
