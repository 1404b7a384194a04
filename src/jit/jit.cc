// jit: from a call to its trace record, and from there to an executable. Nothing of the caller's is touched
// before every check, trace and compile has succeeded; after that, donated leaves become results or say where
// they went.
#include "baton/jit.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>

#include "base/counters.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "baton/lax.h"
#include "engines/cpu/cpu.h"
#include "jit/record.h"
#include "plan/report.h"
#include "transforms/transforms.h"

namespace baton {

namespace core {

std::shared_ptr<JitState> make_jit(const JitSite& site) {
  if (site.options.threads < 0 || site.options.threads > cpu::most_threads)
    throw UsageError("jit: the number of threads must be from 1 to " + std::to_string(cpu::most_threads) +
                     ", or 0 for those of the process, found " + std::to_string(site.options.threads) + "." +
                     called_at(site.where));
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

/// One line, the first time that a leaf was donated and yet could not be used again.
void tell_denied(JitState& state, const DonationPlan& plan, Where where) {
  if (plan.denied == 0 || state.told_denied) return;
  state.told_denied = true;
  const auto shared = [](const DonatedLeaf& leaf) { return leaf.fate == DonatedLeaf::Fate::shared; };
  const DonatedLeaf& leaf = *std::find_if(plan.report.leaves.begin(), plan.report.leaves.end(), shared);
  log(state.name() + ": " + leaf.path + " " + show(leaf.type) + " was donated, but shares its memory with " +
      leaf.detail + ", so the result takes memory of its own" +
      (plan.denied > 1 ? ", as for " + std::to_string(plan.denied - 1) + " other leaves" : "") +
      "; called at " + show(where) + ". Let the other go before the call, or `clone` it.");
}

/// What is decided for a call whose leaves come so: what was for the last one, or something new.
ReadyPtr prepare(JitState& state, Record& record, const JitState::Scratch& c, Where where) {
  const Engine engine = default_engine();
  const ReadyPtr last = record.ready && record.ready->engine == engine ? record.ready : nullptr;
  if (last && last->given == c.gifts.given() && !last->plan.denied) {
    count().cache_hits.fetch_add(1, std::memory_order_relaxed);
  } else {
    auto now = std::make_shared<Ready>(Ready{
        c.gifts.given(), engine,
        plan_donation(record.traced, c.signature, c.gifts, record.arguments.leaf_paths, record.result_paths),
        nullptr});
    if (last && last->plan.take == now->plan.take) {
      count().cache_hits.fetch_add(1, std::memory_order_relaxed);
      now->executable = last->executable;
    } else {
      now->executable =
          executable_of(record.traced.closed.program, now->plan.take, engine, state.site.options.threads);
      record.workspaces.clear();
    }
    settle(now->plan, now->executable->take());
    record.ready = std::move(now);
  }
  const DonationPlan& plan = record.ready->plan;
  if (state.site.options.donation == Donation::required) require_reuse(plan.report, state.name(), where);
  tell_denied(state, plan, where);
  if (plan.denied) count().denied_donations.fetch_add(plan.denied, std::memory_order_relaxed);
  if (plan.any) state.last = {record.ready, &plan.report};
  return record.ready;
}

/// Whether the call comes as the last one with this scratch did, so that all is known that it needs.
bool comes_as_before(JitState::Scratch& c, std::span<const ArgRef> args, bool writes_back) {
  const Signature& s = c.signature;
  if (!c.repeats || c.record->key != s.key || s.traced || s.given_away || Trace::current() ||
      c.ready->engine != default_engine() || (writes_back && c.state_leaves < 0))
    return false;
  c.gifts.look(s, args);
  return c.ready->given == c.gifts.given();
}

/// Leaves the workspace of the last call to others, and takes one for this record.
void take_workspace(JitState::Scratch& c, const RecordPtr& record, ReadyPtr ready) {
  if (c.space && c.ready->executable != ready->executable) {
    const ReadyPtr& others = c.record->ready;
    if (others && others->executable == c.ready->executable) c.record->workspaces.give(std::move(c.space));
    c.space.reset();
  }
  if (!c.space) c.space = record->workspaces.take();
  c.record = record, c.ready = std::move(ready);
}

/// The inputs of a record's Program: leaves by their paths, then captured arrays.
std::vector<std::string> input_names(const Record& record) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < record.arguments.leaf_paths.size(); ++i)
    if (record.traced.present_in[i]) names.push_back(record.arguments.leaf_paths[i]);
  for (const Where& line : record.traced.closed.capture_lines)
    names.push_back("an array captured at " + show(line));
  return names;
}

/// Runs the record on the caller's leaves, which stay whole if this throws. The results come into
/// `c.results`. The first `lent` leaves are donated and will be written again: their handles are out while it
/// runs, so that none is counted up and down.
void execute(const JitState& state, JitState::Scratch& c, std::size_t lent, Where where) {
  const Signature& s = c.signature;
  const TracedTree& traced = c.record->traced;
  const Executable& executable = *c.ready->executable;
  if (!c.space) c.space = executable.workspace(state.site.options.threads);
  const std::span<const int> taken = executable.take();
  const std::span<const Given> given = c.gifts.given();
  const auto is_lent = [&](std::size_t leaf, std::size_t input) {
    return leaf < lent && given[leaf] == Given::donated && taken[input] >= 0;
  };
  c.results.resize(executable.result_count());
  const auto& captures = traced.closed.captures;
  c.inputs.reserve(s.leaves.size() + captures.size());
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    if (!traced.present_in[i]) continue;
    Array& leaf = *s.leaves[i].array;
    if (is_lent(i, c.inputs.size()))
      c.inputs.push_back(std::move(leaf));
    else
      c.inputs.push_back(leaf);
  }
  c.inputs.insert(c.inputs.end(), captures.begin(), captures.end());
  try {
    run_named(
        executable, [&] { executable.run(*c.space, c.inputs, c.results); },
        [&] { return refusal(state.name(), executable.report(input_names(*c.record)), where); });
  } catch (...) {
    std::size_t input = 0;
    for (std::size_t i = 0; i < lent; ++i) {
      if (!traced.present_in[i]) continue;
      if (is_lent(i, input)) *s.leaves[i].array = std::move(c.inputs[input]);
      ++input;
    }
    c.space = nullptr;
    throw;
  }
  c.inputs.clear();
}

