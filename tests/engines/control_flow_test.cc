// control_flow: loops and branches as Plans inside a Plan, beside the reference: with carries in place and
// turning, donated and not.
#include <gtest/gtest.h>

#include "baton/baton.h"
#include "engines/cpu/cpu.h"
#include "engines/reference/reference.h"
#include "ops/row.h"
#include "trace/trace.h"

namespace baton {
namespace {

Array ramp(const Type& t, float from = 0.25f) {
  if (t.dtype == boolean) return Array(true);
  if (t.dtype == s32) return Array(t, std::vector<int>(static_cast<std::size_t>(t.size()), 1).data());
  std::vector<float> values(static_cast<std::size_t>(t.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from + 0.5f * static_cast<float>(i % 7);
  return Array(values, t.shape);
}
Arrays inputs_of(const Program& p) {
  Arrays inputs;
  for (const Type& t : p.inputs())
    inputs.push_back(clone(ramp(t, 0.25f + 0.125f * static_cast<float>(inputs.size()))));
  return inputs;
}

/// The same bits as the reference, alone and with its input `donated` written into output `to`.
PlanReport expect_as_reference(const Program& p, int donated = -1, int to = -1, Arrays inputs = {}) {
  if (inputs.empty()) inputs = inputs_of(p);
  const Arrays want = reference::compile(p, {})->run(inputs);
  const auto expect = [&](const Arrays& found, const char* how) {
    for (std::size_t k = 0; k < want.size(); ++k)
      EXPECT_TRUE(testing::same_bits(found[k], want[k])) << how << ", result " << k << " of\n"
                                                         << p.text() << "\n"
                                                         << show(found[k]) << "\n"
                                                         << show(want[k]);
  };
  const ExecutablePtr plain = cpu::compile(p, {});
  expect(plain->run(inputs), "plain");
  if (donated >= 0) {
    std::vector<int> take(inputs.size(), -1);
    take[static_cast<std::size_t>(donated)] = to;
    Arrays given = inputs;
    Array& gift = given[static_cast<std::size_t>(donated)];
    gift = clone(gift);
    const void* memory = gift.data();
    const Arrays found = cpu::compile(p, take)->run(std::move(given));
    expect(found, "donated");
    EXPECT_EQ(found[static_cast<std::size_t>(to)].data(), memory);
  }
  return plain->report({});
}

Program scan_of(const Program& body, int consts, int carry, std::int64_t length, bool reverse = false) {
  Types in = body.inputs();
  for (std::size_t i = static_cast<std::size_t>(consts + carry); i < in.size(); ++i)
    in[i].shape.insert(in[i].shape.begin(), length);
  return make_program("scan", in, [&](const Arrays& all) {
    const auto part = [&](std::size_t from, std::size_t to) {
      return Arrays(all.begin() + static_cast<std::ptrdiff_t>(from),
                    all.begin() + static_cast<std::ptrdiff_t>(to));
    };
    const auto c = static_cast<std::size_t>(consts), k = c + static_cast<std::size_t>(carry);
    return lax::scan(body, part(0, c), part(c, k), part(k, all.size()),
                     {.length = length, .reverse = reverse});
  });
}

const char* const bodies[] = {
    // carry, x: in place
    R"({ h:f32[3], x:f32[3] ->
      a:f32[3] = mul h x
      b:f32[3] = sin a
      return b, a })",
    // the old carry is read after the new one is made
    R"({ h:f32[3], x:f32[3] ->
      a:f32[3] = sin h
      b:f32[3] = add a x
      c:f32[3] = sin b
      d:f32[3] = mul c h
      return b, d })",
    // ys that are the carry, the slice, a number
    R"({ h:f32[3], x:f32[3] ->
      a:f32[3] = add h x
      return a, h, x, 2.5:f32, a })",
    // the carry becomes the slice; stays
    R"({ h:f32[3], x:f32[3] -> return x, h })", R"({ h:f32[3], x:f32[3] -> return h, x })"};

TEST(Scan, BodiesOfEveryKind) {
  for (const char* text : bodies)
    for (std::int64_t length : {0, 1, 2, 5})
      for (bool reverse : {false, true})
        expect_as_reference(scan_of(Program::parse(text), 0, 1, length, reverse), 0, 0);
}

