#pragma once
// record: what the traces of one Jit gave, and what its calls leave to the next.
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

/// What one trace of the function gave.
struct Record {
  Hash key;
  TracedTree traced;
  detail::Result pattern;
  // Of the last call:
  std::vector<Given> given;  // how its leaves came
  std::shared_ptr<const DonationPlan> plan;
  ExecutablePtr executable;
  std::vector<int> take;  // what the executable was made for
  Engine engine = Engine::reference;
  Spare<Workspace> workspaces;  // of the executable

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
  struct Scratch {
    Signature signature;
    Gifts gifts;
    Arrays inputs, results, leaves;

    void clear() { inputs.clear(), results.clear(), leaves.clear(); }
  };
  Spare<Scratch> scratch;
};
using Lock = std::unique_lock<std::mutex>;

/// The record of this signature, or nullptr.
RecordPtr kept(const JitState&, const Hash& key);
/// The record of this signature, traced if there is none. One thread traces a Jit at a time; only a thread
/// that is tracing already does not wait for another, since that one may be waiting for it.
RecordPtr find(JitState&, std::span<const ArgRef> args, const Signature&, Body, Where, Lock&);
/// A trivially copyable closure owns no array, so one that it read came through a reference or a global: the
/// trace holds what it was then, and nobody could see a later change.
void refuse_stale_captures(const JitState&, const Record&, Where);

}  // namespace baton::core
