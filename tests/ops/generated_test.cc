// generated: for every example of every primitive, over its dtypes: types, text, eager, batch, special
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "baton/error.h"
#include "row.h"
#include "trace/executor.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton::testing {
namespace {

class NoPrograms final : public Evaluator {
 public:
  void run(const Program& program, std::span<const View> in, std::span<const View> out) override {
    Arrays inputs;
    for (const View& v : in) inputs.push_back(Array(*v.type, v.data));
    const Arrays results = testing::run(program, inputs);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i].type->bytes()) std::memcpy(out[i].data, results[i].data(), out[i].type->bytes());
  }
};

/// Bytes of every result, from memory that holds `fill`; checks that nothing around a result is written.
std::vector<std::vector<unsigned char>> evaluate(const Primitive& p, const Arrays& in, const Types& out,
                                                 const Params& params, unsigned char fill) {
  constexpr std::size_t guard = 64;
  std::vector<std::vector<unsigned char>> memory;
  std::vector<View> operands, results;
  for (const Array& a : in) operands.push_back({&a.type(), const_cast<void*>(a.data())});
  for (const Type& t : out) memory.emplace_back(t.bytes() + 2 * guard, fill);
  for (std::size_t i = 0; i < out.size(); ++i) results.push_back({&out[i], memory[i].data() + guard});
  NoPrograms inner;
  p.evaluate(operands, results, params, inner);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t k = 0; k < guard; ++k)
      EXPECT_TRUE(memory[i][k] == fill && memory[i][guard + out[i].bytes() + k] == fill)
          << "wrote beside result " << i;
    memory[i] = {memory[i].begin() + guard, memory[i].end() - guard};
  }
  return memory;
}

class Ops : public ::testing::TestWithParam<Row> {
 protected:
  const Row& row() const { return GetParam(); }
  const Primitive& op() const { return *GetParam().primitive; }
  Random random(const Variant& v) const { return Random(row().name() + v.label); }
};

TEST_P(Ops, TypeRuleEqualsEvaluate) {
  for (const Variant& v : variants(row())) {
    SCOPED_TRACE(v.label);
    Random r = random(v);
    const Arrays in = draw(row(), v.inputs, r);
    const auto once = evaluate(op(), in, v.outputs, v.params, 0x00);
    const auto again =
        evaluate(op(), in, v.outputs, v.params, 0xa5);  // every byte is written, from inputs alone
    EXPECT_EQ(once, again);
    for (std::size_t i = 0; i < v.outputs.size(); ++i)
      if (v.outputs[i].dtype == boolean)
        for (unsigned char c : once[i]) EXPECT_LE(c, 1) << "a bool is 0 or 1";
  }
}

TEST_P(Ops, PrintsParsesChecks) {
  for (const Variant& v : variants(row())) {
    SCOPED_TRACE(v.label);
    const Program program = program_of(op(), v.inputs, v.params);
    check(program);
    EXPECT_EQ(program.outputs(), v.outputs);
    const Program parsed = Program::parse(program.text());
    EXPECT_EQ(parsed.hash(), program.hash()) << program.text();
    EXPECT_EQ(parsed.text(), program.text());
  }
}

TEST_P(Ops, EagerEqualsTraced) {
  for (const Variant& v : variants(row())) {
    SCOPED_TRACE(v.label);
    Random r = random(v);
    const Arrays in = draw(row(), v.inputs, r);
    const Arrays eager = bind(op(), in, v.params, {});
    const Arrays traced = execute(program_of(op(), v.inputs, v.params), in, {});
    ASSERT_EQ(eager.size(), traced.size());
    for (std::size_t i = 0; i < eager.size(); ++i)
      EXPECT_TRUE(same_bits(eager[i], traced[i])) << "result " << i;
  }
}

/// Every operand batched, and where there are several each alone.
std::vector<Mask> batch_masks(std::size_t operands) {
  std::vector<Mask> masks = {Mask(operands, true)};
  for (std::size_t k = 0; k < operands && operands > 1; ++k) {
    masks.emplace_back(operands);
    masks.back()[k] = true;
  }
  return masks;
}
std::string describe(const Variant& v, const Mask& mask) {
  std::string text = v.label + ", batched:";
  for (std::size_t k = 0; k < mask.size(); ++k)
    if (mask[k]) text += " " + std::to_string(k);
  return text;
}

using Compare = std::string (*)(const Array& found, const Array& wanted);

