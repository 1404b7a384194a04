// jit: from a call to its trace record, and from there to an executable. Nothing of the caller's is touched before every
// check, trace and compile has succeeded; after that, donated leaves become results or say where they went.
#include "baton/jit.h"

#include <chrono>
#include <mutex>

#include "base/counters.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "baton/lax.h"
#include "jit/cache.h"
#include "jit/traced_tree.h"
#include "transforms/transforms.h"

namespace baton {
namespace core {
namespace {

/// One leaf of the arguments of a call.
struct LeafRef {
  Array* array;
  int argument;
  bool donated;
};

/// Collects the leaves of a call and the hash of everything that a trace depends on.
class Signature final : public LeafVisitor {
 public:
  std::vector<LeafRef> leaves;
  Hasher hasher;
  int argument = 0;
  bool donated = false;

  void array(Array& a, Role role) override {
    leaves.push_back({&a, argument, donated});
    const Node* n = a.node();
    if (!n || n->kind == Node::Kind::donated) {
      hasher.integer(-1);
      return;
    }
    hasher.integer(static_cast<int>(role)).integer(static_cast<int>(n->type.dtype)).integer(n->type.rank());
    for (std::int64_t extent : n->type.shape) hasher.integer(extent);
  }
  void constant(std::string_view bytes, std::string_view kind) override { hasher.text(kind).text(bytes); }
  void enter(std::string_view) override {}
  void enter(std::size_t) override {}
  void leave() override {}
};

/// The same as lines of text, for explanations: path -> type or value.
class Described final : public LeafVisitor {
 public:
  std::vector<std::pair<std::string, std::string>> lines;
  std::vector<std::string> leaf_paths;
  explicit Described(std::string root) : path_(std::move(root)) {}
  void array(Array& a, Role) override {
    lines.emplace_back(path_, a.empty() ? "empty" : show(a.type()));
    leaf_paths.push_back(path_);
  }
  void constant(std::string_view bytes, std::string_view kind) override {
    std::string value;
    if (kind == "real") {
      value = bytes.size() == 4 ? show_real(static_cast<double>(read<float>(bytes))) : bytes.size() == 8 ? show_real(read<double>(bytes)) : "a real number";
    } else if (kind == "bool") {
      value = bytes[0] ? "true" : "false";
    } else if (kind == "text" || kind == "key") {
      value = "\"" + std::string(bytes) + "\"";
    } else {
      std::int64_t i = 0;
      std::memcpy(&i, bytes.data(), std::min(bytes.size(), sizeof i));
      value = std::to_string(bytes.size() == 4 ? static_cast<std::int32_t>(i) : i);
    }
    lines.emplace_back(kind == "size" ? path_ + " (size)" : path_, value);
  }
  void enter(std::string_view name) override {
    ends_.push_back(path_.size());
    path_ += "." + std::string(name);
  }
  void enter(std::size_t index) override {
    ends_.push_back(path_.size());
    path_ += "[" + std::to_string(index) + "]";
  }
  void leave() override {
    path_.resize(ends_.back());
    ends_.pop_back();
  }

 private:
  template <class T>
  static T read(std::string_view bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string path_;
  std::vector<std::size_t> ends_;
};

/// What one trace of the function gave.
struct Record {
  Hash key;
  TracedTree traced;
  detail::Result pattern;
  Executable executable;
  std::vector<std::pair<std::string, std::string>> signature;
  std::vector<std::string> argument_paths, result_paths;  // of leaves
  int calls = 0;
};

}  // namespace

class JitState {
 public:
  explicit JitState(const JitSite& s) : site(s) {}
  std::string name() const {
    return site.options.name[0] ? "`" + std::string(site.options.name) + "` (jit at " + show(site.where) + ")"
                                : "jit at " + show(site.where);
  }

