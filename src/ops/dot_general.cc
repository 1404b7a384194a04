// dot_general: the product of two arrays, summed over contracted axes, side by side over batch axes.
// Summed in rising order of the contracted indices, one precision up and rounded once; integers wrap.
#include "ops/dot_general.h"

#include "ops/products.h"

namespace baton {
namespace ops {
namespace {
using Axes = std::vector<std::int64_t>;
Axes free_axes(std::int64_t rank, const Axes& contract, const Axes& batch) {
  Axes axes;
  for (std::int64_t i = 0; i < rank; ++i)
    if (!holds(contract, i) && !holds(batch, i)) axes.push_back(i);
  return axes;
}
std::string axis_text(const char* side, const Type& t, std::int64_t axis) {
  return std::string(side) + " " + show(t) + " axis " + std::to_string(axis) + " has " +
         std::to_string(t.shape[at(axis)]);
}
void require_pairs(std::string_view what, std::span<const Type> in, const Axes& lhs, const Axes& rhs) {
  require_axes("dot_general", in[0], lhs);
  require_axes("dot_general", in[1], rhs);
  if (lhs.size() != rhs.size())
    type_error("dot_general", "as many " + std::string(what) + " axes of lhs as of rhs are required, found " +
                                  show(lhs) + " and " + show(rhs) + ".");
  for (std::size_t i = 0; i < lhs.size(); ++i)
    if (in[0].shape[at(lhs[i])] != in[1].shape[at(rhs[i])])
      type_error("dot_general", std::string(what) + " axes differ: " + axis_text("lhs", in[0], lhs[i]) +
                                    ", " + axis_text("rhs", in[1], rhs[i]) + ".");
}
Types type(std::span<const Type> in, const Params& params) {
  require_count("dot_general", in, 2);
  const auto& p = params.as<DotGeneral>();
  const Dtype dtype = product_dtype("dot_general", in, p.preferred);
  require_pairs("batch", in, p.lhs_batch, p.rhs_batch);
  require_pairs("contracted", in, p.lhs_contract, p.rhs_contract);
  for (int side = 0; side < 2; ++side)
    for (std::int64_t axis : side ? p.rhs_batch : p.lhs_batch)
      if (holds(side ? p.rhs_contract : p.lhs_contract, axis))
        type_error("dot_general", std::string("axis ") + std::to_string(axis) + " of " +
                                      (side ? "rhs " : "lhs ") + show(in[at(side)]) +
                                      " must not be both batch and contracted.");
  Shape shape;
  for (std::int64_t axis : p.lhs_batch) shape.push_back(in[0].shape[at(axis)]);
  for (std::int64_t axis : free_axes(in[0].rank(), p.lhs_contract, p.lhs_batch))
    shape.push_back(in[0].shape[at(axis)]);
  for (std::int64_t axis : free_axes(in[1].rank(), p.rhs_contract, p.rhs_batch))
    shape.push_back(in[1].shape[at(axis)]);
  return {{dtype, shape}};
}
std::int64_t extent(const Type& t, const Axes& axes) {
  std::int64_t n = 1;
  for (std::int64_t axis : axes) n *= t.shape[at(axis)];
  return n;
}
Axes joined(const Axes& a, const Axes& b, const Axes& c) {
  Axes all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<DotGeneral>();
  const Axes lhs_free = free_axes(in[0].type->rank(), p.lhs_contract, p.lhs_batch);
  const Axes rhs_free = free_axes(in[1].type->rank(), p.rhs_contract, p.rhs_batch);
  const auto batches = at(extent(*in[0].type, p.lhs_batch)), rows = at(extent(*in[0].type, lhs_free)),
             columns = at(extent(*in[1].type, rhs_free)), depth = at(extent(*in[0].type, p.lhs_contract));
  with_sum_type(in[0].dtype(), [&]<class W>(Tag<W>) {
    const std::vector<W> lhs = collect<W>(in[0], joined(p.lhs_batch, lhs_free, p.lhs_contract));
    const std::vector<W> rhs = collect<W>(in[1], joined(p.rhs_batch, p.rhs_contract, rhs_free));
    std::vector<W> sums(batches * rows * columns);
    for (std::size_t b = 0; b < batches; ++b)
      for (std::size_t i = 0; i < rows; ++i) {
        W* sum = sums.data() + (b * rows + i) * columns;
        for (std::size_t k = 0; k < depth; ++k) {
          const W x = lhs[(b * rows + i) * depth + k];
          const W* y = rhs.data() + (b * depth + k) * columns;
          for (std::size_t j = 0; j < columns; ++j) sum[j] += multiply(x, y[j]);
        }
      }
    store_sums(sums, in[0].dtype(), out[0]);
  });
}
Array product(const Array& lhs, const Array& rhs, const DotGeneral& p) {
  return bind_one(dot_general, {lhs, rhs}, p, {});
}
/// The cotangent of x, from that of the result and the other operand y. The result's axes are batch, free
/// axes of one, free axes of the other; `first` says whether x comes first.
Array adjoint(Array ct, Array y, const Type& x, const Axes& x_contract, const Axes& x_batch,
              const Axes& y_contract, const Axes& y_batch, bool first) {
  const Axes x_free = free_axes(x.rank(), x_contract, x_batch),
             y_free = free_axes(y.rank(), y_contract, y_batch);
  DotGeneral p;
  p.rhs_contract = y_free;
  p.rhs_batch = y_batch;
  p.lhs_batch.resize(y_batch.size());
  std::iota(p.lhs_batch.begin(), p.lhs_batch.end(), 0);
  p.lhs_contract.resize(y_free.size());
  std::iota(p.lhs_contract.begin(), p.lhs_contract.end(),
            static_cast<std::int64_t>(y_batch.size() + (first ? x_free.size() : 0)));
  to_one_dtype(ct, y);
  const Array product_of = lax::convert_element_type(product(ct, y, p), x.dtype);
  // The product's axes are batch, x's free axes, and y's contracted axes in rising order: bring them back to
  // x's.
  std::vector<std::size_t> by_y(y_contract.size());
  std::iota(by_y.begin(), by_y.end(), std::size_t{0});
  std::sort(by_y.begin(), by_y.end(), [&](auto a, auto b) { return y_contract[a] < y_contract[b]; });
  Axes axes = joined(x_batch, x_free, {}), back(x.shape.size());
  for (std::size_t k : by_y) axes.push_back(x_contract[k]);
  for (std::size_t i = 0; i < axes.size(); ++i) back[at(axes[i])] = static_cast<std::int64_t>(i);
  return lax::transpose(product_of, back);
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<DotGeneral>();
  if (x[0].linear())
    return {
        adjoint(ct[0], x[1].value, x[0].type, p.lhs_contract, p.lhs_batch, p.rhs_contract, p.rhs_batch, true),
        Array()};
  return {Array(), adjoint(ct[0], x[0].value, x[1].type, p.rhs_contract, p.rhs_batch, p.lhs_contract,
                           p.lhs_batch, false)};
}
std::vector<Batched> batch(const BatchAxis&, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  auto p = params.as<DotGeneral>();
  const auto pairs = static_cast<int>(p.lhs_batch.size());
  const int lhs_axis = in[0].axis, rhs_axis = in[1].axis;
  auto shift = [](Axes& axes, int batch) {
    if (batch >= 0)
      for (std::int64_t& axis : axes) axis = shifted(axis, batch);
  };
  shift(p.lhs_contract, lhs_axis), shift(p.lhs_batch, lhs_axis);
  shift(p.rhs_contract, rhs_axis), shift(p.rhs_batch, rhs_axis);
  if (lhs_axis >= 0 && rhs_axis >= 0) {
    p.lhs_batch.insert(p.lhs_batch.begin(), lhs_axis);
    p.rhs_batch.insert(p.rhs_batch.begin(), rhs_axis);
    return {{product(in[0].value, in[1].value, p), 0}};
  }
  // A batch on one side alone is one more free axis of that side.
  const Axes lhs_free = free_axes(in[0].value.rank(), p.lhs_contract, p.lhs_batch);
  const Axes rhs_free = free_axes(in[1].value.rank(), p.rhs_contract, p.rhs_batch);
  auto place = [](const Axes& axes, int axis) {
    return static_cast<int>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
  };
  const int axis = lhs_axis >= 0 ? pairs + place(lhs_free, lhs_axis)
                                 : pairs + static_cast<int>(lhs_free.size()) + place(rhs_free, rhs_axis);
  return {{product(in[0].value, in[1].value, p), axis}};
}
bool saved(const Params& params, const SavePolicy& policy) {
  return policy.save == Save::dots ||
         (policy.save == Save::dots_with_no_batch_dims && params.as<DotGeneral>().lhs_batch.empty());
}
}  // namespace
extern const Primitive dot_general = {
    .name = "dot_general",
    .cost = Cost::compute_bound,
    .params = DotGeneral{},
    .type = type,
    .evaluate = evaluate,
    .jvp = bilinear_jvp<dot_general>,
    .transpose = transpose_rule,
    .batch = batch,
    .saved = saved,
    .examples = {
        {.inputs = {{f32, {3, 4}}, {f32, {4, 2}}}, .params = DotGeneral{{1}, {0}, {}, {}, {}}},
        {.inputs = {{f32, {4}}, {f32, {4}}}, .params = DotGeneral{{0}, {0}, {}, {}, {}}},
        {.inputs = {{f32, {2, 3, 4}}, {f32, {2, 4, 5}}},
         .params = DotGeneral{{2}, {1}, {0}, {0}, {}},
         .note = "batch"},
        {.inputs = {{f32, {3, 4, 2}}, {f32, {4, 2, 5}}},
         .params = DotGeneral{{1}, {0}, {2}, {1}, {}},
         .note = "batch is not first"},
        {.inputs = {{f32, {3, 4, 2}}, {f32, {2, 5, 4}}},
         .params = DotGeneral{{1, 2}, {2, 0}, {}, {}, {}},
         .note = "two contracted axes, in different orders"},
        {.inputs = {{f32, {2, 3, 2, 4}}, {f32, {4, 2, 2, 3}}},
         .params = DotGeneral{{3, 0}, {0, 2}, {2}, {1}, {}}},
        {.inputs = {{f32, {2}}, {f32, {3}}}, .params = DotGeneral{}, .note = "outer product"},
        {.inputs = {{f32, {}}, {f32, {2}}}, .params = DotGeneral{}},
        {.inputs = {{f32, {2, 0}}, {f32, {0, 3}}},
         .params = DotGeneral{{1}, {0}, {}, {}, {}},
         .note = "sum of nothing"},
        {.inputs = {{f32, {0, 2}}, {f32, {2, 3}}}, .params = DotGeneral{{1}, {0}, {}, {}, {}}},
        {.inputs = {{f32, {1, 1}}, {f32, {1, 1}}}, .params = DotGeneral{{1}, {0}, {}, {}, {}}},
        {.inputs = {{bf16, {2, 3}}, {bf16, {3, 2}}},
         .params = DotGeneral{{1}, {0}, {}, {}, "f32"},
         .order = 0},
        {.inputs = {{s8, {2, 3}}, {s8, {3, 2}}}, .params = DotGeneral{{1}, {0}, {}, {}, "s32"}, .order = 0}}};
}  // namespace ops
Array lax::dot_general(Operand lhs, Operand rhs, const DotDims& dims, std::optional<Dtype> preferred) {
  const Frame frame(lhs.where());
  return bind_one(ops::dot_general, {lhs.array(), rhs.array()},
                  ops::DotGeneral{dims.lhs_contract, dims.rhs_contract, dims.lhs_batch, dims.rhs_batch,
                                  preferred ? std::string(name_of(*preferred)) : std::string()},
                  lhs.where());
}
}  // namespace baton
