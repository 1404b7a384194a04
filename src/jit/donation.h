#pragma once
// donation: which result takes the memory of which donated leaf, and what is said about it.
#include "baton/jit.h"
#include "jit/signature.h"
#include "jit/traced_tree.h"

namespace baton::core {

struct DonationPlan {
  std::vector<int> take;  // for each input of the Program: the output that takes its memory, or -1
  DonationReport report;
  int denied = 0;    // leaves that somebody else still holds
  bool any = false;  // something was donated, or moved although it was const
};

/// For each input of the Program: the output that takes its memory if it is donated, or -1. An output that is
/// an input keeps that input's memory; no other output may then be written there.
std::vector<int> match_donated(const ProgramData&, const std::vector<bool>& donated);

/// Decides for one call. Handles are only looked at: the caller's must be the only ones for a leaf to be
/// donated.
DonationPlan plan_donation(const TracedTree&, const Signature&, std::span<const ArgRef> args,
                           const std::vector<std::string>& argument_paths,
                           const std::vector<std::string>& result_paths);

/// Throws unless every donated leaf is reused.
void require_reuse(const DonationReport&, const std::string& who, Where where);

}  // namespace baton::core
