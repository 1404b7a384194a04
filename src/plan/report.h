#pragma once
// report: what a Plan takes, in numbers and words.
#include <span>

#include "baton/function_ref.h"
#include "baton/plan_report.h"
#include "baton/where.h"
#include "plan/plan.h"

namespace baton {

/// What the scratch of a step holds where most of it is in use, if a Plan runs in it.
using Inside = FunctionRef<std::vector<PlannedValue>(std::size_t step)>;
/// `inputs` names the inputs of the Program; those without a name are "input 3". Evaluated steps are the
/// engine's to count.
PlanReport report_of(const Plan&, std::span<const std::string> inputs, Inside);
/// What the arena holds where most of it is in use: values, and scratch of the step that runs there.
std::vector<PlannedValue> held_by(const Plan&, Inside);
/// What is said where the memory of a call is refused before its first step: by whom, and from which line.
std::string refusal(const std::string& who, const PlanReport&, Where);
/// The values of a report: "\n  The largest values at its peak:" and a line each.
std::string largest_text(const PlanReport&);

}  // namespace baton
