// params: every example of every primitive with one number of its parameters replaced. Each such text is
// refused by a UsageError, or is a Program that runs, batches and differentiates without an internal error.
#include <gtest/gtest.h>

#include <cctype>

#include "base/element.h"
#include "fuzz/random.h"
#include "trace/executor.h"
#include "trace/trace.h"
#include "transforms/transforms.h"

namespace baton::testing {
namespace {

/// Where the integers stand that follow `=` or stand in brackets, from the first brace of parameters on.
std::vector<std::pair<std::size_t, std::size_t>> numbers(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const std::size_t first = text.find('{', text.find("->"));
  for (std::size_t i = first == std::string::npos ? text.size() : first; i < text.size(); ++i) {
    const char before = text[i - 1];
    const std::size_t begin = i;
    if (text[i] == '-') ++i;
    if (i >= text.size() || !std::isdigit(static_cast<unsigned char>(text[i])) ||
        (before != '=' && before != '[' && before != ','))
      continue;
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]))) ++i;
    if (text[i] == ']' || text[i] == ',' || text[i] == '}') found.emplace_back(begin, i - begin);
  }
  return found;
}

std::int64_t elements(const Types& types) {
  std::int64_t n = 0;
  for (const Type& t : types) n = std::max(n, t.size());
  return n;
}

/// Runs, batches and differentiates; only a UsageError may come out.
void exercise(const Program& p, bool run, SeededNumbers& random) {
  Mask inexact_in, all_in, none;
  Arrays inputs;
  bool any = false;
  for (const Type& t : p.inputs()) {
    inexact_in.push_back(is_inexact(t.dtype));
    any = any || is_inexact(t.dtype);
    all_in.push_back(true);
    if (run) inputs.push_back(random_array(t, random));
  }
  const Mask zeros_too(p.outputs().size(), true);
  try {
    if (run) execute(p, inputs, {});
    if (!all_in.empty()) {
      const BatchProgram b = transformer().batch(p, {2, ""}, all_in, zeros_too);
      if (run) {
        Arrays lanes;
        for (const Type& t : b.program.inputs()) lanes.push_back(random_array(t, random));
        execute(b.program, lanes, {});
      }
    }
    if (any) {
      const JvpProgram d = transformer().jvp(p, inexact_in, inexact(p.outputs()));
      if (run) {
        Arrays both;
        for (const Type& t : d.program.inputs()) both.push_back(random_array(t, random));
        execute(d.program, both, {});
      }
    }
  } catch (const UsageError&) {
  } catch (const DeviceError&) {  // no memory for what was asked
  }
}

TEST(Params, AnyNumberIsRefusedOrWorks) {
  constexpr std::int64_t values[] = {0,
                                     1,
                                     2,
                                     3,
                                     5,
                                     -1,
                                     -3,
                                     std::int64_t{1} << 32,
                                     std::int64_t{1} << 57,
                                     std::int64_t{1} << 62,
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()};
  SeededNumbers random(7);
  int parsed = 0, refused = 0;
  for (const Primitive* primitive : all_primitives()) {
    std::vector<Example> examples = primitive->examples;
    if (primitive->program_examples)
      for (const Example& e : primitive->program_examples()) examples.push_back(e);
    for (const Example& e : examples) {
      std::string text;
      try {
        text = make_program("row", e.inputs, [&](const Arrays& in) {
                 return bind(*primitive, in, e.params, {});
               }).text();
      } catch (const UsageError&) {
        continue;
      }
      for (const auto& [at, length] : numbers(text)) {
        for (std::int64_t value : values) {
          std::string changed = text;
          changed.replace(at, length, std::to_string(value));
          SCOPED_TRACE(changed);
          try {
            const Program p = Program::parse(changed);
            ++parsed;
            const bool small = value <= 5 && elements(p.outputs()) < 4096 && elements(p.inputs()) < 4096;
            exercise(p, small && primitive->name != "while", random);  // a changed loop need not end
          } catch (const UsageError&) {
            ++refused;
          } catch (const std::exception& x) {
            FAIL() << x.what();
          }
        }
      }
    }
  }
  EXPECT_GT(parsed, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace baton::testing
