// parallel: interpreter.run_parallel. The processes are walked in turn into one Program; one that meets a
// collective waits until all of its group have met it.
#include <algorithm>
#include <deque>
#include <map>

#include "base/text.h"
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

/// Whether a process waits here for others: the rows of the table that alone are refused.
bool meets_others(Text name) { return find_handler(name) == read_collective; }

struct Process {
  const mlir::Function* function = nullptr;
  std::int64_t replica = 0, partition = 0;
  Scope scope = {};
  std::size_t next = 0;  // operation
  bool done = false;
  Values results = {};
  const Op& op() const { return function->body.ops[next]; }
};

class Machine {
 public:
  explicit Machine(Context& c) : c_(c) {}
  void run();

 private:
  void start();
  void walk(Process&);
  bool meet(Process&);
  std::vector<std::vector<std::size_t>> groups(const Context&) const;
  bool collective(Process&, const Context&);
  std::vector<Values> results_of(const Context&, const std::vector<std::size_t>& group);
  std::size_t at(std::int64_t replica, std::int64_t partition) const {
    return static_cast<std::size_t>(replica * partitions_ + partition);
  }
  static std::int64_t channel(const Context& c);

  Context& c_;
  std::int64_t replicas_ = 0, partitions_ = 0;
  std::deque<Process> processes_;
  std::deque<Text> infeed_;
  std::map<std::int64_t, std::deque<Value>> sent_;
};

std::int64_t Machine::channel(const Context& c) {
  const Attribute* a = c.find("channel_handle");
  if (!a) return 0;
  for (const auto& [key, value] : mlir::fields_of(*a, c.importer.module))
    if (key == "handle") return value.integer;
  return 0;
}

void Machine::start() {
  const Attribute& programs = c_.need("programs");
  replicas_ = static_cast<std::int64_t>(programs.items.size());
  partitions_ = replicas_ ? static_cast<std::int64_t>(programs.items[0].items.size()) : 0;
  if (const Attribute* feed = c_.find("infeed"))
    for (const Attribute& f : feed->items) infeed_.push_back(f.text);
  std::size_t operand = 0;
  for (std::int64_t r = 0; r < replicas_; ++r) {
    const auto& row = programs.items[static_cast<std::size_t>(r)].items;
    if (static_cast<std::int64_t>(row.size()) != partitions_)
      c_.fail("every replica must have as many partitions.");
    for (std::int64_t p = 0; p < partitions_; ++p) {
      const Text name = row[static_cast<std::size_t>(p)].text;
      const mlir::Function* f = c_.importer.module.find(name);
      if (!f || !f->has_body) c_.fail("there is no function @" + std::string(name) + ".");
      processes_.push_back({f, r, p});
      for (const auto& a : f->arguments)
        c_.importer.define(processes_.back().scope, a.name, {c_.value(operand++)}, f->at);
    }
  }
}

void Machine::walk(Process& p) {
  c_.importer.replica = p.replica;
  c_.importer.partition = p.partition;
  for (; p.next < p.function->body.ops.size(); ++p.next) {
    const Op& op = p.op();
    if (meets_others(op.name)) return;
    if (op.name == "return" || op.name == "func.return") {
      if (&op != &p.function->body.ops.back())
        c_.importer.fail((&op + 1)->at, "an operation follows `return`.");
      p.results = c_.importer.returned(op, p.scope, p.function);
      p.done = true;
      return;
    }
    c_.importer.operation(op, p.scope);
  }
  c_.importer.fail(p.function->at, "the function @" + std::string(p.function->name) + " has no `return`.");
}

