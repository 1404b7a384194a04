// select_and_scatter: for each window of the operand, the element that `select` prefers gets the source's
// element, combined by `scatter` into an array of initial values. Any two Programs; select_and_scatter_add
// has derivatives.
#include "ops/combiner.h"
#include "ops/window.h"

namespace baton {
namespace ops {
extern const Primitive select_and_scatter;
namespace {
struct SelectAndScatter : Windows {
  Program select;   // (a, b) -> whether a keeps its place before b
  Program scatter;  // (old, source) -> new
  void fields(FieldVisitor& v) {
    Windows::fields(v);
    baton::detail::visit_field(v, "select", select);
    baton::detail::visit_field(v, "scatter", scatter);
  }
};
Types type(std::span<const Type> in, const Params& params) {
  const char* name = "select_and_scatter";
  require_count(name, in, 3);
  const auto& p = params.as<SelectAndScatter>();
  if (dilated(p))
    type_error(name, "the window must have no dilation, found base dilation " + show(p.base_dilation) +
                         " and window dilation " + show(p.window_dilation) + ".");
  const Type source{in[1].dtype, window_shape(name, in[0], p)};
  if (in[1] != source)
    type_error(name, "the source must have one element for each window, shape " + show(source.shape) +
                         " over " + show(in[0]) + ", found " + show(in[1]) + ".");
  if (in[2] != Type{in[1].dtype, {}})
    type_error(name, "the initial value must be a scalar of the source's dtype, " +
                         show(Type{in[1].dtype, {}}) + ", found " + show(in[2]) + ".");
  require_scalar_program(name, "select", p.select, {in[0].dtype, in[0].dtype}, {boolean});
  require_scalar_program(name, "scatter", p.scatter, {in[1].dtype, in[1].dtype}, {in[1].dtype});
  return {{in[1].dtype, in[0].shape}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params,
              Evaluator& evaluator) {
  const auto& p = params.as<SelectAndScatter>();
  std::vector<std::int64_t> chosen(static_cast<std::size_t>(in[1].type->size()), -1);
  ScalarProgram select(p.select, evaluator), scatter(p.scatter, evaluator);
  for_each_in_window(in[0].shape(), in[1].shape(), p, [&](std::int64_t window, std::int64_t element) {
    auto& standing = chosen[static_cast<std::size_t>(window)];
    if (standing >= 0) {
      copy_element(select.in(0), 0, in[0], standing);
      copy_element(select.in(1), 0, in[0], element);
      select.run();
      if (select.out(0).as<bool>()[0]) return;
    }
    standing = element;
  });
  for (std::int64_t i = 0; i < out[0].type->size(); ++i) copy_element(out[0], i, in[2], 0);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] >= 0) scatter.fold(out, chosen[i], in.subspan(1, 1), static_cast<std::int64_t>(i));
}
Arrays jvp(const Arrays&, const Arrays&, const Arrays&, const Params&) {
  type_error("select_and_scatter",
             "it has no derivative for arbitrary Programs.\n  Use select_and_scatter_add, which selects by "
             "size and adds.");
}
std::vector<Batched> batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                           Transformer&) {
  const auto& p = params.as<SelectAndScatter>();
  if (in[2].axis >= 0)
    return batch_by_lanes(axis, in,
                          [&](const Arrays& lane) { return bind(select_and_scatter, lane, params, {}); });
  return {{bind_one(select_and_scatter, {with_batch(in[0], axis), with_batch(in[1], axis), in[2].value},
                    SelectAndScatter{with_front(p), p.select, p.scatter}, {}),
           0}};
}
std::vector<Example> examples() {
  const Program first = scalar_program(*find_primitive("ge"), f32),
                sum = scalar_program(*find_primitive("add"), f32);
  const Program product = scalar_program(*find_primitive("mul"), f32);
  const Windows w{{2, 2}, {2, 2}, {0, 0}, {0, 0}, {1, 1}, {1, 1}},
      over{{1, 3}, {1, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}};
  return {{.inputs = {{f32, {4, 4}}, {f32, {2, 2}}, {f32, {}}},
           .params = SelectAndScatter{w, first, sum},
           .order = 0,
           .distinct = true},
          {.inputs = {{f32, {2, 5}}, {f32, {2, 5}}, {f32, {}}},
           .params = SelectAndScatter{over, first, product},
           .order = 0,
           .note = "windows overlap and reach beyond the edge",
           .distinct = true}};
}
}  // namespace
const Primitive select_and_scatter = {.name = "select_and_scatter",
                                      .params = SelectAndScatter{},
                                      .type = type,
                                      .evaluate = evaluate,
                                      .jvp = jvp,
                                      .batch = batch,
                                      .program_examples = examples};
}  // namespace ops
Array lax::select_and_scatter(Operand operand, Operand source, Operand init, const Program& select,
                              const Program& scatter, const Window& window) {
  const Frame frame(operand.where());
  const Array x = operand.array(), s = source.array();
  const ops::Windows w = ops::windows_of("select_and_scatter", window, x.empty() ? 0 : x.rank());
  return bind_one(ops::select_and_scatter, {x, s, s.empty() ? init.array() : init.array(s.dtype())},
                  ops::SelectAndScatter{w, select, scatter}, operand.where());
}
}  // namespace baton