/// Batches the operands in the mask (lanes along axes[i]) and compares with one call for each lane.
void batch_equals_loop(const Row& row, const Variant& v, const Mask& mask, bool last_axis,
                       FunctionRef<Arrays()> draw_lane, Compare compare) {
  constexpr std::size_t lanes = 3;
  const Primitive& op = *row.primitive;
  std::vector<Arrays> inputs(lanes);
  for (Arrays& in : inputs) in = draw_lane();
  Types types;
  Arrays arguments;
  std::vector<int> axes;
  for (std::size_t k = 0; k < v.inputs.size(); ++k) {
    // The last axis for every other batched operand, so that axes differ.
    axes.push_back(!mask[k] ? -1 : last_axis && (axes.size() % 2 == 0) ? v.inputs[k].rank() : 0);
    Arrays column;
    for (Arrays& in : inputs) {
      if (!mask[k]) in[k] = inputs[0][k];
      column.push_back(in[k]);
    }
    arguments.push_back(mask[k] ? stack(column, axes[k]) : column[0]);
    types.push_back(arguments.back().type());
  }
  Arrays found;
  Mask batched;
  const BatchAxis axis{lanes, ""};
  if (last_axis) {
    Transformer& t = transformer();
    std::vector<int> out_axes;
    const Program program = make_program("batched", types, [&](const Arrays& in) {
      std::vector<Batched> operands, results;
      for (std::size_t k = 0; k < in.size(); ++k) operands.push_back({in[k], axes[k]});
      results = op.batch(axis, operands, v.params, t);
      Arrays values;
      for (const Batched& b : results) values.push_back(b.value), out_axes.push_back(b.axis);
      return values;
    });
    check(program);
    found = run(program, arguments);
    ASSERT_EQ(found.size(), v.outputs.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (out_axes[i] > 0) found[i] = stack(unstack(found[i], out_axes[i]), 0);
      batched.push_back(out_axes[i] >= 0);
    }
  } else {
    const BatchProgram b =
        transformer().batch(program_of(op, v.inputs, v.params), axis, mask, Mask(v.outputs.size()));
    check(b.program);
    found = run(b.program, arguments);
    batched = b.out;
  }
  const Program one = program_of(op, v.inputs, v.params);
  std::vector<Arrays> wanted;
  for (const Arrays& in : inputs) wanted.push_back(run(one, in));
  for (std::size_t i = 0; i < v.outputs.size(); ++i) {
    const Arrays got = batched[i] ? unstack(found[i], 0) : Arrays(lanes, found[i]);
    ASSERT_EQ(got.size(), lanes);
    for (std::size_t l = 0; l < lanes; ++l)
      EXPECT_EQ(compare(got[l], wanted[l][i]), "") << "result " << i << " of lane " << l;
  }
}

TEST_P(Ops, BatchEqualsLoopAndStack) {
  for (const Variant& v : variants(row())) {
    if (v.inputs.empty()) continue;
    Random r = random(v);
    const Compare near = [](const Array& found, const Array& wanted) {
      return difference(found, wanted, 64);
    };
    auto draw_lane = [&] { return draw(row(), v.inputs, r); };
    for (const Mask& mask : batch_masks(v.inputs.size())) {
      SCOPED_TRACE(describe(v, mask));
      batch_equals_loop(row(), v, mask, false, draw_lane, near);
      if (op().batch) batch_equals_loop(row(), v, mask, true, draw_lane, near);
    }
  }
}

TEST_P(Ops, SpecialValuesDoNotCrash) {
  for (const Variant& v : variants(row())) {
    if (may_loop_for_ever(op(), v.params)) continue;
    SCOPED_TRACE(v.label);
    Random r = random(v);
    for (int round = 0; round < 4; ++round) {
      Arrays in;
      for (const Type& t : v.inputs) in.push_back(specials(t, r));
      EXPECT_EQ(evaluate(op(), in, v.outputs, v.params, 0x00), evaluate(op(), in, v.outputs, v.params, 0xa5));
    }
  }
}

/// Lanes do not touch each other, whatever stands in them: not by a NaN, an infinity or the sign of a zero.
TEST_P(Ops, BatchOfSpecialValuesEqualsLoop) {
  for (const Variant& v : variants(row())) {
    if (may_loop_for_ever(op(), v.params) || v.inputs.empty()) continue;
    Random r = random(v);
    auto draw_lane = [&] {
      Arrays in;
      for (const Type& t : v.inputs) in.push_back(specials(t, r));
      return in;
    };
    for (const Mask& mask : batch_masks(v.inputs.size())) {
      SCOPED_TRACE(describe(v, mask));
      batch_equals_loop(row(), v, mask, false, draw_lane, difference_of_bits);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Ops, ::testing::ValuesIn(rows()),
                         [](const auto& info) { return info.param.name(); });
INSTANTIATE_TEST_SUITE_P(Edges, Ops, ::testing::ValuesIn(edge_rows()),
                         [](const auto& info) { return info.param.name(); });

/// Three kinds have no meaning as a Program of one equation; tests of their own call them: collectives
/// outside of vmap, custom_vjp_linear, which custom_vjp makes to be transposed, and host_function, which
/// calls code of the user's.
bool stands_alone(const Primitive& p) {
  const bool collective = p.names_axis && !p.names_axis(p.params, "no such axis");
  return !collective && p.name != "custom_vjp_linear" && p.name != "host_function";
}

TEST(Examples, EveryPrimitiveHasSome) {
  for (const Primitive* p : all_primitives()) {
    if (!stands_alone(*p)) continue;
    EXPECT_TRUE(!p->examples.empty() || p->program_examples)
        << p->name << " has no examples, so nothing tests it";
  }
}

TEST(Examples, RulesStandBehindThem) {
  for (const Row& row : rows()) {
    const Primitive& p = *row.primitive;
    const Types out = result_types(p, row.example.inputs, row.example.params);
    const bool moves = std::any_of(out.begin(), out.end(), [](const Type& t) { return is_inexact(t.dtype); });
    if (row.example.order > 0 && moves)
      EXPECT_TRUE(p.jvp || p.jvp_whole || p.linear) << row.name() << " asks for a derivative";
    EXPECT_TRUE(p.batch || p.elementwise || row.example.inputs.empty()) << p.name << " cannot be batched";
    if (p.linear) EXPECT_TRUE(p.transpose != nullptr) << p.name << " is linear and has no transpose";
  }
}

}  // namespace

}  // namespace baton::testing