/// The groups of processes that this operation names, each in its order.
std::vector<std::vector<std::size_t>> Machine::groups(const Context& c) const {
  const Text name = c.op.name;
  const bool permute = name == "stablehlo.collective_permute";
  const Attribute& a = c.need(permute ? "source_target_pairs" : "replica_groups");
  const auto ids = c.integers(permute ? "source_target_pairs" : "replica_groups");
  if (!a.type.type || a.type.type->rank() != 2) c.fail("a list of lists is required.");
  if (permute && a.type.type->shape[1] != 2) c.fail("pairs of a source and a target are required.");
  const auto width = static_cast<std::size_t>(a.type.type->shape[1]);
  std::vector<std::vector<std::size_t>> out;
  const bool over_channel = channel(c) > 0;
  const bool reduces = name == "stablehlo.all_gather" || !c.op.regions.empty();
  const bool flat = c.find("use_global_device_ids") && c.flag("use_global_device_ids");
  const auto process = [&](std::int64_t replica, std::int64_t partition) {
    if (replica < 0 || replica >= replicas_ || partition < 0 || partition >= partitions_)
      c.fail("an id of a group is out of range.");
    return at(replica, partition);
  };
  for (std::size_t row = 0; width > 0 && row < ids.size() / width; ++row) {
    std::vector<std::int64_t> members;
    for (std::size_t k = 0; k < width; ++k)
      if (permute || ids[row * width + k] >= 0) members.push_back(ids[row * width + k]);
    if (flat) {
      out.emplace_back();
      for (std::int64_t id : members) out.back().push_back(process(id / partitions_, id % partitions_));
    } else if (over_channel && reduces) {  // replicas of the group, on all partitions
      out.emplace_back();
      for (std::int64_t p = 0; p < partitions_; ++p)
        for (std::int64_t r : members) out.back().push_back(process(r, p));
    } else if (over_channel) {  // partitions of the group, for each replica
      for (std::int64_t r = 0; r < replicas_; ++r) {
        out.emplace_back();
        for (std::int64_t p : members) out.back().push_back(process(r, p));
      }
    } else {
      for (std::int64_t p = 0; p < partitions_; ++p) {
        out.emplace_back();
        for (std::int64_t r : members) out.back().push_back(process(r, p));
      }
    }
  }
  for (std::vector<std::size_t> sorted : out) {
    std::sort(sorted.begin(), sorted.end());
    if (!permute && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      c.fail("a group names a process twice.");
  }
  return out;
}

std::vector<Values> Machine::results_of(const Context& first, const std::vector<std::size_t>& group) {
  const Frame frame(first.where);
  const Text name = first.op.name;
  const std::size_t n = group.size();
  std::vector<Arrays> operands;
  for (std::size_t p : group)
    operands.push_back(Context(c_.importer, processes_[p].op(), processes_[p].scope).arrays());
  for (const Arrays& list : operands)
    if (types_of(list) != types_of(operands[0]))
      first.fail("the processes of a group must bring operands of the same types.");
  std::vector<Values> results(n);
  const auto give = [&](std::size_t member, const Array& a) {
    results[member].push_back({a, nullptr, -1, {}});
  };
  for (std::size_t k = 0; k < first.count(); ++k) {
    Arrays parts;
    for (const Arrays& list : operands) parts.push_back(list[k]);
    if (name == "stablehlo.all_gather") {
      const Array all =
          n == 1 ? parts[0] : lax::concatenate(parts, static_cast<int>(first.integer("all_gather_dim")));
      for (std::size_t m = 0; m < n; ++m) give(m, all);
    } else if (name == "stablehlo.all_to_all") {
      const std::int64_t split = first.integer("split_dimension");
      const auto count = static_cast<std::int64_t>(n);
      if (split < 0 || split >= parts[0].rank() || parts[0].dim(static_cast<int>(split)) % count)
        first.fail("the split axis must divide into the " + std::to_string(n) + " processes of the group.");
      const std::int64_t extent = parts[0].dim(static_cast<int>(split)) / count;
      for (std::size_t m = 0; m < n; ++m) {
        Arrays mine;
        const std::int64_t from = static_cast<std::int64_t>(m) * extent;
        for (const Array& a : parts)
          mine.push_back(lax::slice_in_dim(a, from, from + extent, 1, static_cast<int>(split)));
        give(m,
             n == 1 ? mine[0] : lax::concatenate(mine, static_cast<int>(first.integer("concat_dimension"))));
      }
    } else if (name == "stablehlo.collective_broadcast") {
      std::size_t root = 0;
      if (first.flag("has_dynamic_root")) {  // the last operand: one root for each of the others
        if (k + 1 == first.count()) break;
        const auto roots = constant_integers(first, first.count() - 1);
        if (k >= roots.size() || roots[k] < 0 || static_cast<std::size_t>(roots[k]) >= n)
          first.fail("a root of the group is required for each operand.");
        root = static_cast<std::size_t>(roots[k]);
      }
      for (std::size_t m = 0; m < n; ++m) give(m, parts[root]);
    } else {  // reductions
      const Type scalar{parts[0].dtype(), {}};
      const Monoid monoid = monoid_of(first.closed_region(0, {scalar, scalar}));
      if (monoid == Monoid::none) first.unsupported(first.name() + ": this reduction is not supported.");
      Array sum = parts[0];
      for (std::size_t m = 1; m < n; ++m) sum = combine(monoid, sum, parts[m], first.where);
      for (std::size_t m = 0; m < n; ++m) {
        if (name == "stablehlo.collective_reduce") {
          give(m, m == 0 ? sum : lax::zeros(sum.type()));
        } else if (name == "stablehlo.reduce_scatter") {
          const int axis = static_cast<int>(first.integer("scatter_dimension"));
          if (axis < 0 || axis >= sum.rank() || sum.dim(axis) % static_cast<std::int64_t>(n))
            first.fail("the scattered axis must divide into the processes of the group.");
          const std::int64_t extent = sum.dim(axis) / static_cast<std::int64_t>(n);
          const std::int64_t from = static_cast<std::int64_t>(m) * extent;
          give(m, lax::slice_in_dim(sum, from, from + extent, 1, axis));
        } else {
          give(m, sum);
        }
      }
    }
  }
  return results;
}

bool Machine::collective(Process& p, const Context& c) {
  const std::size_t self = at(p.replica, p.partition);
  const auto waits = [&](std::size_t i) {
    return !processes_[i].done && processes_[i].op().name == c.op.name;
  };
  const auto finish = [&](std::size_t i, const Values& results) {
    Process& q = processes_[i];
    c_.importer.name_results(q.op(), q.scope, results);
    ++q.next;
  };
  const auto all = groups(c);
  if (c.op.name == "stablehlo.collective_permute") {  // one meeting of all processes
    for (std::size_t i = 0; i < processes_.size(); ++i)
      if (!waits(i)) return false;
    std::vector<Values> results;
    for (Process& q : processes_)
      results.push_back(
          {{lax::zeros(Context(c_.importer, q.op(), q.scope).array(0).type(), c.where), nullptr, -1, {}}});
    for (const auto& pair : all) {
      Process& source = processes_[pair[0]];
      results[pair[1]] = {Context(c_.importer, source.op(), source.scope).value(0)};
    }
    for (std::size_t i = 0; i < processes_.size(); ++i) finish(i, results[i]);
    return true;
  }
  for (const auto& group : all) {
    if (std::find(group.begin(), group.end(), self) == group.end()) continue;
    if (!std::all_of(group.begin(), group.end(), waits)) return false;
    const Context first(c_.importer, processes_[group[0]].op(), processes_[group[0]].scope);
    const std::vector<Values> results = results_of(first, group);
    for (std::size_t m = 0; m < group.size(); ++m) finish(group[m], results[m]);
    return true;
  }
  Values zeros;  // in no group
  for (const Array& a : c.arrays()) zeros.push_back({lax::zeros(a.type(), c.where), nullptr, -1, {}});
  finish(self, zeros);
  return true;
}

/// Gets a process past the operation where it waits, if that can be done now.
bool Machine::meet(Process& p) {
  const Op& op = p.op();
  Context c(c_.importer, op, p.scope);
  Values results;
  if (op.name == "stablehlo.send") {
    for (std::size_t i = 0; i + 1 < c.count(); ++i) sent_[channel(c)].push_back(c.value(i));
    results.push_back({});
  } else if (op.name == "stablehlo.recv") {
    auto& queue = sent_[channel(c)];
    const std::size_t n = c.result_count() - 1;
    if (queue.size() < n) return false;
    for (std::size_t i = 0; i < n; ++i) {
      results.push_back(queue.front());
      queue.pop_front();
    }
    results.push_back({});
  } else if (op.name == "stablehlo.infeed") {
    if (infeed_.empty()) c.fail("the infeed is empty.");
    results = c_.importer.call(infeed_.front(), {}, op);
    infeed_.pop_front();
    results.push_back({});
  } else if (op.name == "stablehlo.outfeed") {
    results.push_back({});
  } else {
    return collective(p, c);
  }
  c_.importer.name_results(op, p.scope, results);
  ++p.next;
  return true;
}

void Machine::run() {
  const std::int64_t replica = c_.importer.replica, partition = c_.importer.partition;
  start();
  while (true) {
    for (Process& p : processes_)
      if (!p.done) walk(p);
    bool waiting = false, moved = false;
    for (Process& p : processes_) {
      if (p.done) continue;
      waiting = true;
      if (!moved) moved = meet(p);
    }
    if (!waiting) break;
    if (!moved) c_.fail("the processes wait for one another.");
  }
  c_.importer.replica = replica;
  c_.importer.partition = partition;
  for (const Process& p : processes_) c_.results.insert(c_.results.end(), p.results.begin(), p.results.end());
}

}  // namespace

void read_run_parallel(Context& c) { Machine(c).run(); }
void read_replica_id(Context& c) { c.give(Array(static_cast<std::uint32_t>(c.importer.replica), c.where)); }
void read_partition_id(Context& c) {
  c.give(Array(static_cast<std::uint32_t>(c.importer.partition), c.where));
}
void read_collective(Context& c) {
  c.unsupported("`" + c.name() +
                "` speaks to other processes; it is read only at the top of the programs of " +
                "interpreter.run_parallel.\n  Export the program for one device.");
}

}  // namespace baton::stablehlo
