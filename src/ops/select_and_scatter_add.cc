// select_and_scatter_add: adds each element of the source to the place of its window's largest (or smallest)
// element, the first among equals. The adjoint of select_and_gather_add, and so of max pooling.
#include "ops/elementwise.h"
#include "ops/window_element.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  const char* name = "select_and_scatter_add";
  require_count(name, in, 2);
  const auto& p = params.as<SelectWindows>();
  require_dtype(name, in, 1, Domain::real);
  require_no_dilation(name, p);
  const Type source{in[1].dtype, window_shape(name, in[1], p)};
  if (in[0] != source)
    type_error(name, "the source must have one element for each window, " + show(source) + " over " +
                         show(in[1]) + ", found " + show(in[0]) + ".");
  return {in[1]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<SelectWindows>();
  with_type(in[1].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!is_complex_v<T> && !std::is_same_v<T, bool>) {
      const auto source = in[0].as<T>(), x = in[1].as<T>(), y = out[0].as<T>();
      std::vector<std::int64_t> chosen(source.size(), -1);
      for_each_in_window(in[1].shape(), in[0].shape(), p, [&](std::int64_t window, std::int64_t element) {
        auto& standing = chosen[static_cast<std::size_t>(window)];
        if (standing < 0 || !keeps(p.select_max, widen(x[static_cast<std::size_t>(standing)]),
                                   widen(x[static_cast<std::size_t>(element)])))
          standing = element;
      });
      std::vector<wide_t<T>> sums(y.size());
      for (std::size_t i = 0; i < source.size(); ++i) {
        if (chosen[i] < 0) continue;
        auto& sum = sums[static_cast<std::size_t>(chosen[i])];
        sum = wrap_add(sum, widen(source[i]));
      }
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrow<T>(sums[i]);
    }
  });
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<SelectWindows>();
  return {lax::select_and_gather_add(ct[0], x[1].value, p.select_max, to_window(p)), Array()};
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  for (auto& [type, w] : window_rows())
    for (bool select_max : {true, false})
      rows.push_back({.inputs = {{f32, window_shape("select_and_scatter_add", type, w)}, type},
                      .params = SelectWindows{w, select_max},
                      .distinct = true});
  return rows;
}
Scalar element(ElementWriter& w, std::size_t, Positions at, const Params& params) {
  return scattered_element(w, at, params.as<SelectWindows>());
}
}  // namespace
extern const Primitive select_and_scatter_add = {.name = "select_and_scatter_add",
                                                 .params = SelectWindows{},
                                                 .type = type,
                                                 .evaluate = evaluate,
                                                 .element = element,
                                                 .jvp = select_jvp<select_and_scatter_add>,
                                                 .transpose = transpose_rule,
                                                 .batch = select_batch<select_and_scatter_add>,
                                                 .examples = examples()};
}  // namespace ops
Array lax::select_and_scatter_add(Operand source, Operand operand, bool select_max, const Window& window) {
  return ops::bind_select(ops::select_and_scatter_add, source, operand, select_max, window);
}
}  // namespace baton
