// jit: from a call to its trace record, and from there to an executable. Nothing of the caller's is touched
// before every check, trace and compile has succeeded; after that, donated leaves become results or say where
// they went.
#include "baton/jit.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/counters.h"
#include "base/log.h"
#include "base/text.h"
#include "baton/lax.h"
#include "jit/cache.h"
#include "jit/donation.h"
#include "jit/signature.h"
#include "jit/traced_tree.h"
#include "transforms/transforms.h"

namespace baton {

namespace core {
namespace {

/// What one trace of the function gave.
struct Record {
  Hash key;
  TracedTree traced;
  detail::Result pattern;
  ExecutablePtr executable;  // of the last call
  std::vector<int> take;     // what it was made for
  Engine engine = Engine::reference;
  Description arguments;
  std::vector<std::string> result_paths;  // of leaves
  bool returns_state = false;  // the result is known to begin with the first argument, for `update`
  int outside = -1;            // the first captured array that the function read, rather than made; -1: none
};
using RecordPtr = std::shared_ptr<Record>;
constexpr std::size_t max_records =
    1024;  // of one Jit: a constant that changes at each call must not fill the memory

}  // namespace

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
  DonationReport last;             // of the last call that donated something
};
using Lock = std::unique_lock<std::mutex>;

std::shared_ptr<JitState> make_jit(const JitSite& site) { return std::make_shared<JitState>(site); }

namespace {

/// The differences from the record that is nearest.
std::string nearest_difference(const std::vector<RecordPtr>& records, const Lines& now) {
  Difference best;
  best.count = static_cast<std::size_t>(-1);
  for (const RecordPtr& record : records) {
    Difference d = difference(record->arguments.lines, now);
    if (d.count < best.count) best = std::move(d);
  }
  return best.text;
}

void refuse_donated(const JitState& state, const Signature& s, std::span<const ArgRef> args) {
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const Node* n = s.leaves[i].array->node();
    if (!n || n->kind != Node::Kind::donated) continue;
    donated_error(state.name(), "leaf " + describe(args).leaf_paths[i], *n,
                  args[static_cast<std::size_t>(s.leaves[i].argument)].where);
  }
}

/// A trivially copyable closure owns no array, so one that it read came through a reference or a global: the
/// trace holds what it was then, and nobody could see a later change.
void refuse_stale_captures(const JitState& state, const Record& record, Where where) {
  const Closed& closed = record.traced.closed;
  if (state.site.owns_arrays || record.outside < 0 || state.site.options.captures == Captures::frozen) return;
  const auto which = static_cast<std::size_t>(record.outside);
  throw UsageError(
      state.name() + ": the function reads an array " + show(closed.captures[which].type()) + " at " +
      show(closed.capture_lines[which]) +
      " through a reference or a global, so a later value would never be seen." + called_at(where) +
      "\n  Pass the array as an argument, capture it by value, or say {.captures = Captures::frozen}.");
}

/// Traces the function, without the lock: it may call other Jits, and this one with another signature.
RecordPtr trace_record(const JitState& state, const Signature& s, Description arguments, Body body,
                       Where where) {
  const TracedCall call(where);
  auto record = std::make_shared<Record>();
  record->key = s.key;
  record->arguments = std::move(arguments);
  Arrays leaves;
  for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
  record->traced =
      trace_tree(state.short_name().c_str(), leaves, {}, body, state.site.where, record->pattern);
  const Arrays& captures = record->traced.closed.captures;
  for (std::size_t i = 0; i < captures.size() && record->outside < 0; ++i)
    if (!made_inside(captures[i], *record->traced.info)) record->outside = static_cast<int>(i);
  record->result_paths =
      describe(TreeRef{record->pattern.object.get(), record->pattern.visit}, "result").leaf_paths;
  return record;
}

RecordPtr kept(const JitState& state, const Hash& key) {
  const auto at = std::find_if(state.records.begin(), state.records.end(),
                               [&](const RecordPtr& record) { return record->key == key; });
  return at == state.records.end() ? nullptr : *at;
}

/// The record of this signature, traced if there is none. One thread traces a Jit at a time; only a thread
/// that is tracing already does not wait for another, since that one may be waiting for it.
RecordPtr find(JitState& state, std::span<const ArgRef> args, const Signature& s, Body body, Where where,
               Lock& lock) {
  const auto mine = [id = std::this_thread::get_id()](const JitState::Tracing& t) { return t.thread == id; };
  const auto others = [&] { return !std::all_of(state.tracing.begin(), state.tracing.end(), mine); };
  RecordPtr record;
  while (!(record = kept(state, s.key)) && !Trace::current() && others()) state.traced.wait(lock);
  if (record) {
    refuse_stale_captures(state, *record, where);
    return record;
  }
  Description arguments = describe(args);
  const std::string difference =
      state.records.empty() ? "" : nearest_difference(state.records, arguments.lines);
  if (!state.records.empty() && !state.site.options.allow_retrace)
    throw UsageError(state.name() + ": a second signature, and retracing is not allowed." + called_at(where) +
                     "\n  It differs from the closest earlier call in:" + difference +
                     "\n  Keep the types and constants of the arguments as they were, or allow_retrace.");
  for (const JitState::Tracing& t : state.tracing)
    if (mine(t) && t.key == s.key)
      throw UsageError(
          state.name() +
          ": the function calls itself with arguments of the same types, so its trace would never end." +
          called_at(where) + "\n  Use while_loop, scan or fori_loop for what repeats.");
  const auto start = std::chrono::steady_clock::now();
  {
    state.tracing.push_back({s.key, std::this_thread::get_id()});
    struct Done {
      JitState& state;
      Lock& lock;
      const Hash& key;
      ~Done() {
        lock.lock();
        const auto at = std::find_if(state.tracing.begin(), state.tracing.end(), [&](const auto& t) {
          return t.thread == std::this_thread::get_id() && t.key == key;
        });
        state.tracing.erase(at);
        state.traced.notify_all();
      }
    } done{state, lock, s.key};
    lock.unlock();
    record = trace_record(state, s, std::move(arguments), body, where);
  }
  if (log_compiles()) {
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    log("traced " + state.name() + ": " + std::to_string(record->traced.closed.program.equation_count()) +
        " equations, " + std::to_string(ms) + " ms" +
        (difference.empty() ? "" : "; differs from the closest earlier call in:" + difference));
  }
  // A trace that reads values of an outer trace is of no use after it; it is not kept.
  const Closed& closed = record->traced.closed;
  if (closed.outer_literal || std::any_of(closed.captures.begin(), closed.captures.end(), [](const Array& a) {
        return a.traced() || made_in_a_live_trace(a);
      }))
    return record;
  if (const RecordPtr first = kept(state, s.key)) return first;  // of another thread that was tracing too
  if (state.records.size() >= max_records) state.records.erase(state.records.begin());
  state.records.push_back(record);
  return record;
}

/// How many leaves the first argument has, after making sure that the result begins with the same tree: only
/// leaves are written back.
std::size_t check_state(const JitState& state, Record& record, const Signature& s,
                        std::span<const ArgRef> args, Where where) {
  if (!record.returns_state) {
    const std::string must = state.name() + ": update must get back the state that it gave";
    require_returned(must, args[0].tree, "args[0]", record.traced, record.pattern, where);
    record.returns_state = true;
  }
  return static_cast<std::size_t>(
      std::count_if(s.leaves.begin(), s.leaves.end(), [](const LeafRef& l) { return l.argument == 0; }));
}

Arrays leaves_of(const Signature& s) {
  Arrays leaves;
  for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
  return leaves;
}

/// One line, the first time that a leaf was donated and yet had to be copied.
void tell_denied(JitState& state, const DonationPlan& plan, Where where) {
  if (plan.denied == 0 || state.told_denied) return;
  state.told_denied = true;
  const auto shared = [](const DonatedLeaf& leaf) { return leaf.fate == DonatedLeaf::Fate::shared; };
  const DonatedLeaf& leaf = *std::find_if(plan.report.leaves.begin(), plan.report.leaves.end(), shared);
  log(state.name() + ": " + leaf.path + " " + show(leaf.type) + " was donated, and shares its memory with " +
      leaf.detail + ", so it is copied" +
      (plan.denied > 1 ? ", one of " + std::to_string(plan.denied) + " leaves" : "") + "; called at " +
      show(where));
}

/// Runs the record on the caller's leaves, which stay whole if this throws.
Arrays run_record(JitState& state, Record& record, const Signature& s, std::span<const ArgRef> args,
                  Where where, Lock& lock) {
  if (Trace::current()) {
    lock.unlock();
    return lax::call(record.traced.closed.program, record.traced.inputs(leaves_of(s)), state.short_name(),
                     where);
  }
  if (std::any_of(s.leaves.begin(), s.leaves.end(), [](const LeafRef& l) { return l.array->traced(); }))
    require_values(leaves_of(s), state.name(), where);
  DonationPlan plan = plan_donation(record.traced, s, args, record.arguments.leaf_paths, record.result_paths);
  if (state.site.options.donation == Donation::required) require_reuse(plan.report, state.name(), where);
  tell_denied(state, plan, where);
  const Engine engine = default_engine();
  if (record.executable && record.engine == engine && record.take == plan.take) {
    count().cache_hits.fetch_add(1, std::memory_order_relaxed);
  } else {
    record.executable = executable_of(record.traced.closed.program, plan.take, engine);
    record.take = std::move(plan.take), record.engine = engine;
  }
  count().denied_donations.fetch_add(plan.denied, std::memory_order_relaxed);
  if (plan.any) state.last = std::move(plan.report);
  const ExecutablePtr executable = record.executable;
  lock.unlock();
  return executable->run(record.traced.inputs(leaves_of(s)));
}

Called run(JitState& state, std::span<const ArgRef> args, Body body, bool writes_back) {
  const Where where = args.empty() ? Where{} : args[0].where;
  const Signature s = sign(args);
  Lock lock(state.mutex);
  refuse_donated(state, s, args);
  const RecordPtr record = find(state, args, s, body, where, lock);
  const std::size_t state_leaves = writes_back ? check_state(state, *record, s, args, where) : 0;
  Arrays out = record->traced.outputs(run_record(state, *record, s, args, where, lock));
  for (std::size_t i = 0; i < state_leaves; ++i) *s.leaves[i].array = std::move(out[i]);
  out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(state_leaves));
  for (std::size_t i = state_leaves; i < s.leaves.size(); ++i) {
    const LeafRef& leaf = s.leaves[i];
    if (leaf.donated && !leaf.array->empty())
      *leaf.array = donated_at(leaf.array->type(), args[static_cast<std::size_t>(leaf.argument)].where);
  }
  return {record->pattern, std::move(out)};
}

}  // namespace

Called call(JitState& state, std::span<ArgRef> args, Body body) { return run(state, args, body, false); }
Called update(JitState& state, std::span<ArgRef> args, Body body) { return run(state, args, body, true); }

namespace {
RecordPtr record_for(JitState& state, std::span<ArgRef> args, Body body) {
  const Signature s = sign(args);
  Lock lock(state.mutex);
  refuse_donated(state, s, args);
  return find(state, args, s, body, args.empty() ? Where{} : args[0].where, lock);
}
}  // namespace

Program program(JitState& state, std::span<ArgRef> args, Body body) {
  return record_for(state, args, body)->traced.closed.program;
}

std::string listing(JitState& state, std::span<ArgRef> args, Body body) {
  const RecordPtr record = record_for(state, args, body);
  return baton::listing(record->traced.closed.program);
}

DonationReport donation_report(const JitState& state) {
  std::lock_guard lock(const_cast<JitState&>(state).mutex);
  return state.last;
}

}  // namespace core

void clear_caches() {
  clear_executables();
  clear_transforms();
}

}  // namespace baton