TEST(Scan, CarriesThatSwap) {
  const Program body = Program::parse(R"({ k:f32[2], a:f32[2], b:f32[2] ->
    c:f32[2] = add a b
    d:f32[2] = mul c k
    return b, d, c })");
  for (std::int64_t length : {0, 1, 4, 7}) {
    expect_as_reference(scan_of(body, 1, 2, length), 1, 0);
    expect_as_reference(scan_of(body, 1, 2, length), 2, 1);
  }
  expect_as_reference(scan_of(Program::parse("{ a:f32[2], b:f32[2] -> return b, a }"), 0, 2, 3), 0, 0);
  expect_as_reference(scan_of(Program::parse("{ k:f32[2], a:f32[2] -> return k, a }"), 1, 1, 3), 1, 0);
}

/// One array as const, carry and what is scanned.
TEST(Scan, OneArrayInEveryPlace) {
  const Program body = Program::parse(R"({ k:f32[3], h:f32[3], x:f32[] ->
    a:f32[3] = broadcast_in_dim x {shape=[3], dimensions=[]}
    b:f32[3] = mul h a
    c:f32[3] = add b k
    return c, x })");
  const Program p = make_program("scan", {{f32, {3}}}, [&](const Arrays& in) {
    const Array y = lax::sin(in[0]);
    return lax::scan(body, {y}, {y}, {y});
  });
  expect_as_reference(p, 0, 0);
}

/// A large carry that is only ever overwritten takes no second memory, nor does what a branch hands on.
TEST(Scan, ACarryIsOverwrittenInItsPlace) {
  const Program body = Program::parse(R"({ h:f32[4096] ->
    a:f32[4096] = sin h
    b:f32[4096] = cos a
    return b })");
  EXPECT_LT(expect_as_reference(scan_of(body, 0, 1, 10), 0, 0).arena_bytes, 1024u);
}

TEST(While, CarriesThatTheConditionReads) {
  const Program below = Program::parse(R"({ limit:s32[], i:s32[], h:f32[3] ->
    a:bool[] = lt i limit
    return a })");
  const Program body = Program::parse(R"({ k:f32[3], i:s32[], h:f32[3] ->
    a:s32[] = add i 1:s32
    b:f32[3] = mul h k
    c:f32[3] = sin b
    d:f32[3] = add c h
    return a, d })");
  for (int limit : {-1, 1, 2, 9}) {
    const Program p = make_program("while", {{f32, {3}}, {f32, {3}}}, [&](const Arrays& in) {
      return lax::while_loop(below, {Array(limit)}, body, {in[0]}, {Array(0), in[1]});
    });
    expect_as_reference(p, 1, 1);
  }
}

TEST(While, CarriesThatSwap) {
  const Program below = Program::parse(R"({ a:f32[], b:f32[] ->
    c:bool[] = lt a 100.0:f32
    return c })");
  const Program body = Program::parse(R"({ a:f32[], b:f32[] ->
    c:f32[] = add a b
    return b, c })");
  const Program p = make_program("while", {{f32, {}}, {f32, {}}},
                                 [&](const Arrays& in) { return lax::while_loop(below, {}, body, {}, in); });
  expect_as_reference(p, 0, 0);
  const Program itself = make_program("while", {{boolean, {}}}, [&](const Arrays& in) {
    return lax::while_loop(Program::parse("{ a:bool[] -> return a }"), {},
                           Program::parse("{ a:bool[] -> return false:bool }"), {}, in);
  });
  expect_as_reference(itself, 0, 0);
}

Program cond_of(const std::vector<std::string>& branches, bool boolean_index = false) {
  std::vector<Program> programs;
  for (const std::string& b : branches) programs.push_back(Program::parse(b));
  Types in = programs[0].inputs();
  in.insert(in.begin(), boolean_index ? Type{boolean, {}} : Type{s32, {}});
  return make_program("cond", in, [&](const Arrays& all) {
    return lax::cond(all[0], programs, Arrays(all.begin() + 1, all.end()));
  });
}

