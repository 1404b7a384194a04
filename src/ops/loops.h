#pragma once
// loops: what the primitives that hold Programs share: masks and lists in parts.
#include "ops/rules.h"

namespace baton::ops {

inline Mask tangent_mask(const Arrays& arrays) {  // where there is something
  Mask m;
  for (const Array& a : arrays) m.push_back(!a.empty());
  return m;
}
inline Mask unknown_mask(const Arrays& known) {
  Mask m;
  for (const Array& a : known) m.push_back(a.empty());
  return m;
}
inline Mask batched_mask(std::span<const Batched> in) {
  Mask m;
  for (const Batched& b : in) m.push_back(b.axis >= 0);
  return m;
}
inline std::size_t count_of(const Mask& m) {
  return static_cast<std::size_t>(std::count(m.begin(), m.end(), true));
}
inline Mask complement(Mask m) {
  m.flip();
  return m;
}
inline Mask operator|(Mask a, const Mask& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
  return a;
}
template <class T>
std::vector<T> part(const std::vector<T>& all, std::size_t from, std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)};
}
template <class T>
std::vector<T> where_set(const std::vector<T>& all, const Mask& m) {
  std::vector<T> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (m[i]) out.push_back(all[i]);
  return out;
}
template <class T>
std::vector<T> where_clear(const std::vector<T>& all, const Mask& m) {
  std::vector<T> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!m[i]) out.push_back(all[i]);
  return out;
}
/// The inverse of where_set: the values in turn where the mask is set, nothing elsewhere.
inline Arrays placed(const Arrays& values, const Mask& m) {
  Arrays out(m.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < m.size(); ++i)
    if (m[i]) out[i] = values[next++];
  return out;
}
template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
template <class T, class... Rest>
std::vector<T> joined(std::vector<T> first, const Rest&... rest) {
  (append(first, rest), ...);
  return first;
}
/// The types among the first `count` that have tangents and cotangents.
inline Types inexact_of(const Types& types, std::size_t count) {
  Types out;
  for (std::size_t i = 0; i < count; ++i)
    if (is_inexact(types[i].dtype)) out.push_back(types[i]);
  return out;
}
/// 0, 1, ..., n-1: all operands of an equation.
inline std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
inline Mask filled(std::size_t n, bool value) { return Mask(n, value); }

/// A list handed out part by part.
class Parts {
 public:
  explicit Parts(const Arrays& all) : all_(all) {}
  Arrays take(std::size_t n) {
    taken_ += n;
    return part(all_, taken_ - n, taken_);
  }

 private:
  const Arrays& all_;
  std::size_t taken_ = 0;
};

/// Which carries of a loop have a property that one step passes on: those that have it at the start, and all
/// that `step` says to have it after a step from these. A carry that gets it in one step has it from the
/// start.
inline Mask settled(Mask carry, FunctionRef<Mask(const Mask&)> step) {
  while (true) {
    const Mask grown = carry | step(carry);
    if (grown == carry) return carry;
    carry = grown;
  }
}

/// One type of an input or result of a Program beside what it is compared with, for messages: "carry 2:
/// f32[], s32[]".
void require_types(std::string_view name, const std::string& what, const Types& want, const Types& found);

/// The inputs that these outputs need, and equations with effects.
Mask needed_inputs(const Program&, const Mask& outputs);
/// The Program with these inputs and outputs alone; no other input may be needed.
Program restricted(const Program&, const Mask& inputs, const Mask& outputs);

/// Throws unless the counts are not negative and so many operands are there.
inline void require_counts(std::string_view name, std::initializer_list<std::int64_t> counts,
                           std::size_t available) {
  std::int64_t sum = 0;
  bool negative = false;
  for (std::int64_t n : counts) negative = negative || n < 0, sum += n;
  if (negative || sum > static_cast<std::int64_t>(available))
    type_error(name, "its counts must not be negative nor speak of more than the " +
                         std::to_string(available) + " operands.");
}

/// If the equation calls a host function of kind io, in the Programs that it holds too: throws
/// "host_function `name`: message" with the line of the trace.
void refuse_io(const Equation&, const std::string& message);

// ---- partial_eval
// -------------------------------------------------------------------------------------------------

/// Places in a list, for the inputs of an unknown equation: from, from + 1, ...
inline std::vector<int> places(std::size_t count, std::size_t from = 0) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), static_cast<int>(from));
  return all;
}
/// What is known of an equation whose known half, run, gave these values and then the residuals.
PartialEquation known_half(const Arrays& ran, const Mask& unknown_outputs);
/// The unknown equation gives these outputs of the equation that was cut.
void set_outputs(PartialEquation::Unknown&, std::span<const Type> out_types, const Mask& which);
/// The equation as it was, on all of its inputs.
PartialEquation::Unknown unknown_as_a_whole(const Primitive&, const Params&, std::size_t inputs,
                                            std::span<const Type> out_types);

/// What the known half of a Program gives as residuals, each traced to its source.
struct ResidualSource {
  Var input = -1;  // the known input that it is, or -1: computed
};
std::vector<ResidualSource> residual_sources(const PartialProgram&);
/// The known half without the residuals that are its own inputs.
Program without_forwarded(const PartialProgram&);

}  // namespace baton::ops
