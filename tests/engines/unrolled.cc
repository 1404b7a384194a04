// unrolled: one step after the other, each on arrays of its own.
#include "engines/unrolled.h"

#include <algorithm>

#include "baton/baton.h"
#include "ops/cond.h"
#include "ops/scan.h"
#include "ops/while.h"

namespace baton::testing {
namespace {

Arrays joined(Arrays a, const Arrays& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Arrays run_scan(const ops::Scan& p, const Types& outputs, const Arrays& in, RunInside run) {
  const ops::ScanLayout at(p);
  const Arrays consts = at.consts_of(in);
  Arrays carry = at.carry_of(in);
  std::vector<Arrays> xs, ys(at.ys);
  for (const Array& x : at.xs_of(in)) xs.push_back(unstack(x, 0));
  for (std::int64_t i = 0; i < p.length; ++i) {
    Arrays given = joined(consts, carry);
    for (const Arrays& x : xs) given.push_back(x[static_cast<std::size_t>(p.reverse ? p.length - 1 - i : i)]);
    const Arrays made = run(p.body, given, i == 0);
    carry = at.carry_out(made);
    const Arrays y = at.ys_out(made);
    for (std::size_t k = 0; k < ys.size(); ++k) ys[k].insert(p.reverse ? ys[k].begin() : ys[k].end(), y[k]);
  }
  for (std::size_t k = 0; k < ys.size(); ++k)
    carry.push_back(p.length ? stack(ys[k], 0) : from_elements(outputs[at.carry + k], {}));
  return carry;
}

Arrays run_while(const ops::While& p, const Arrays& in, RunInside run) {
  const ops::WhileLayout at(p);
  const Arrays of_cond = at.cond_of(in), of_body = at.body_of(in);
  Arrays carry = at.carry_of(in);
  for (bool first = true;; first = false) {
    if (!run(p.cond, joined(of_cond, carry), first)[0].item<bool>()) return carry;
    carry = run(p.body, joined(of_body, carry), first);
  }
}

}  // namespace

bool is_control(const Primitive& p) { return &p == &ops::cond || &p == &ops::scan || &p == &ops::while_; }

Arrays unrolled(const Primitive& p, const Params& params, const Arrays& in, RunInside run) {
  Types types;
  for (const Array& a : in) types.push_back(a.type());
  if (&p == &ops::scan) return run_scan(params.as<ops::Scan>(), result_types(p, types, params), in, run);
  if (&p == &ops::while_) return run_while(params.as<ops::While>(), in, run);
  const std::vector<Program>& branches = params.as<ops::Cond>().branches;
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  const std::int64_t index =
      in[0].dtype() == boolean ? in[0].item<bool>() : std::int64_t{in[0].item<std::int32_t>()};
  return run(branches[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last))],
             Arrays(in.begin() + 1, in.end()), true);
}

}  // namespace baton::testing
