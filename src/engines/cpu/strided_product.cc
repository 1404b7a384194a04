// strided_product: its rules, and what dot_general is in its terms.
#include "engines/cpu/strided_product.h"

#include "ops/dot_general.h"
#include "ops/products.h"

namespace baton::cpu {
namespace {

using ops::at;

Types type(std::span<const Type>, const Params& params) {
  const auto& p = params.as<StridedProduct>();
  for (int i = 0; i < dtype_count; ++i)
    if (name_of(static_cast<Dtype>(i)) == p.dtype) return {{static_cast<Dtype>(i), p.shape}};
  internal_error("a product of the dtype " + p.dtype);
}

void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<StridedProduct>();
  Shape results, terms;
  std::vector<std::int64_t> steps[5];  // results: out, lhs, rhs; terms: lhs, rhs
  for (std::size_t i = 0; i < p.extents.size(); ++i) {
    if (p.out[i]) {
      results.push_back(p.extents[i]);
      steps[0].push_back(p.out[i]), steps[1].push_back(p.lhs[i]), steps[2].push_back(p.rhs[i]);
    } else {
      terms.push_back(p.extents[i]);
      steps[3].push_back(p.lhs[i]), steps[4].push_back(p.rhs[i]);
    }
  }
  ops::with_sum_type(in[0].dtype(), [&]<class W>(Tag<W>) {
    const auto all = [](const View& v) {
      std::vector<std::int64_t> axes(v.shape().size());
      std::iota(axes.begin(), axes.end(), 0);
      return ops::collect<W>(v, axes);
    };
    const std::vector<W> lhs = all(in[0]), rhs = all(in[1]);
    std::vector<W> sums(at(out[0].type->size()));
    for (ops::Counter r(results); !r.done(); r.next())
      for (ops::Counter t(terms); !t.done(); t.next())
        sums[at(ops::offset_of(r.index(), steps[0]))] += ops::multiply(
            lhs[at(p.lhs_offset + ops::offset_of(r.index(), steps[1]) + ops::offset_of(t.index(), steps[3]))],
            rhs[at(p.rhs_offset + ops::offset_of(r.index(), steps[2]) +
                   ops::offset_of(t.index(), steps[4]))]);
    ops::store_sums(sums, in[0].dtype(), out[0]);
  });
}

}  // namespace

extern const Primitive strided_product = {.name = "strided_product",
                                          .cost = Cost::compute_bound,
                                          .params = StridedProduct{},
                                          .type = type,
                                          .evaluate = evaluate};

StridedProduct strided(const Product& p, const Shape& shape) {
  StridedProduct s;
  for (const ProductAxis& a : p.axes)
    s.extents.push_back(a.extent), s.lhs.push_back(a.lhs), s.rhs.push_back(a.rhs), s.out.push_back(a.out);
  s.lhs_offset = p.lhs_offset, s.rhs_offset = p.rhs_offset;
  s.shape = shape, s.dtype = name_of(p.result);
  return s;
}

bool is_product(const Equation& e) {
  return e.primitive == &ops::dot_general || e.primitive == &strided_product;
}

Product product_of(const ProgramData& program, const Equation& e) {
  const Type &lhs = program.type(e.inputs[0]), &rhs = program.type(e.inputs[1]),
             &out = program.type(e.outputs[0]);
  Product p;
  p.operands = lhs.dtype, p.result = out.dtype;
  if (e.primitive == &strided_product) {
    const auto& s = e.params.as<StridedProduct>();
    for (std::size_t i = 0; i < s.extents.size(); ++i)
      p.axes.push_back({s.extents[i], s.lhs[i], s.rhs[i], s.out[i]});
    p.lhs_offset = s.lhs_offset, p.rhs_offset = s.rhs_offset;
    return p;
  }
  const auto& d = e.params.as<ops::DotGeneral>();
  const auto lhs_steps = ops::strides_of(lhs.shape), rhs_steps = ops::strides_of(rhs.shape),
             out_steps = ops::strides_of(out.shape);
  std::size_t result = 0;  // axis
  const auto is_free = [](const std::vector<std::int64_t>& batch, const std::vector<std::int64_t>& contract,
                          std::size_t axis) {
    return !ops::holds(batch, static_cast<std::int64_t>(axis)) &&
           !ops::holds(contract, static_cast<std::int64_t>(axis));
  };
  for (std::size_t i = 0; i < d.lhs_batch.size(); ++i) {
    const std::size_t l = at(d.lhs_batch[i]), r = at(d.rhs_batch[i]);
    p.axes.push_back({lhs.shape[l], lhs_steps[l], rhs_steps[r], out_steps[result++]});
  }
  for (std::size_t i = 0; i < lhs.shape.size(); ++i)
    if (is_free(d.lhs_batch, d.lhs_contract, i))
      p.axes.push_back({lhs.shape[i], lhs_steps[i], 0, out_steps[result++]});
  for (std::size_t i = 0; i < rhs.shape.size(); ++i)
    if (is_free(d.rhs_batch, d.rhs_contract, i))
      p.axes.push_back({rhs.shape[i], 0, rhs_steps[i], out_steps[result++]});
  for (std::size_t i = 0; i < d.lhs_contract.size(); ++i) {
    const std::size_t l = at(d.lhs_contract[i]), r = at(d.rhs_contract[i]);
    p.axes.push_back({lhs.shape[l], lhs_steps[l], rhs_steps[r], 0});
  }
  return p;
}

std::unique_ptr<Kernel> product_kernel(const ProgramData& p, const Equation& e, int threads) {
  return product_kernel(product_of(p, e), threads);
}

}  // namespace baton::cpu