/// The scratch of one call.
class Borrowed {
 public:
  explicit Borrowed(JitState& state) : state_(state), scratch_(state.at_hand.exchange(nullptr)) {
    if (scratch_) return;
    {
      const Lock lock(state.mutex);
      scratch_ = state.scratch.take();
    }
    if (!scratch_) scratch_ = std::make_unique<JitState::Scratch>();
  }
  ~Borrowed() {
    scratch_->clear();
    std::unique_ptr<JitState::Scratch> other(state_.at_hand.exchange(scratch_.release()));
    if (!other) return;
    const Lock lock(state_.mutex);
    state_.scratch.give(std::move(other));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  JitState::Scratch& operator*() const { return *scratch_; }

 private:
  JitState& state_;
  std::unique_ptr<JitState::Scratch> scratch_;
};

/// What stands in the place of a state and of donated leaves, and the results that are none of the state.
void hand_over(const Record& record, JitState::Scratch& c, std::span<const ArgRef> args,
               std::size_t state_leaves, Receive receive) {
  const Signature& s = c.signature;
  const Mask& present = record.traced.present_out;
  std::size_t next = 0;
  const auto take = [&](std::size_t leaf) { return present[leaf] ? std::move(c.results[next++]) : Array(); };
  for (std::size_t i = 0; i < state_leaves; ++i) *s.leaves[i].array = take(i);
  for (std::size_t i = state_leaves; i < present.size(); ++i) c.leaves.push_back(take(i));
  for (std::size_t i = state_leaves; i < s.leaves.size(); ++i) {
    const LeafRef& leaf = s.leaves[i];
    if (leaf.donated && !leaf.array->empty())
      *leaf.array = donated_at(leaf.array->type(), args[static_cast<std::size_t>(leaf.argument)].where);
  }
  receive(record.pattern, c.leaves);
}

void run(JitState& state, std::span<const ArgRef> args, Body body, bool writes_back, Receive receive) {
  const Where where = args.empty() ? Where{} : args[0].where;
  const Borrowed borrowed(state);
  JitState::Scratch& c = *borrowed;
  Signature& s = c.signature;
  sign(args, s);
  if (comes_as_before(c, args, writes_back)) {
    count().cache_hits.fetch_add(1, std::memory_order_relaxed);
    const std::size_t lent = writes_back ? static_cast<std::size_t>(c.state_leaves) : 0;
    execute(state, c, lent, where);
    return hand_over(*c.record, c, args, lent, receive);
  }
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
  if (Trace::current()) {
    lock.unlock();
    c.results = lax::call(record->traced.closed.program, record->traced.inputs(leaves_of(s)),
                          state.short_name(), where);
    return hand_over(*record, c, args, state_leaves, receive);
  }
  if (s.traced) require_values(leaves_of(s), state.name(), where);
  c.gifts.look(s, args);
  take_workspace(c, record, prepare(state, *record, c, where));
  c.state_leaves = record->state_leaves;
  c.repeats = kept(state, s.key) == record && !may_be_stale(state, *record) && !c.ready->plan.denied;
  lock.unlock();
  execute(state, c, state_leaves, where);
  hand_over(*record, c, args, state_leaves, receive);
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
    std::vector<bool> donated;
    for (std::size_t i = 0; i < c.signature.leaves.size(); ++i)
      if (record.traced.present_in[i]) donated.push_back(c.signature.leaves[i].donated);
    donated.resize(static_cast<std::size_t>(p.input_count));  // captured arrays are not
    return executable_of(record.traced.closed.program, match_donated(p, donated), Engine::cpu,
                         state.site.options.threads)
        ->report(input_names(record));
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
  free_kept_memory();  // idle arenas too; last, since the others give back memory
#ifdef __GLIBC__
  malloc_trim(0);  // what is freed between what lives is kept back otherwise
#endif
}

}  // namespace baton
