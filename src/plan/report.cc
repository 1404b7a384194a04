// report: the steps are played through to find the one with most alive, and what is alive there.
#include "plan/report.h"

#include <algorithm>
#include <map>

#include "base/cache_line.h"
#include "base/text.h"
#include "trace/origin.h"

namespace baton {
namespace {

constexpr std::size_t shown = 10;  // values

std::size_t at(Var v) { return static_cast<std::size_t>(v); }
std::size_t buffer_bytes(const Type& t) { return std::max(whole_lines(t.bytes()), cache_line); }

/// What is alive at each step in the arena.
class Timeline {
 public:
  explicit Timeline(const Plan& plan) : plan_(plan), p_(*plan.program) {
    find_last_reads();
    std::map<std::int64_t, Var> alive;  // by offset
    std::size_t most = 0;
    for (int s = 0; s < steps(); ++s) {
      std::erase_if(alive, [&](const auto& entry) { return last_[at(entry.second)] < s; });
      for (Var v : equation(s).outputs)
        if (const Place& place = plan.places[at(v)]; place.kind == Place::Kind::arena)
          alive[place.offset] = v;
      std::size_t sum = 0;
      for (const auto& [offset, v] : alive) sum += buffer_bytes(p_.type(v));
      bytes.push_back(sum);
      if (sum <= most) continue;
      most = sum;
      at_peak.clear();
      for (const auto& [offset, v] : alive) at_peak.push_back(v);
    }
  }
  int steps() const { return static_cast<int>(plan_.steps.size()); }
  const Equation& equation(int step) const {
    return p_.equations[static_cast<std::size_t>(plan_.steps[static_cast<std::size_t>(step)].equation)];
  }
  std::vector<std::size_t> bytes;  // of each step
  std::vector<Var> at_peak;        // where most is alive

 private:
  void find_last_reads() {
    const std::vector<Var> root = roots_of(p_.equations, p_.types.size());
    last_.assign(p_.types.size(), -1);
    for (int s = 0; s < steps(); ++s)
      for (Var v : equation(s).inputs) last_[at(root[at(v)])] = s;
    for (Var v : p_.outputs) last_[at(root[at(v)])] = steps();
  }

  const Plan& plan_;
  const ProgramData& p_;
  std::vector<int> last_;  // of each variable: the step that reads it last
};

std::string name_of(const Equation& e) {
  const std::string origin = origin_text(e.number);
  return std::string(e.primitive->name) + (origin.empty() ? "" : " at " + origin);
}

}  // namespace

PlanReport report_of(const Plan& plan, std::span<const std::string> inputs) {
  const ProgramData& p = *plan.program;
  std::vector<const Equation*> maker(p.types.size());
  for (const Equation& e : p.equations)
    for (Var v : e.outputs) maker[at(v)] = &e;
  PlanReport r;
  r.arena_bytes = static_cast<std::size_t>(plan.arena_bytes);
  r.steps = static_cast<int>(plan.steps.size());
  const auto add = [&](std::string what, Var v) {
    r.largest.push_back({std::move(what), p.type(v), p.type(v).bytes()});
  };
  const auto add_made = [&](Var v) {
    const Equation* e = maker[at(v)];
    add(e ? name_of(*e) : "a copy of an argument or a number", v);
  };
  for (Var v = 0; v < p.input_count; ++v) {
    r.input_bytes += buffer_bytes(p.type(v));
    add(at(v) < inputs.size() ? inputs[at(v)] : "input " + std::to_string(v), v);
  }
  const std::vector<bool> fresh = fresh_outputs(plan);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    if (!fresh[k]) continue;
    r.result_bytes += buffer_bytes(p.type(p.outputs[k]));
    add_made(p.outputs[k]);
  }
  const Timeline timeline(plan);
  for (Var v : timeline.at_peak) add_made(v);
  for (int i = 0; i < timeline.steps(); ++i)
    r.timeline.push_back({name_of(timeline.equation(i)), timeline.bytes[static_cast<std::size_t>(i)]});
  std::stable_sort(r.largest.begin(), r.largest.end(),
                   [](const PlannedValue& a, const PlannedValue& b) { return a.bytes > b.bytes; });
  if (r.largest.size() > shown) r.largest.resize(shown);
  return r;
}

std::string largest_text(const PlanReport& r) {
  std::string text = r.largest.empty() ? "" : "\n  The largest values at its peak:";
  for (const PlannedValue& v : r.largest)
    text += "\n    " + bytes_text(static_cast<std::int64_t>(v.bytes)) + "  " + show(v.type) + "  " + v.what;
  return text;
}

std::string PlanReport::text() const {
  const auto bytes = [](std::size_t n) { return bytes_text(static_cast<std::int64_t>(n)); };
  return "peak " + bytes(peak_bytes()) + ": arguments " + bytes(input_bytes) + ", results " +
         bytes(result_bytes) + ", arena " + bytes(arena_bytes) + "\n" + std::to_string(steps) + " steps, " +
         std::to_string(evaluated.size()) + " evaluated" +
         (evaluated.empty() ? "" : ": " + join(evaluated, ", ")) + largest_text(*this) + "\n";
}

}  // namespace baton
