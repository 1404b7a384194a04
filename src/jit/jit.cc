// jit: from a call to its trace record, and from there to an executable. Nothing of the caller's is touched
// before every check, trace and compile has succeeded; after that, donated leaves become results or say where
// they went.
#include "baton/jit.h"

#include <algorithm>

#include "base/counters.h"
#include "base/log.h"
#include "base/text.h"
#include "baton/lax.h"
#include "engines/cpu/cpu.h"
#include "jit/record.h"
#include "transforms/transforms.h"

namespace baton {

namespace core {

std::shared_ptr<JitState> make_jit(const JitSite& site) {
  if (site.options.threads < 0)
    throw UsageError("jit: the number of threads must be positive, or 0 for those of the process, found " +
                     std::to_string(site.options.threads) + "." + called_at(site.where));
  return std::make_shared<JitState>(site);
}

namespace {

void refuse_donated(const JitState& state, const Signature& s, std::span<const ArgRef> args) {
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const Node* n = s.leaves[i].array->node();
    if (!n || n->kind != Node::Kind::donated) continue;
    donated_error(state.name(), "leaf " + describe(args).leaf_paths[i], *n,
                  args[static_cast<std::size_t>(s.leaves[i].argument)].where);
  }
}

/// How many leaves the first argument has, after making sure that the result begins with the same tree: only
/// leaves are written back.
std::size_t check_state(const JitState& state, Record& record, const Signature& s,
                        std::span<const ArgRef> args, Where where) {
  if (record.state_leaves < 0) {
    const std::string must = state.name() + ": update must get back the state that it gave";
    require_returned(must, args[0].tree, "args[0]", record.traced, record.pattern, where);
    record.state_leaves = static_cast<int>(
        std::count_if(s.leaves.begin(), s.leaves.end(), [](const LeafRef& l) { return l.argument == 0; }));
  }
  return static_cast<std::size_t>(record.state_leaves);
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

/// Decides what the donated leaves become, as in the last call if they came as they did then, and finds the
/// executable for it.
void prepare(JitState& state, Record& record, const Signature& s, Gifts& gifts, std::span<const ArgRef> args,
             Where where) {
  gifts.look(s, args);
  const Engine engine = default_engine();
  const bool as_before = record.plan && record.given == gifts.given() && !record.plan->denied;
  if (as_before && record.executable && record.engine == engine) {
    count().cache_hits.fetch_add(1, std::memory_order_relaxed);
  } else {
    record.plan = nullptr;
    auto plan = std::make_shared<DonationPlan>(
        plan_donation(record.traced, s, gifts, record.arguments.leaf_paths, record.result_paths));
    if (record.executable && record.engine == engine && record.take == plan->take) {
      count().cache_hits.fetch_add(1, std::memory_order_relaxed);
    } else {
      record.executable = executable_of(record.traced.closed.program, plan->take, engine);
      record.take = plan->take, record.engine = engine;
      record.workspaces.clear();
    }
    settle(*plan, record.executable->take());
    record.given = gifts.given();
    record.plan = std::move(plan);
  }
  const DonationPlan& plan = *record.plan;
  if (state.site.options.donation == Donation::required) require_reuse(plan.report, state.name(), where);
  tell_denied(state, plan, where);
  if (plan.denied) count().denied_donations.fetch_add(plan.denied, std::memory_order_relaxed);
  if (plan.any) state.last = {record.plan, &plan.report};
}

/// Runs the record on the caller's leaves, which stay whole if this throws. The results come into
/// `c.results`. The first `lent` leaves are donated and will be written again: their handles are out while it
/// runs, so that none is counted up and down.
void run_record(JitState& state, Record& record, JitState::Scratch& c, std::span<const ArgRef> args,
                std::size_t lent, Where where, Lock& lock) {
  const Signature& s = c.signature;
  if (Trace::current()) {
    lock.unlock();
    c.results = lax::call(record.traced.closed.program, record.traced.inputs(leaves_of(s)),
                          state.short_name(), where);
    return;
  }
  if (s.traced) require_values(leaves_of(s), state.name(), where);
  prepare(state, record, s, c.gifts, args, where);
  const ExecutablePtr executable = record.executable;
  std::unique_ptr<Workspace> space = record.workspaces.take();
  lock.unlock();
  if (!space) space = executable->workspace(state.site.options.threads);
  const std::span<const int> taken = executable->take();
  const std::span<const Given> given = c.gifts.given();
  const auto is_lent = [&](std::size_t leaf, std::size_t input) {
    return leaf < lent && given[leaf] == Given::donated && taken[input] >= 0;
  };
  c.results.resize(executable->result_count());
  const auto& captures = record.traced.closed.captures;
  c.inputs.reserve(s.leaves.size() + captures.size());
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    if (!record.traced.present_in[i]) continue;
    Array& leaf = *s.leaves[i].array;
    if (is_lent(i, c.inputs.size()))
      c.inputs.push_back(std::move(leaf));
    else
      c.inputs.push_back(leaf);
  }
  c.inputs.insert(c.inputs.end(), captures.begin(), captures.end());
  try {
    executable->run(*space, c.inputs, c.results);
  } catch (...) {
    std::size_t input = 0;
    for (std::size_t i = 0; i < lent; ++i) {
      if (!record.traced.present_in[i]) continue;
      if (is_lent(i, input)) *s.leaves[i].array = std::move(c.inputs[input]);
      ++input;
    }
    throw;
  }
  c.inputs.clear();
  lock.lock();
  if (record.executable == executable) record.workspaces.give(std::move(space));
  lock.unlock();
}

/// The scratch of one call.
class Borrowed {
 public:
  explicit Borrowed(JitState& state) : state_(state) {
    {
      const Lock lock(state.mutex);
      scratch_ = state.scratch.take();
    }
    if (!scratch_) scratch_ = std::make_unique<JitState::Scratch>();
  }
  ~Borrowed() {
    scratch_->clear();
    const Lock lock(state_.mutex);
    state_.scratch.give(std::move(scratch_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  JitState::Scratch& operator*() const { return *scratch_; }

 private:
  JitState& state_;
  std::unique_ptr<JitState::Scratch> scratch_;
};

void run(JitState& state, std::span<const ArgRef> args, Body body, bool writes_back, Receive receive) {
  const Where where = args.empty() ? Where{} : args[0].where;
  const Borrowed borrowed(state);
  JitState::Scratch& c = *borrowed;
  Signature& s = c.signature;
  sign(args, s);
  Lock lock(state.mutex);
  if (s.given_away) refuse_donated(state, s, args);
  RecordPtr record = kept(state, s.key);
  if (record) {
    refuse_stale_captures(state, *record, where);
  } else {
    record = find(state, args, s, body, where, lock);
    sign(args, s);  // the trace may hold arrays that nobody else held
  }
  const std::size_t state_leaves = writes_back ? check_state(state, *record, s, args, where) : 0;
  run_record(state, *record, c, args, state_leaves, where, lock);
  const Mask& present = record->traced.present_out;
  std::size_t next = 0;
  const auto take = [&](std::size_t leaf) { return present[leaf] ? std::move(c.results[next++]) : Array(); };
  for (std::size_t i = 0; i < state_leaves; ++i) *s.leaves[i].array = take(i);
  for (std::size_t i = state_leaves; i < present.size(); ++i) c.leaves.push_back(take(i));
  for (std::size_t i = state_leaves; i < s.leaves.size(); ++i) {
    const LeafRef& leaf = s.leaves[i];
    if (leaf.donated && !leaf.array->empty())
      *leaf.array = donated_at(leaf.array->type(), args[static_cast<std::size_t>(leaf.argument)].where);
  }
  receive(record->pattern, c.leaves);
}

}  // namespace

void call(JitState& state, std::span<ArgRef> args, Body body, Receive receive) {
  run(state, args, body, false, receive);
}
void update(JitState& state, std::span<ArgRef> args, Body body, Receive receive) {
  run(state, args, body, true, receive);
}

namespace {
/// The record of these arguments, and whatever `use` makes of it under the lock.
template <class F>
auto with_record(JitState& state, std::span<ArgRef> args, Body body, F use) {
  const Borrowed borrowed(state);
  JitState::Scratch& c = *borrowed;
  sign(args, c.signature);
  Lock lock(state.mutex);
  if (c.signature.given_away) refuse_donated(state, c.signature, args);
  const RecordPtr record = find(state, args, c.signature, body, args.empty() ? Where{} : args[0].where, lock);
  return use(*record, c);
}
}  // namespace

PlanReport plan(JitState& state, std::span<ArgRef> args, Body body) {
  return with_record(state, args, body, [&](const Record& record, JitState::Scratch& c) {
    const ProgramData& p = *record.traced.closed.program;
    std::vector<bool> donated(static_cast<std::size_t>(p.input_count));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < c.signature.leaves.size(); ++i) {
      if (!record.traced.present_in[i]) continue;
      donated[names.size()] = c.signature.leaves[i].donated;
      names.push_back(record.arguments.leaf_paths[i]);
    }
    for (const Where& line : record.traced.closed.capture_lines)
      names.push_back("an array captured at " + show(line));
    return executable_of(record.traced.closed.program, match_donated(p, donated), Engine::cpu)->report(names);
  });
}

Program program(JitState& state, std::span<ArgRef> args, Body body) {
  return with_record(state, args, body, [](const Record& record, const JitState::Scratch&) {
    return record.traced.closed.program;
  });
}

std::string listing(JitState& state, std::span<ArgRef> args, Body body) {
  return baton::listing(program(state, args, body));
}

DonationReport donation_report(const JitState& state) {
  std::lock_guard lock(const_cast<JitState&>(state).mutex);
  return *state.last;
}

}  // namespace core

void clear_caches() {
  clear_executables();
  cpu::clear_caches();
  clear_transforms();
}

}  // namespace baton