  const JitSite site;
  std::recursive_mutex mutex;  // one thread traces at a time; a function may call its own jit with another signature
  std::vector<std::shared_ptr<Record>> records;
  DonationReport last;  // of the last call that donated something
};

std::shared_ptr<JitState> make_jit(const JitSite& site) { return std::make_shared<JitState>(site); }

namespace {

std::vector<std::pair<std::string, std::string>> describe(std::span<const ArgRef> args, std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::size_t i = 0; i < args.size(); ++i) {
    Described d("args[" + std::to_string(i) + "]");
    args[i].tree.visit(args[i].tree.object, d);
    lines.insert(lines.end(), d.lines.begin(), d.lines.end());
    paths.insert(paths.end(), d.leaf_paths.begin(), d.leaf_paths.end());
  }
  return lines;
}

/// The differences from the record that is nearest, a line each.
std::string difference(const std::vector<std::shared_ptr<Record>>& records,
                       const std::vector<std::pair<std::string, std::string>>& now) {
  std::string best;
  std::size_t fewest = static_cast<std::size_t>(-1);
  for (const auto& record : records) {
    std::string text;
    std::size_t n = 0;
    const auto& before = record->signature;
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
      const std::string path = i < now.size() ? now[i].first : before[i].first;
      const std::string was = i < before.size() ? before[i].second : "nothing", is = i < now.size() ? now[i].second : "nothing";
      if (i < before.size() && i < now.size() && before[i] == now[i]) continue;
      ++n;
      if (n <= 8) text += "\n  " + path + "    " + was + " -> " + is;
    }
    if (n < fewest) {
      fewest = n;
      best = text + (n > 8 ? "\n  and " + std::to_string(n - 8) + " more" : "");
    }
  }
  return best;
}

Signature sign(std::span<const ArgRef> args) {
  Signature s;
  for (std::size_t i = 0; i < args.size(); ++i) {
    s.argument = static_cast<int>(i);
    s.donated = args[i].donated;
    args[i].tree.visit(args[i].tree.object, s);
  }
  return s;
}

void refuse_donated(const JitState& state, const Signature& s, std::span<const ArgRef> args) {
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const Node* n = s.leaves[i].array->node();
    if (!n || n->kind != Node::Kind::donated) continue;
    std::vector<std::string> paths;
    describe(args, paths);
    throw UsageError(state.name() + ": leaf " + paths[i] + " is empty: it was donated at " + show(n->where) +
                     " and not replaced." + called_at(args[static_cast<std::size_t>(s.leaves[i].argument)].where));
  }
}

/// Finds the record of this signature, or traces the function.
std::shared_ptr<Record> find(JitState& state, std::span<const ArgRef> args, Signature& s, Body body, Where where) {
  const Hash key = s.hasher.finish();
  for (const auto& record : state.records) {
    if (record->key != key) continue;
    ++record->calls;
    if (!state.site.owns_arrays && !record->traced.closed.captures.empty() && state.site.options.captures == Captures::by_value) {
      const Array& a = record->traced.closed.captures[0];
      throw UsageError(state.name() + ": the function reads an array " + show(a.type()) + " at " +
                       show(record->traced.closed.capture_lines[0]) +
                       " through a reference or a global, so a later value would never be seen." + called_at(where) +
                       "\n  Pass the array as an argument, capture it by value, or say {.captures = Captures::frozen}.");
    }
    return record;
  }
  auto record = std::make_shared<Record>();
  record->key = key;
  record->signature = describe(args, record->argument_paths);
  if (!state.records.empty() && !state.site.options.allow_retrace)
    throw UsageError(state.name() + ": a second signature, and retracing is not allowed." + called_at(where) +
                     "\n  It differs from the closest earlier call in:" + difference(state.records, record->signature) +
                     "\n  Keep the types and constants of the arguments as they were, or allow_retrace.");
  const auto start = std::chrono::steady_clock::now();
  Arrays leaves;
  for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
  const std::string who = state.site.options.name[0] ? state.site.options.name : "jit";
  record->traced = trace_tree(who.c_str(), leaves, {}, body, state.site.where, record->pattern);
  Described result("result");
  record->pattern.visit(record->pattern.object.get(), result);
  record->result_paths = result.leaf_paths;
  bool concrete = true;
  for (const Array& a : record->traced.closed.captures) concrete = concrete && !a.traced();
  if (log_compiles()) {
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    log("traced " + state.name() + ": " + std::to_string(record->traced.closed.program.equation_count()) +
        " equations, " + std::to_string(ms) + " ms" +
        (state.records.empty() ? "" : "; differs from the closest earlier call in:" + difference(state.records, record->signature)));
  }
  // A trace that reads values of an outer trace is of no use after it; it is not kept.
  if (concrete) state.records.push_back(record);
  return record;
}

/// Which result takes the memory of each donated input of the Program: -1 none.
std::vector<int> match(const ProgramData& p, const std::vector<bool>& donated) {
  std::vector<int> take(static_cast<std::size_t>(p.input_count), -1);
  std::vector<bool> taken(p.outputs.size());
  // A result that is an input is that input's memory.
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    const Var v = p.outputs[k];
    if (!p.is_input(v)) continue;
    taken[k] = true;
    if (donated[static_cast<std::size_t>(v)] && take[static_cast<std::size_t>(v)] < 0) take[static_cast<std::size_t>(v)] = static_cast<int>(k);
  }
  auto fits = [&](std::size_t i, std::size_t k) { return !taken[k] && p.type(p.outputs[k]) == p.types[i]; };
  auto give = [&](std::size_t i, std::size_t k) {
    take[i] = static_cast<int>(k);
    taken[k] = true;
  };
  for (std::size_t i = 0; i < take.size(); ++i)  // the same place first: a state hands each leaf on to itself
    if (donated[i] && take[i] < 0 && i < p.outputs.size() && fits(i, i)) give(i, i);
  for (std::size_t i = 0; i < take.size(); ++i)
    for (std::size_t k = 0; donated[i] && take[i] < 0 && k < p.outputs.size(); ++k)
      if (fits(i, k)) give(i, k);
  return take;
}

