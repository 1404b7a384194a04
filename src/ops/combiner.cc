// combiner: scalar Programs inside reductions, windows and scatters.
#include "ops/combiner.h"

#include "ops/loops.h"

namespace baton::ops {
namespace {

std::string signature(const Types& types) {
  std::vector<std::string> parts;
  for (const Type& t : types) parts.push_back(show(t));
  return "(" + join(parts, ", ") + ")";
}

Types scalars(const std::vector<Dtype>& dtypes) {
  Types types;
  for (Dtype d : dtypes) types.push_back({d, {}});
  return types;
}

}  // namespace

void require_scalar_program(std::string_view name, std::string_view what, const Program& program,
                            const std::vector<Dtype>& in, const std::vector<Dtype>& out) {
  if (program.inputs() == scalars(in) && program.outputs() == scalars(out)) return;
  type_error(name, std::string(what) + " must map " + signature(scalars(in)) + " to " +
                       signature(scalars(out)) + ", found " + signature(program.inputs()) + " to " +
                       signature(program.outputs()) + ".");
}

std::vector<Dtype> dtypes_of(std::span<const Type> types) {
  std::vector<Dtype> dtypes;
  for (const Type& t : types) dtypes.push_back(t.dtype);
  return dtypes;
}
std::vector<Dtype> twice(std::vector<Dtype> dtypes) {
  const std::vector<Dtype> once = dtypes;
  dtypes.insert(dtypes.end(), once.begin(), once.end());
  return dtypes;
}

ScalarProgram::ScalarProgram(const Program& program, Evaluator& evaluator)
    : program_(program),
      evaluator_(evaluator),
      in_types_(program.inputs()),
      out_types_(program.outputs()),
      slots_(in_types_.size() + out_types_.size()) {
  for (std::size_t i = 0; i < in_types_.size(); ++i) in_.push_back({&in_types_[i], slots_[i].bytes});
  for (std::size_t i = 0; i < out_types_.size(); ++i)
    out_.push_back({&out_types_[i], slots_[in_types_.size() + i].bytes});
}

void ScalarProgram::fold(std::span<const View> so_far, std::int64_t to, std::span<const View> elements,
                         std::int64_t from) {
  const std::size_t n = so_far.size();
  for (std::size_t i = 0; i < n; ++i) {
    copy_element(in_[i], 0, so_far[i], to);
    copy_element(in_[n + i], 0, elements[i], from);
  }
  run();
  for (std::size_t i = 0; i < n; ++i) copy_element(so_far[i], to, out_[i], 0);
}

Program jvp_of_combiner(const Program& combiner, Transformer& transformer) {
  const Types in = combiner.inputs(), out = combiner.outputs();
  const std::size_t n = out.size();
  const JvpProgram derivative = transformer.jvp(combiner, Mask(2 * n, true), Mask(n, true));
  Types pairs = in;
  pairs.insert(pairs.end(), in.begin(), in.end());
  return make_program("jvp of combiner", pairs, [&](const Arrays& a) {
    // a = (left, dleft, right, dright); the derivative takes (left, right, dleft, dright).
    Arrays ordered;
    for (std::size_t part : {0, 2, 1, 3})
      ordered.insert(ordered.end(), a.begin() + static_cast<std::ptrdiff_t>(part * n),
                     a.begin() + static_cast<std::ptrdiff_t>((part + 1) * n));
    return baton::splice(derivative.program, ordered);
  });
}

std::vector<Batched> batch_by_lanes(const BatchAxis& axis, std::span<const Batched> in,
                                    FunctionRef<Arrays(const Arrays&)> lane) {
  Arrays shared, lanes;
  for (const Batched& b : in) (b.axis < 0 ? shared : lanes).push_back(batch_to_front(b));
  Types types = types_of(shared);
  for (const Array& a : lanes) types.push_back({a.dtype(), Shape(a.shape().begin() + 1, a.shape().end())});
  const Program body = make_program("lane", types, [&](const Arrays& all) {
    Arrays operands;
    std::size_t s = 0, l = shared.size();
    for (const Batched& b : in) operands.push_back(b.axis < 0 ? all[s++] : all[l++]);
    return lane(operands);
  });
  std::vector<Batched> result;
  for (const Array& a : lax::scan(body, shared, {}, lanes, {.length = axis.size})) result.push_back({a, 0});
  return result;
}

}  // namespace baton::ops
