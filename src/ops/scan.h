#pragma once
// scan: the parameters of the primitive, for engines that run its body.
#include "ops/loops.h"

namespace baton::ops {

extern const Primitive scan;

struct Scan {
  Program body;
  std::int64_t length = 0;
  bool reverse = false;  // from the last element to the first; ys keep the order of xs
  std::int64_t consts = 0, carry = 0;
  BATON_FIELDS(body, length, reverse, consts, carry)
};
/// Where the parts of the inputs end.
struct ScanLayout {
  std::size_t consts, carry, xs, ys;
  explicit ScanLayout(const Scan& p)
      : consts(static_cast<std::size_t>(p.consts)),
        carry(static_cast<std::size_t>(p.carry)),
        xs(static_cast<std::size_t>(p.body->input_count) - consts - carry),
        ys(p.body->outputs.size() - carry) {}
  template <class T>
  std::vector<T> consts_of(const std::vector<T>& in) const {
    return part(in, 0, consts);
  }
  template <class T>
  std::vector<T> carry_of(const std::vector<T>& in) const {
    return part(in, consts, consts + carry);
  }
  template <class T>
  std::vector<T> xs_of(const std::vector<T>& in) const {
    return part(in, consts + carry, in.size());
  }
  template <class T>
  std::vector<T> carry_out(const std::vector<T>& out) const {
    return part(out, 0, carry);
  }
  template <class T>
  std::vector<T> ys_out(const std::vector<T>& out) const {
    return part(out, carry, out.size());
  }
};

}  // namespace baton::ops
