// scatter_general: scatter with any combiner over several operands: a Program (old..., update...) ->
// (new...). inputs: operands, indices, updates. It has no derivative; the scatters with a name have.
#include "ops/combiner.h"
#include "ops/scatter.h"

namespace baton {
namespace ops {
extern const Primitive scatter_general;
namespace {
struct ScatterGeneral {
  Scatter dims;
  Program combiner;
  void fields(FieldVisitor& v) {
    dims.fields(v);
    baton::detail::visit_field(v, "combiner", combiner);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  const auto& p = params.as<ScatterGeneral>();
  if (in.size() < 3 || in.size() % 2 == 0)
    type_error("scatter_general", "operands, indices and as many updates are required, found " +
                                      std::to_string(in.size()) + " inputs.");
  const std::size_t n = in.size() / 2;
  for (std::size_t k = 0; k < n; ++k) {
    if (in[k].shape != in[0].shape || in[n + 1 + k].shape != in[n + 1].shape)
      type_error("scatter_general", "operands must have one shape, and so must updates, found " +
                                        show(in[k].shape != in[0].shape ? in[0] : in[n + 1]) + " and " +
                                        show(in[k].shape != in[0].shape ? in[k] : in[n + 1 + k]) + ".");
    require_scatter("scatter_general", in[k], in[n], in[n + 1 + k], p.dims);
  }
  const std::vector<Dtype> dtypes = dtypes_of(in.first(n));
  require_scalar_program("scatter_general", "the combiner", p.combiner, twice(dtypes), dtypes);
  return {in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n)};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<ScatterGeneral>();
  const std::size_t n = in.size() / 2;
  const Types scalars = p.combiner.outputs();
  auto element = [&](const View& v, std::size_t k, std::int64_t i) {
    return View{&scalars[k], static_cast<char*>(v.data) + i * static_cast<std::int64_t>(size_of(v.dtype()))};
  };
  for (std::size_t k = 0; k < n; ++k) copy_all(out[k], in[k].data);
  const auto offsets = update_offsets(in[0].shape(), in[n], in[n + 1].shape(), p.dims);
  std::vector<View> arguments(2 * n), results(n);
  std::vector<std::array<unsigned char, 16>> fresh(n);  // the combiner may read what it has written already
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0) continue;
    for (std::size_t k = 0; k < n; ++k) {
      arguments[k] = element(out[k], k, offsets[i]);
      arguments[n + k] = element(in[n + 1 + k], k, static_cast<std::int64_t>(i));
      results[k] = {&scalars[k], fresh[k].data()};
    }
    evaluator.run(p.combiner, arguments, results);
    for (std::size_t k = 0; k < n; ++k) copy_element(out[k], offsets[i], results[k], 0);
  }
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<ScatterGeneral>();
  const std::size_t n = in.size() / 2;
  Arrays operands;
  for (std::size_t k = 0; k < in.size(); ++k)
    operands.push_back(k == n ? batch_to_front(in[k]) : with_batch(in[k], axis));
  const Arrays out = bind(scatter_general, operands,
                          ScatterGeneral{batched_scatter(p.dims, in[n].axis >= 0), p.combiner}, {});
  std::vector<Batched> result;
  for (const Array& a : out) result.push_back({a, 0});
  return result;
}
std::vector<Example> examples() {
  const Type x{f32, {}}, k{s32, {}};
  const Program affine = make_program(
      "affine", {x, x}, [](const Arrays& in) -> Arrays { return {lax::add(lax::mul(in[0], 0.5), in[1])}; });
  const Program larger = make_program("larger", {x, k, x, k}, [](const Arrays& in) -> Arrays {
    const Array better = lax::gt(in[2], in[0]);
    return {lax::select(better, in[2], in[0]), lax::select(better, in[3], in[1])};
  });
  return {{.inputs = {{f32, {4}}, {s32, {5, 1}}, {f32, {5}}},
           .params = ScatterGeneral{{{}, {0}, {0}, {}, {}}, affine},
           .order = 0,
           .note = "order matters",
           .values = {{}, {1, 1, 3, 1, 9}, {}}},
          {.inputs = {{f32, {4, 2}}, {s32, {4, 2}}, {s32, {3, 1}}, {f32, {3, 2}}, {s32, {3, 2}}},
           .params = ScatterGeneral{{{1}, {0}, {0}, {}, {}, lax::ScatterMode::clip}, larger},
           .order = 0,
           .note = "two operands",
           .values = {{}, {}, {1, 7, 1}, {}, {}}}};
}
}  // namespace
extern const Primitive scatter_general = {.name = "scatter_general",
                                          .params = ScatterGeneral{},
                                          .type = type,
                                          .evaluate = evaluate,
                                          .batch = batch,
                                          .program_examples = examples};
}  // namespace ops
Arrays lax::scatter_general(Operands operands, Operand indices, Operands updates, const Program& combiner,
                            const ScatterDims& d, const ScatterOptions& o) {
  Arrays in = operands.arrays();
  in.push_back(indices.array());
  in.insert(in.end(), updates.arrays().begin(), updates.arrays().end());
  return bind(ops::scatter_general, in, ops::ScatterGeneral{ops::scatter_of(d, o), combiner},
              operands.where());
}
}  // namespace baton
