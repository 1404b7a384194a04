// report: the steps are played through to find the one with most alive, and what is alive there.
#include "plan/report.h"

#include <algorithm>
#include <map>

#include "base/cache_line.h"
#include "base/text.h"
#include "ops/fused.h"
#include "trace/origin.h"

namespace baton {
namespace {

constexpr std::size_t shown = 10;  // values

std::size_t at(Var v) { return static_cast<std::size_t>(v); }
std::string text_of(std::size_t bytes) { return bytes_text(static_cast<std::int64_t>(bytes)); }

/// What is alive at each step in the arena.
class Timeline {
 public:
  explicit Timeline(const Plan& plan) : plan_(plan), p_(*plan.program) {
    find_last_reads();
    std::map<std::int64_t, Var> alive;  // by offset: who overwrites an operand takes its place
    std::size_t most = 0;
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
      std::erase_if(alive, [&](const auto& entry) { return last_[at(entry.second)] < static_cast<int>(s); });
      for (Var v : equation(s).outputs) {
        const Place& place = plan.places[at(v)];
        if (place.kind == Place::Kind::arena && p_.type(v).bytes()) alive[place.offset] = v;
      }
      std::size_t sum = whole_lines(static_cast<std::size_t>(plan.steps[s].scratch_bytes));
      for (const auto& [offset, v] : alive) sum += whole_lines(p_.type(v).bytes());
      bytes.push_back(sum);
      if (sum <= most) continue;
      most = sum;
      peak = s;
      at_peak.clear();
      for (const auto& [offset, v] : alive) at_peak.push_back(v);
    }
  }
  const Equation& equation(std::size_t step) const {
    return p_.equations[static_cast<std::size_t>(plan_.steps[step].equation)];
  }
  std::vector<std::size_t> bytes;  // of each step
  std::size_t peak = 0;            // the first step with most
  std::vector<Var> at_peak;        // what is alive there

 private:
  void find_last_reads() {
    const std::vector<Var> root = roots_of(p_.equations, p_.types.size());
    last_.assign(p_.types.size(), -1);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s)
      for (Var v : equation(s).inputs) last_[at(root[at(v)])] = static_cast<int>(s);
    for (Var v : p_.outputs) last_[at(root[at(v)])] = static_cast<int>(plan_.steps.size());
  }

  const Plan& plan_;
  const ProgramData& p_;
  std::vector<int> last_;  // of each variable: the step that reads it last
};

std::string name_of(const Equation& e) {
  const std::string origin = origin_text(e.number);
  return std::string(e.primitive->name) + (origin.empty() ? "" : " at " + origin);
}

/// The equation that makes a result; of a group, the one inside it.
const Equation& maker_within(const Equation& e, std::size_t result) {
  if (e.primitive != &ops::fused) return e;
  const ProgramData& body = *e.params.as<ops::Fused>().body;
  for (const Equation& inside : body.equations)
    if (std::count(inside.outputs.begin(), inside.outputs.end(), body.outputs[result])) return inside;
  return e;
}

/// Values under the names of what makes them.
class Values {
 public:
  explicit Values(const Plan& plan) : plan_(plan), p_(*plan.program), makers_(p_.types.size()) {
    for (const Equation& e : p_.equations)
      for (std::size_t k = 0; k < e.outputs.size(); ++k) makers_[at(e.outputs[k])] = &maker_within(e, k);
  }
  std::vector<PlannedValue> list;

  void add(std::string what, const Type& type) { list.push_back({std::move(what), type, type.bytes()}); }
  void add(std::string what, Var v) { add(std::move(what), p_.type(v)); }
  void add(Var v) { add(makers_[at(v)] ? name_of(*makers_[at(v)]) : "a copy of an argument or a number", v); }
  void add_held(const Timeline& timeline, Inside inside) {
    for (Var v : timeline.at_peak) add(v);
    if (plan_.steps.empty() || !plan_.steps[timeline.peak].scratch_bytes) return;
    const std::string step = name_of(timeline.equation(timeline.peak));
    add("scratch of " + step, Type{u8, {plan_.steps[timeline.peak].scratch_bytes}});
    for (PlannedValue& v : inside(timeline.peak)) {
      v.what += ", in the scratch of " + step;
      list.push_back(std::move(v));
    }
  }

 private:
  const Plan& plan_;
  const ProgramData& p_;
  std::vector<const Equation*> makers_;  // of each variable
};

}  // namespace

std::vector<PlannedValue> held_by(const Plan& plan, Inside inside) {
  Values values(plan);
  values.add_held(Timeline(plan), inside);
  return std::move(values.list);
}

PlanReport report_of(const Plan& plan, std::span<const std::string> inputs, Inside inside) {
  const ProgramData& p = *plan.program;
  PlanReport r;
  r.arena_bytes = static_cast<std::size_t>(plan.arena_bytes);
  r.steps = static_cast<int>(plan.steps.size());
  Values values(plan);
  for (Var v = 0; v < p.input_count; ++v) {
    r.input_bytes += buffer_bytes(p.type(v).bytes());
    values.add(at(v) < inputs.size() ? inputs[at(v)] : "input " + std::to_string(v), v);
  }
  const std::vector<bool> fresh = fresh_outputs(plan);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    if (!fresh[k]) continue;
    r.result_bytes += buffer_bytes(p.type(p.outputs[k]).bytes());
    values.add(p.outputs[k]);
  }
  const Timeline timeline(plan);
  values.add_held(timeline, inside);
  for (std::size_t s = 0; s < plan.steps.size(); ++s)
    r.timeline.push_back({name_of(timeline.equation(s)), timeline.bytes[s]});
  r.largest = std::move(values.list);
  std::stable_sort(r.largest.begin(), r.largest.end(),
                   [](const PlannedValue& a, const PlannedValue& b) { return a.bytes > b.bytes; });
  if (r.largest.size() > shown) r.largest.resize(shown);
  return r;
}

std::string largest_text(const PlanReport& r) {
  std::string text = r.largest.empty() ? "" : "\n  The largest values at its peak:";
  for (const PlannedValue& v : r.largest)
    text += "\n    " + text_of(v.bytes) + "  " + show(v.type) + "  " + v.what;
  return text;
}

std::string refusal(const std::string& who, const PlanReport& r, Where where) {
  return who + ": a call takes " + text_of(r.result_bytes + r.arena_bytes) +
         " beside its arguments (results " + text_of(r.result_bytes) + ", arena " + text_of(r.arena_bytes) +
         "), and the system refuses it. Nothing has run." + called_at(where) + largest_text(r) +
         "\n  Take less at once (a smaller batch, scan over parts), or keep less (checkpoint, donation).";
}

std::string PlanReport::text() const {
  return "peak " + text_of(peak_bytes()) + ": arguments " + text_of(input_bytes) + ", results " +
         text_of(result_bytes) + ", arena " + text_of(arena_bytes) + "\n" + std::to_string(steps) +
         " steps, " + std::to_string(evaluated.size()) + " evaluated" +
         (evaluated.empty() ? "" : ": " + join(evaluated, ", ")) + largest_text(*this) + "\n";
}

}  // namespace baton
