// donation: a result that is an input keeps that input's memory; then each leaf hands its memory to the
// result at its own place, as a state does; then to the first result of its type.
#include "jit/donation.h"

#include <algorithm>

#include "base/text.h"

namespace baton {
namespace core {
namespace {

/// The path of another leaf of the call that has the same memory, or what else holds it.
std::string other_holder(const Signature& s, std::size_t i, const std::vector<std::string>& paths,
                         const Closed& closed) {
  const Buffer* buffer = s.leaves[i].array->node()->buffer;
  if (buffer->borrowed) return "borrowed memory";
  for (std::size_t j = 0; j < s.leaves.size(); ++j) {
    const Array& other = *s.leaves[j].array;
    if (j != i && !other.empty() && other.node()->buffer == buffer) return paths[j];
  }
  for (std::size_t c = 0; c < closed.captures.size(); ++c)
    if (const Node* n = closed.captures[c].node(); n->kind == Node::Kind::concrete && n->buffer == buffer)
      return "an array that the function captures at " + show(closed.capture_lines[c]);
  return "a copy of the array outside of the call";
}

}  // namespace

std::vector<int> match_donated(const ProgramData& p, const std::vector<bool>& donated) {
  const auto inputs = static_cast<std::size_t>(p.input_count);
  std::vector<int> take(inputs, -1);
  std::vector<bool> taken(p.outputs.size());
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    if (!p.is_input(p.outputs[k])) continue;
    taken[k] = true;
    const auto i = static_cast<std::size_t>(p.outputs[k]);
    if (donated[i] && take[i] < 0) take[i] = static_cast<int>(k);
  }
  const auto try_give = [&](std::size_t i, std::size_t k) {
    if (!donated[i] || take[i] >= 0 || k >= taken.size() || taken[k] || p.type(p.outputs[k]) != p.types[i])
      return;
    take[i] = static_cast<int>(k);
    taken[k] = true;
  };
  for (std::size_t i = 0; i < inputs; ++i) try_give(i, i);
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t k = 0; k < taken.size(); ++k) try_give(i, k);
  return take;
}

void Gifts::look(const Signature& s, std::span<const ArgRef> args) {
  find_twins(s);
  given_.resize(s.leaves.size());
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const LeafRef& leaf = s.leaves[i];
    const bool const_move = args[static_cast<std::size_t>(leaf.argument)].const_move;
    given_[i] = !leaf.array->node()       ? Given::borrowed
                : const_move              ? Given::const_moved
                : !leaf.donated           ? Given::borrowed
                : twins_[i] || !leaf.sole ? Given::shared
                                          : Given::donated;
  }
}

/// One Array may be given twice, as in f(std::move(x), x): it is one handle, and yet another argument needs
/// its memory.
void Gifts::find_twins(const Signature& s) {
  const auto same = [](const LeafRef& leaf, const Array* handle) { return leaf.array == handle; };
  if (std::equal(s.leaves.begin(), s.leaves.end(), handles_.begin(), handles_.end(), same)) return;
  handles_.clear();
  for (const LeafRef& leaf : s.leaves) handles_.push_back(leaf.array);
  sorted_ = handles_;
  std::sort(sorted_.begin(), sorted_.end());
  twins_.assign(handles_.size(), false);
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    const auto it = std::lower_bound(sorted_.begin(), sorted_.end(), handles_[i]);
    twins_[i] = it + 1 < sorted_.end() && *(it + 1) == handles_[i];
  }
}

