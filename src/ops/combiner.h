#pragma once
// combiner: what operations with a scalar Program share: its type rule, running it on elements, lanes, and
// its jvp.
#include "ops/rules.h"

namespace baton::ops {

extern const Primitive reduce;

struct Reduce {
  std::vector<std::int64_t> axes;
  Program combiner;  // (left..., right...) -> (result...)
  BATON_FIELDS(axes, combiner)
};

/// The Program must map scalars of `in` to scalars of `out`, or throws an error that speaks of it as `what`.
void require_scalar_program(std::string_view name, std::string_view what, const Program& program,
                            const std::vector<Dtype>& in, const std::vector<Dtype>& out);
/// The dtypes of operands, twice one after the other.
std::vector<Dtype> dtypes_of(std::span<const Type> types);
std::vector<Dtype> twice(std::vector<Dtype> dtypes);

/// Runs a Program of scalars on elements that are copied into its slots.
class ScalarProgram {
 public:
  ScalarProgram(const Program& program, Evaluator& evaluator);
  ScalarProgram(const ScalarProgram&) = delete;
  const View& in(std::size_t i) const { return in_[i]; }
  const View& out(std::size_t i) const { return out_[i]; }
  void run() { evaluator_.run(program_, in_, out_); }
  /// in = (results so far..., elements at `from`...); then the results become the results so far.
  void fold(std::span<const View> so_far, std::int64_t to, std::span<const View> elements, std::int64_t from);

 private:
  struct Slot {
    alignas(16) unsigned char bytes[16];
  };
  const Program& program_;
  Evaluator& evaluator_;
  Types in_types_, out_types_;
  std::vector<Slot> slots_;
  std::vector<View> in_, out_;
};

/// A combiner (left..., right...) of `count` operands, over pairs of values and tangents:
/// (left..., dleft..., right..., dright...) -> (results..., tangents...), for inexact operands only.
Program jvp_of_combiner(const Program& combiner, Transformer& transformer);
/// The lanes one by one and in order, by a scan. For what has no form over many lanes at once.
std::vector<Batched> batch_by_lanes(const BatchAxis& axis, std::span<const Batched> in,
                                    FunctionRef<Arrays(const Arrays&)> lane);

}  // namespace baton::ops