/// Where leaf i of the call is an input of the Program: -1 for empty leaves.
std::vector<int> input_of_leaf(const TracedTree& traced) {
  std::vector<int> input;
  int next = 0;
  for (bool present : traced.present_in) input.push_back(present ? next++ : -1);
  return input;
}
std::vector<std::size_t> leaf_of_output(const TracedTree& traced) {
  std::vector<std::size_t> leaf;
  for (std::size_t k = 0; k < traced.present_out.size(); ++k)
    if (traced.present_out[k]) leaf.push_back(k);
  return leaf;
}

struct Ready {
  std::shared_ptr<Record> record;
  Signature signature;
};

Called run(JitState& state, std::span<const ArgRef> args, Body body, bool writes_back) {
  const Where where = args.empty() ? Where{} : args[0].where;
  Signature s = sign(args);
  std::unique_lock lock(state.mutex);
  refuse_donated(state, s, args);
  const std::shared_ptr<Record> record = find(state, args, s, body, where);
  const TracedTree& traced = record->traced;
  const Program& program = traced.closed.program;
  const ProgramData& p = *program;

  std::size_t state_leaves = 0;
  if (writes_back) {  // the result's first leaves must be the state's, leaf by leaf
    for (const LeafRef& leaf : s.leaves) state_leaves += leaf.argument == 0;
    const auto wrong = [&](std::size_t i, const std::string& found) {
      throw UsageError(state.name() + ": update must get back the state that it gave; leaf " +
                       record->argument_paths[i] + " must be " +
                       (s.leaves[i].array->empty() ? "empty" : show(s.leaves[i].array->type())) + ", found " + found +
                       "." + called_at(where) + "\n  Convert it with astype, or keep the leaf as it was.");
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < state_leaves; ++i) {
      const Array& a = *s.leaves[i].array;
      if (i >= traced.present_out.size()) wrong(i, "no such leaf");
      const bool there = traced.present_out[i];
      if (there == a.empty()) wrong(i, there ? show(p.type(p.outputs[next])) : "an empty leaf");
      if (there && p.type(p.outputs[next]) != a.type()) wrong(i, show(p.type(p.outputs[next])));
      next += there;
    }
  }

  Arrays leaves;
  for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
  Arrays results;
  if (Trace::current()) {
    lock.unlock();
    results = lax::call(program, traced.inputs(leaves), state.site.options.name[0] ? state.site.options.name : "jit", where);
  } else {
    leaves.clear();  // so that the caller's handles are the only ones again
    std::vector<bool> donated(static_cast<std::size_t>(p.input_count));
    const std::vector<int> input = input_of_leaf(traced);
    bool any = false, const_move = false;
    for (const ArgRef& a : args) const_move = const_move || a.const_move;
    for (std::size_t i = 0; i < s.leaves.size(); ++i)
      if (s.leaves[i].donated && input[i] >= 0) any = donated[static_cast<std::size_t>(input[i])] = true;
    std::vector<int> take = match(p, donated);
    DonationReport report;
    if (any || const_move) {
      const auto output_leaf = leaf_of_output(traced);
      for (std::size_t i = 0; i < s.leaves.size(); ++i) {
        const bool moved_const = args[static_cast<std::size_t>(s.leaves[i].argument)].const_move;
        if ((!s.leaves[i].donated && !moved_const) || input[i] < 0) continue;
        const Array& a = *s.leaves[i].array;
        DonatedLeaf leaf{record->argument_paths[i], a.type(), DonatedLeaf::Fate::freed, {}, a.type().bytes()};
        int& to = take[static_cast<std::size_t>(input[i])];
        const bool passes = to >= 0 && p.outputs[static_cast<std::size_t>(to)] == input[i];  // returned as it is
        if (moved_const) {
          leaf.fate = DonatedLeaf::Fate::not_usable;
          leaf.detail = "std::move of a const object";
        } else if (!sole_owner(a) && !passes) {
          leaf.fate = DonatedLeaf::Fate::shared;
          for (std::size_t j = 0; j < s.leaves.size(); ++j)
            if (j != i && s.leaves[j].array->node() && !s.leaves[j].array->empty() &&
                s.leaves[j].array->node()->buffer == a.node()->buffer)
              leaf.detail = record->argument_paths[j];
          if (a.node()->buffer->borrowed) leaf.detail = "borrowed memory";
          to = -1;
          count().denied_donations.fetch_add(1, std::memory_order_relaxed);
        } else if (to >= 0) {
          leaf.fate = DonatedLeaf::Fate::reused;
          leaf.detail = record->result_paths[output_leaf[static_cast<std::size_t>(to)]];
          report.reused_bytes += leaf.bytes;
        } else {
          leaf.fate = DonatedLeaf::Fate::not_usable;
          leaf.detail = "no output of type " + show(leaf.type);
        }
        report.donated_bytes += leaf.bytes;
        report.leaves.push_back(std::move(leaf));
      }
      if (state.site.options.donation == Donation::required)
        for (const DonatedLeaf& leaf : report.leaves)
          if (leaf.fate != DonatedLeaf::Fate::reused)
            throw UsageError(state.name() + ": donation is required, and " + leaf.path + " " + show(leaf.type) +
                             " cannot be donated: " +
                             (leaf.fate == DonatedLeaf::Fate::shared
                                  ? "it shares its memory with " + (leaf.detail.empty() ? "another handle" : leaf.detail)
                                  : leaf.detail) +
                             "." + called_at(where) + "\n  Give it memory of its own with clone, pass it as an lvalue, or drop the requirement.");
    }
    if (!record->executable) {
      record->executable = executable_of(program);
    } else {
      count().cache_hits.fetch_add(1, std::memory_order_relaxed);
    }
    const Executable executable = record->executable;
    if (any || const_move) state.last = std::move(report);
    lock.unlock();
    for (const LeafRef& leaf : s.leaves) leaves.push_back(*leaf.array);
    results = reference::run(*executable, traced.inputs(leaves), take);
    leaves.clear();
  }
  Arrays out = traced.outputs(results);
  results.clear();
  if (writes_back) {
    for (std::size_t i = 0; i < state_leaves; ++i) *s.leaves[i].array = std::move(out[i]);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(state_leaves));
  }
  for (const LeafRef& leaf : s.leaves) {
    if (!leaf.donated || leaf.array->empty() || (writes_back && leaf.argument == 0)) continue;
    *leaf.array = donated_at(leaf.array->type(), args[static_cast<std::size_t>(leaf.argument)].where);
  }
  return {record->pattern, std::move(out)};
}

}  // namespace

