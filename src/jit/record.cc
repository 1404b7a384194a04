// record: from the arguments of a call to the record of their signature, traced where there is none.
#include "jit/record.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"

namespace baton::core {
namespace {

constexpr std::size_t max_records =
    1024;  // of one Jit: a constant that changes at each call must not fill the memory

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

/// Traces the function, without the lock: it may call other Jits, and this one with another signature.
RecordPtr trace_record(const JitState& state, const Signature& s, Description arguments, Body body,
                       Where where) {
  const TracedCall call(where);
  auto record = std::make_shared<Record>();
  record->key = s.key;
  record->arguments = std::move(arguments);
  record->traced =
      trace_tree(state.short_name().c_str(), leaves_of(s), {}, body, state.site.where, record->pattern);
  const Arrays& captures = record->traced.closed.captures;
  for (std::size_t i = 0; i < captures.size() && record->outside < 0; ++i)
    if (!made_inside(captures[i], *record->traced.info)) record->outside = static_cast<int>(i);
  record->result_paths =
      describe(TreeRef{record->pattern.object.get(), record->pattern.visit}, "result").leaf_paths;
  return record;
}

}  // namespace

RecordPtr kept(const JitState& state, const Hash& key) {
  const auto at = std::find_if(state.records.begin(), state.records.end(),
                               [&](const RecordPtr& record) { return record->key == key; });
  return at == state.records.end() ? nullptr : *at;
}

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

bool has_stale_captures(const JitState& state, const Record& record) {
  return !state.site.owns_arrays && record.outside >= 0 && state.site.options.captures != Captures::frozen;
}

void refuse_stale_captures(const JitState& state, const Record& record, Where where) {
  if (!has_stale_captures(state, record)) return;
  const Closed& closed = record.traced.closed;
  const auto which = static_cast<std::size_t>(record.outside);
  throw UsageError(
      state.name() + ": the function reads an array " + show(closed.captures[which].type()) + " at " +
      show(closed.capture_lines[which]) +
      " through a reference or a global, so a later value would never be seen." + called_at(where) +
      "\n  Pass the array as an argument, capture it by value, or say {.captures = Captures::frozen}.");
}

}  // namespace baton::core
