// partial_reductions: which reductions are cut, as text; that several threads get bits that one gets; and
// that long sums are right.
#include "engines/cpu/partial_reductions.h"

#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "on_cpu.h"
#include "program/primitive.h"

namespace baton {
namespace {

std::string cut(const std::string& text) {
  const Program after = cpu::reduce_in_parts(Program::parse(text));
  check(after);
  std::string equations;
  for (const Equation& e : after->equations)
    equations +=
        std::string(e.primitive->name) + " " + show(after->type(e.outputs[0])) + " " + show(e.params) + "\n";
  return equations;
}
std::string cut_sum(const std::string& operand, const std::string& axes, const std::string& result) {
  return cut("{ x:" + operand + " ->\n y:" + result + " = reduce_sum x {axes=[" + axes + "]}\n return y }");
}

TEST(PartialReductions, ASumOfEverythingHasParts) {
  EXPECT_EQ(cut_sum("f32[512,1000]", "0,1", "f32[]"),
            "reshape f32[64,8,1000] {shape=[64,8,1000]}\n"
            "reduce_sum f32[64] {axes=[1,2]}\n"
            "reduce_sum f32[] {axes=[0]}\n");
}
TEST(PartialReductions, AFewColumnsHaveParts) {
  EXPECT_EQ(cut_sum("f32[64,26,26,32]", "0,1,2", "f32[32]"),
            "reshape f32[64,1,26,26,32] {shape=[64,1,26,26,32]}\n"
            "reduce_sum f32[64,32] {axes=[1,2,3]}\n"
            "reduce_sum f32[32] {axes=[0]}\n");
}
TEST(PartialReductions, AxesInFrontAreJoinedWhereOneIsTooShort) {
  EXPECT_EQ(cut_sum("f32[3,70000]", "0,1", "f32[]"),
            "reshape f32[60,3500] {shape=[60,3500]}\n"
            "reduce_sum f32[60] {axes=[1]}\n"
            "reduce_sum f32[] {axes=[0]}\n");
}
TEST(PartialReductions, SmallFloatsAreRoundedOnce) {
  EXPECT_EQ(cut_sum("bf16[65536]", "0", "bf16[]"),
            "reshape bf16[64,1024] {shape=[64,1024]}\n"
            "convert_element_type f32[64,1024] {dtype=f32}\n"
            "reduce_sum f32[64] {axes=[1]}\n"
            "reduce_sum f32[] {axes=[0]}\n"
            "convert_element_type bf16[] {dtype=bf16}\n");
}
TEST(PartialReductions, OthersStayAsTheyAre) {
  EXPECT_EQ(cut_sum("f32[32768]", "0", "f32[]"), "reduce_sum f32[] {axes=[0]}\n");              // short
  EXPECT_EQ(cut_sum("f32[65537]", "0", "f32[]"), "reduce_sum f32[] {axes=[0]}\n");              // prime
  EXPECT_EQ(cut_sum("f32[4096,1024]", "1", "f32[4096]"), "reduce_sum f32[4096] {axes=[1]}\n");  // rows
  EXPECT_EQ(cut_sum("f32[8,65536]", "1", "f32[8]"), "reduce_sum f32[8] {axes=[1]}\n");          // behind
  EXPECT_EQ(cut_sum("f32[0,65536]", "0,1", "f32[]"), "reduce_sum f32[] {axes=[0,1]}\n");        // empty
}
TEST(PartialReductions, EveryReductionIsCut) {
  EXPECT_EQ(cut("{ x:s32[65536] ->\n y:s32[] = reduce_xor x {axes=[0]}\n return y }"),
            "reshape s32[64,1024] {shape=[64,1024]}\n"
            "reduce_xor s32[64] {axes=[1]}\n"
            "reduce_xor s32[] {axes=[0]}\n");
  EXPECT_EQ(cut("{ x:s32[65536] ->\n y:s32[] = argmax x {axis=0, index_dtype=s32}\n return y }"),
            "argmax s32[] {axis=0, index_dtype=s32}\n");
}

class LongSums : public testing::OnCpu {};

TEST_F(LongSums, AreTheSameForAnyNumberOfThreads) {
  const Array x = random::normal(random::key(3), {1 << 20});
  const auto measures = [](const Array& a) {
    const Array m = mean(a);
    return std::vector<Array>{m, mean(square(a - m)), max(abs(a)), sum(exp(a) * a)};
  };
  const std::vector<Array> want = jit(measures, {.threads = 1})(x);
  for (int threads : {2, 4}) {
    const std::vector<Array> found = jit(measures, {.threads = threads})(x);
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(found[i].item(), want[i].item()) << i;
  }
  EXPECT_NEAR(want[0].item(), 0, 4e-3);
  EXPECT_NEAR(want[1].item(), 1, 6e-3);
}
/// One chain of sums would lose the ones long before the end.
TEST_F(LongSums, ColumnsOfManyOnesAreExact) {
  const Array x = lax::full({1 << 21, 3}, 1.f);
  const Array sums = jit([](const Array& a) { return sum(a + 0.5f, 0); })(x);
  for (float s : sums.read<float>().vector()) EXPECT_EQ(s, 1.5f * (1 << 21));
}

/// Positions beyond what an s32 counts to.
TEST_F(LongSums, AnIotaOfManyElementsIsCounted) {
  const Array last = jit([] { return max(lax::iota({f32, {(std::int64_t{1} << 31) + (1 << 20)}}, 0)); })();
  EXPECT_EQ(last.item(), 0x1p31f + 0x1p20f);
}

}  // namespace
}  // namespace baton