Called call(JitState& state, std::span<ArgRef> args, Body body) { return run(state, args, body, false); }
Called update(JitState& state, std::span<ArgRef> args, Body body) { return run(state, args, body, true); }

Program program(JitState& state, std::span<ArgRef> args, Body body) {
  Signature s = sign(args);
  std::lock_guard lock(state.mutex);
  refuse_donated(state, s, args);
  return find(state, args, s, body, args.empty() ? Where{} : args[0].where)->traced.closed.program;
}

DonationReport donation_report(const JitState& state) {
  std::lock_guard lock(const_cast<JitState&>(state).mutex);
  return state.last;
}

}  // namespace core

std::string DonationReport::text() const {
  std::string s = "donated " + bytes_text(static_cast<std::int64_t>(donated_bytes)) + " in " +
                  std::to_string(leaves.size()) + " leaves, reused " + bytes_text(static_cast<std::int64_t>(reused_bytes)) + "\n";
  for (const DonatedLeaf& leaf : leaves) {
    s += "  " + leaf.path + " " + show(leaf.type) + ": ";
    switch (leaf.fate) {
      case DonatedLeaf::Fate::reused: s += "reused by " + leaf.detail; break;
      case DonatedLeaf::Fate::freed: s += "freed early"; break;
      case DonatedLeaf::Fate::shared:
        s += "not reused: it is also " + (leaf.detail.empty() ? "held by another handle" : leaf.detail) + "; separate values from now on";
        break;
      case DonatedLeaf::Fate::not_usable: s += "not usable: " + leaf.detail; break;
    }
    s += "\n";
  }
  return s;
}

void clear_caches() {
  clear_executables();
  clear_transforms();
}

}  // namespace baton
