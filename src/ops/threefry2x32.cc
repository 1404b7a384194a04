// threefry2x32: one block of Threefry-2x32 for each element, from two words of key and two of counter.
#include "ops/element_rules.h"
#include "ops/threefry.h"

#include "ops/elementwise.h"

namespace baton {
namespace ops {
namespace {
Types type(std::span<const Type> in, const Params&) {
  require_count("threefry2x32", in, 4);
  require_same_type("threefry2x32", in);
  if (in[0].dtype != u32)
    type_error("threefry2x32",
               "operands must be u32, found " + show(in[0]) + ".\n  Convert them with astype.");
  return {in[0], in[0]};
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params&, Evaluator&) {
  const auto key0 = in[0].as<std::uint32_t>(), key1 = in[1].as<std::uint32_t>();
  const auto count0 = in[2].as<std::uint32_t>(), count1 = in[3].as<std::uint32_t>();
  const auto word0 = out[0].as<std::uint32_t>(), word1 = out[1].as<std::uint32_t>();
  for (std::size_t i = 0; i < key0.size(); ++i)
    std::tie(word0[i], word1[i]) = threefry_block(key0[i], key1[i], count0[i], count1[i]);
}
std::vector<Example> examples() {
  auto row = [](Shape shape) {
    const Type t{u32, std::move(shape)};
    return Example{.inputs = {t, t, t, t}, .low = 0, .high = 4294967295.0, .order = 0};
  };
  return {row({}), row({2, 3}), row({0}), row({1})};
}
/// 32 bits in the code that is being written.
struct Word {
  Scalar x;
  Word number(std::int64_t n) const { return {x.writer->integer(u32, n)}; }
  friend Word operator+(Word a, Word b) { return {a.x + b.x}; }
  friend Word operator+(Word a, std::uint32_t n) { return a + a.number(n); }
  friend Word operator|(Word a, Word b) { return {a.x | b.x}; }
  friend Word operator^(Word a, Word b) { return {a.x ^ b.x}; }
  friend Word operator^(Word a, std::uint32_t n) { return a ^ a.number(n); }
  friend Word operator<<(Word a, int by) { return {emit(Do::shift_left, a.x, a.number(by).x)}; }
  friend Word operator>>(Word a, int by) { return {emit(Do::shift_right_logical, a.x, a.number(by).x)}; }
};
Scalar element(ElementWriter& w, std::size_t result, Positions at, const Params&) {
  const auto words = threefry_block(Word{w.operand(0, at)}, Word{w.operand(1, at)}, Word{w.operand(2, at)},
                                    Word{w.operand(3, at)});
  return result == 0 ? words.first.x : words.second.x;
}
}  // namespace
extern const Primitive threefry2x32 = {.name = "threefry2x32",
                                       .elementwise = true,
                                       .type = type,
                                       .evaluate = evaluate,
                                       .element = element,
                                       .examples = examples()};
}  // namespace ops
std::pair<Array, Array> lax::threefry2x32(Operand key0, Operand key1, Operand count0, Operand count1) {
  const Arrays words =
      bind(ops::threefry2x32, {key0.array(u32), key1.array(u32), count0.array(u32), count1.array(u32)},
           None{}, key0.where());
  return {words[0], words[1]};
}
}  // namespace baton
