#pragma once
// report: what a Plan takes, in numbers and words.
#include <span>

#include "baton/plan_report.h"
#include "plan/plan.h"

namespace baton {

/// `inputs` names the inputs of the Program; empty: "input 3". Evaluated steps are the engine's to count.
PlanReport report_of(const Plan&, std::span<const std::string> inputs);
/// The values of a report: "\n  The largest values at its peak:" and a line each.
std::string largest_text(const PlanReport&);

}  // namespace baton