TEST(Cond, BranchesThatUpdateKeepAndSwap) {
  const std::vector<std::vector<std::string>> all = {
      {R"({ a:f32[4], b:f32[4] ->
         c:f32[4] = mul a b
         d:f32[4] = sub a c
         return d, b })",
       "{ a:f32[4], b:f32[4] -> return a, b }"},
      {"{ a:f32[4], b:f32[4] -> return b, a }", "{ a:f32[4], b:f32[4] -> return a, b }"},
      {R"({ a:f32[4], b:f32[4] ->
         c:f32[4] = sin b
         d:f32[4] = add c a
         return c, d })",
       "{ a:f32[4], b:f32[4] -> return a, a }", "{ a:f32[4], b:f32[4] -> return b, b }"}};
  for (const auto& branches : all) {
    const Program p = cond_of(branches);
    for (int index : {-5, 0, 1, 2, 9}) {
      Arrays inputs = inputs_of(p);
      inputs[0] = Array(index);
      expect_as_reference(p, 1, 0, inputs);
      expect_as_reference(p, 2, 1, inputs);
      expect_as_reference(p, 1, 1, inputs);
    }
  }
  const Program p = cond_of(all[0], true);
  for (bool index : {false, true}) {
    Arrays inputs = inputs_of(p);
    inputs[0] = Array(index);
    expect_as_reference(p, 1, 0, inputs);
  }
}

/// A step that keeps the state where it may not be updated: neither branch needs a second state.
TEST(Cond, AStateThatIsKeptOrUpdatedIsNotCopied) {
  const Program p =
      cond_of({"{ a:f32[4096] -> return a }", "{ a:f32[4096] ->\n  b:f32[4096] = sin a\n  return b }"});
  const Program step = make_program("step", {{s32, {}}, {f32, {4096}}}, [&](const Arrays& in) {
    return splice(p, {in[0], lax::cos(in[1])});
  });
  EXPECT_LT(expect_as_reference(step, 1, 0).arena_bytes, 1024u);
}

TEST(Nested, LoopsAndBranchesInLoops) {
  const Program inner = Program::parse(R"({ h:f32[3], x:f32[3] ->
    a:f32[3] = sin h
    b:f32[3] = add a x
    c:f32[3] = mul b h
    return b, c })");
  // scan in scan: the inner one runs over the rows of a slice
  const Program middle = make_program("middle", {{f32, {3}}, {f32, {4, 3}}}, [&](const Arrays& in) {
    return lax::scan(inner, {}, {in[0]}, {in[1]}, {.reverse = true});
  });
  expect_as_reference(scan_of(middle, 0, 1, 5), 0, 0);
  // cond in scan
  const Program keep = Program::parse("{ a:f32[3] -> return a }");
  const Program change =
      Program::parse("{ a:f32[3] ->\n  b:f32[3] = cos a\n  c:f32[3] = mul a b\n  return c }");
  const Program choose = make_program("choose", {{f32, {3}}, {s32, {}}}, [&](const Arrays& in) {
    return lax::cond(in[1], {keep, change}, {in[0]});
  });
  expect_as_reference(scan_of(choose, 0, 1, 6), 0, 0);
  // while in cond
  const Program below = Program::parse(R"({ a:f32[3] ->
    b:f32[] = reduce_sum a {axes=[0]}
    c:bool[] = lt b 50.0:f32
    return c })");
  const Program twice = Program::parse("{ a:f32[3] ->\n  b:f32[3] = add a a\n  return b }");
  const Program loop = make_program(
      "loop", {{f32, {3}}}, [&](const Arrays& in) { return lax::while_loop(below, {}, twice, {}, in); });
  const Program either = make_program("either", {{s32, {}}, {f32, {3}}}, [&](const Arrays& in) {
    return lax::cond(in[0], {keep, loop}, {in[1]});
  });
  for (int index : {0, 1}) {
    Arrays inputs = inputs_of(either);
    inputs[0] = Array(index);
    expect_as_reference(either, 1, 0, inputs);
  }
}

/// Steps of bodies and branches count, once for each place in the Program; the loop itself is none.
TEST(Nested, EvaluatedStepsAreCounted) {
  const Program body = Program::parse(R"({ h:f32[4] ->
    a:u32[4] = bitcast_convert_type h {dtype=u32}
    b:f32[4] = random_gamma a a h {log_space=true}
    return b })");
  EXPECT_EQ(cpu::compile(scan_of(body, 0, 1, 100), {})->report({}).evaluated,
            std::vector<std::string>({"random_gamma"}));
}

}  // namespace
}  // namespace baton