DonationPlan plan_donation(const TracedTree& traced, const Signature& s, const Gifts& gifts,
                           const std::vector<std::string>& argument_paths,
                           const std::vector<std::string>& result_paths) {
  const ProgramData& p = *traced.closed.program;
  DonationPlan plan;
  std::vector<int> input;  // of each leaf; -1: empty
  std::vector<bool> donated(static_cast<std::size_t>(p.input_count));
  int next = 0;
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const Given g = gifts.given()[i];
    input.push_back(traced.present_in[i] ? next++ : -1);
    if (g == Given::borrowed) continue;
    plan.any = true;
    donated[static_cast<std::size_t>(input[i])] = g != Given::const_moved;
  }
  plan.take = match_donated(p, donated);
  if (!plan.any) return plan;
  std::vector<std::size_t> result_leaf;  // of each output
  for (std::size_t k = 0; k < traced.present_out.size(); ++k)
    if (traced.present_out[k]) result_leaf.push_back(k);
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    const Given g = gifts.given()[i];
    if (g == Given::borrowed) continue;
    const Type& type = s.leaves[i].array->type();
    DonatedLeaf leaf{argument_paths[i], type, DonatedLeaf::Fate::not_usable, {}, type.bytes()};
    int& to = plan.take[static_cast<std::size_t>(input[i])];
    const bool passes = to >= 0 && p.outputs[static_cast<std::size_t>(to)] == input[i];  // returned as it is
    if (g == Given::const_moved) {
      leaf.detail = "std::move of a const object";
    } else if (!passes && g == Given::shared) {
      leaf.fate = DonatedLeaf::Fate::shared;
      leaf.detail = other_holder(s, i, argument_paths, traced.closed);
      to = -1;
      ++plan.denied;
    } else if (to >= 0) {
      leaf.fate = DonatedLeaf::Fate::reused;
      leaf.detail = result_paths[result_leaf[static_cast<std::size_t>(to)]];
      plan.report.reused_bytes += leaf.bytes;
    } else {
      leaf.detail = "no output of type " + show(leaf.type);
    }
    plan.report.donated_bytes += leaf.bytes;
    plan.report.leaves.push_back(std::move(leaf));
    plan.inputs.push_back(static_cast<std::size_t>(input[i]));
  }
  return plan;
}

void settle(DonationPlan& plan, std::span<const int> taken) {
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    DonatedLeaf& leaf = plan.report.leaves[i];
    const std::size_t input = plan.inputs[i];
    if (leaf.fate != DonatedLeaf::Fate::reused || (input < taken.size() && taken[input] >= 0)) continue;
    leaf.fate = DonatedLeaf::Fate::not_usable;
    leaf.detail = "it is still read when the result of its place is made";
    plan.report.reused_bytes -= leaf.bytes;
  }
}

void require_reuse(const DonationReport& report, const std::string& who, Where where) {
  for (const DonatedLeaf& leaf : report.leaves) {
    if (leaf.fate == DonatedLeaf::Fate::reused) continue;
    throw UsageError(
        who + ": donation is required, and " + leaf.path + " " + show(leaf.type) + " cannot be donated: " +
        (leaf.fate == DonatedLeaf::Fate::shared ? "it shares its memory with " : "") + leaf.detail + "." +
        called_at(where) +
        (leaf.fate == DonatedLeaf::Fate::shared
             ? "\n  Give it memory of its own with clone, pass it as an lvalue, or drop the requirement."
             : "\n  Pass it as an lvalue, or drop the requirement."));
  }
}

}  // namespace core

std::string DonationReport::text() const {
  std::string s = "donated " + bytes_text(static_cast<std::int64_t>(donated_bytes)) + " in " +
                  std::to_string(leaves.size()) + " leaves, reused " +
                  bytes_text(static_cast<std::int64_t>(reused_bytes)) + "\n";
  for (const DonatedLeaf& leaf : leaves) {
    s += "  " + leaf.path + " " + show(leaf.type) + ": ";
    switch (leaf.fate) {
      case DonatedLeaf::Fate::reused:
        s += "reused by " + leaf.detail;
        break;
      case DonatedLeaf::Fate::shared:
        s += "not reused: it shares its memory with " + leaf.detail;
        break;
      case DonatedLeaf::Fate::not_usable:
        s += "not usable: " + leaf.detail;
        break;
    }
    s += "\n";
  }
  const auto shared = [](const DonatedLeaf& l) { return l.fate == DonatedLeaf::Fate::shared; };
  if (std::any_of(leaves.begin(), leaves.end(), shared))
    s += "To have its memory reused, an array must have one owner: let the other go before the call, or move "
         "it "
         "too.\n";
  return s;
}

}  // namespace baton
