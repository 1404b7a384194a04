#pragma once
// donation: which result takes the memory of which donated leaf, and what is said about it.
#include "baton/jit.h"
#include "jit/signature.h"
#include "jit/traced_tree.h"

namespace baton::core {

struct DonationPlan {
  std::vector<int> take;  // for each input of the Program: the output that takes its memory, or -1
  DonationReport report;
  std::vector<std::size_t> inputs;  // of each leaf of the report: which input of the Program
  int denied = 0;                   // leaves that somebody else still holds
  bool any = false;                 // something was donated, or moved although it was const
};

/// For each input of the Program: the output that takes its memory if it is donated, or -1. An output that is
/// an input keeps that input's memory; no other output may then be written there.
std::vector<int> match_donated(const ProgramData&, const std::vector<bool>& donated);

/// How a leaf comes into a call.
enum class Given : unsigned char {
  borrowed,    // or not there
  donated,     // for the results to take
  shared,      // donated, and somebody else holds its memory, or it is given twice
  const_moved  // moved although it is const: cannot be taken
};
/// How all leaves of a call come. Keeps its memory, and what it found out about handles that come again.
class Gifts {
 public:
  void look(const Signature&, std::span<const ArgRef> args);
  const std::vector<Given>& given() const { return given_; }

 private:
  void find_twins(const Signature&);

  std::vector<Given> given_;
  std::vector<const Array*> handles_, sorted_;
  std::vector<bool> twins_;  // of each handle: whether it comes twice
};

/// Decides for one call. Handles are only looked at: the caller's must be the only ones for a leaf to be
/// donated.
DonationPlan plan_donation(const TracedTree&, const Signature&, const Gifts&,
                           const std::vector<std::string>& argument_paths,
                           const std::vector<std::string>& result_paths);

/// Corrects the report where the executable takes less memory over than it was asked to.
void settle(DonationPlan&, std::span<const int> taken);

/// Throws unless every donated leaf is reused.
void require_reuse(const DonationReport&, const std::string& who, Where where);

}  // namespace baton::core
