// select_and_gather_add: for each window of the operand, the tangent at its largest (or smallest) element,
// the first among equals; zero where the window holds nothing above -inf (below inf). The derivative of
// reduce_window_max.
#include "ops/window.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params& params) {
  require_count("select_and_gather_add", in, 2);
  require_same_type("select_and_gather_add", in);
  require_dtype("select_and_gather_add", in, 1, Domain::real_floating);
  return {{in[0].dtype, window_shape("select_and_gather_add", in[1], params.as<SelectWindows>())}};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<SelectWindows>();
  with_type(in[1].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (is_real_v<T>) {
      const auto tangents = in[0].as<T>(), x = in[1].as<T>(), y = out[0].as<T>();
      std::vector<wide_t<T>> standing(y.size(),
                                      widen(p.select_max ? Larger::start<T>() : Smaller::start<T>()));
      std::fill(y.begin(), y.end(), T{});
      for_each_in_window(in[1].shape(), out[0].shape(), p, [&](std::int64_t to, std::int64_t from) {
        const auto window = static_cast<std::size_t>(to), element = static_cast<std::size_t>(from);
        if (keeps(p.select_max, standing[window], widen(x[element]))) return;
        standing[window] = widen(x[element]);
        y[window] = tangents[element];
      });
    }
  });
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<SelectWindows>();
  require_no_dilation("select_and_gather_add", p);
  return {lax::select_and_scatter_add(ct[0], x[1].value, p.select_max, to_window(p)), Array()};
}
std::vector<Example> examples() {
  std::vector<Example> rows;
  for (auto& [type, w] : window_rows())
    for (bool select_max : {true, false})
      rows.push_back({.inputs = {type, type}, .params = SelectWindows{w, select_max}, .distinct = true});
  rows.push_back({.inputs = {{f32, {6}}, {f32, {6}}},
                  .params = SelectWindows{Windows{{3}, {1}, {1}, {2}, {1}, {2}}, true},
                  .order = 0,
                  .note = "window dilation",
                  .distinct = true});
  return rows;
}
}  // namespace
extern const Primitive select_and_gather_add = {.name = "select_and_gather_add",
                                                .params = SelectWindows{},
                                                .type = type,
                                                .evaluate = evaluate,
                                                .jvp = select_jvp<select_and_gather_add>,
                                                .transpose = transpose_rule,
                                                .batch = select_batch<select_and_gather_add>,
                                                .examples = examples()};
}  // namespace ops
Array lax::select_and_gather_add(Operand tangents, Operand operand, bool select_max, const Window& window) {
  return ops::bind_select(ops::select_and_gather_add, tangents, operand, select_max, window);
}
}  // namespace baton
