#pragma once
// while: the parameters of the primitive, for engines that run its condition and body.
#include "ops/loops.h"

namespace baton::ops {

extern const Primitive while_;

struct While {
  Program cond;  // (cond consts, carry) -> bool[]
  Program body;  // (body consts, carry) -> carry
  std::int64_t cond_consts = 0, body_consts = 0;
  BATON_FIELDS(cond, body, cond_consts, body_consts)
};

struct WhileLayout {
  std::size_t cond, body;
  explicit WhileLayout(const While& p)
      : cond(static_cast<std::size_t>(p.cond_consts)), body(static_cast<std::size_t>(p.body_consts)) {}
  template <class T>
  std::vector<T> cond_of(const std::vector<T>& in) const {
    return part(in, 0, cond);
  }
  template <class T>
  std::vector<T> body_of(const std::vector<T>& in) const {
    return part(in, cond, cond + body);
  }
  template <class T>
  std::vector<T> carry_of(const std::vector<T>& in) const {
    return part(in, cond + body, in.size());
  }
};

}  // namespace baton::ops
