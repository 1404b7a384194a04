// code: kernels written by hand, compiled, and run beside C++.
#include "engines/cpu/code/code.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

#include "baton/counters.h"
#include "baton/error.h"
#include "engines/cpu/code/compile.h"
#include "engines/cpu/code/library.h"
#include "threads.h"

namespace baton::cpu {
namespace {

/// A kernel alone, over the range [0, n).
template <class... P>
void run(const Code& code, std::int64_t n, P*... pointers) {
  Alone alone;
  const Compiled compiled = compile(std::span(&code, 1), alone)[0];
  void* const all[] = {pointers...};
  compiled.function(all, 0, n);
}

/// y[i] = what(x[i]) for n elements, a multiple of 16.
template <class F>
Code each(Dtype in, Dtype out, F what) {
  Coder c;
  const int x = c.pointer(0, in), y = c.pointer(1, out);
  const auto loop = c.open(c.emit(Do::from, s64, false), c.emit(Do::until, s64, false), lanes);
  c.store(what(c, c.emit(Do::load, in, true, {x, loop.variable, -1})), y, loop.variable);
  c.close();
  return c.finish();
}

TEST(Code, EqualInstructionsStandOnceAndOutsideOfLoops) {
  Coder c;
  const int x = c.pointer(0, f32);
  const int from = c.integer(0), to = c.emit(Do::until, s64, false);
  const auto loop = c.open(from, to, 1);
  const int a = c.emit(Do::add, s64, {to, c.integer(5), -1}),
            b = c.emit(Do::add, s64, {to, c.integer(5), -1});
  EXPECT_EQ(a, b);
  c.store(c.emit(Do::load, f32, false, {x, loop.variable, -1}), x, a);
  c.close();
  EXPECT_EQ(c.finish().text(), R"(v0:f32 = pointer 0
v1:s64 = constant 0
v2:s64 = until
v4:s64 = constant 5
v5:s64 = add v2 v4
for v3 = v1 to v2 by 1
  v6:f32 = load v0 v3
  store v6 v0 v5
)");
}

TEST(Code, ASumHasSixteenLanesFoldedInPairs) {
  Coder c;
  const int x = c.pointer(0, f32), y = c.pointer(1, f32);
  const auto loop = c.open(c.emit(Do::from, s64, false), c.emit(Do::until, s64, false), lanes,
                           {c.wide(c.constant(f32, 0))});
  const int sum =
      c.emit(Do::add, f32, {loop.inside[0], c.emit(Do::load, f32, true, {x, loop.variable, -1}), -1});
  const int all = c.close({sum})[0];
  int folded = all;
  for (int half = lanes / 2; half > 0; half /= 2)
    folded = c.emit(Do::add, f32, {folded, c.emit(Do::moved, f32, {folded, -1, -1}, half), -1});
  c.store(c.emit(Do::first, f32, false, {folded, -1, -1}), y, c.integer(0));
  std::vector<float> in(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.f / static_cast<float>(i + 1);
  float lane[lanes] = {}, found = 0;
  for (std::size_t i = 0; i < in.size(); ++i) lane[i % lanes] += in[i];
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  run(c.finish(), 64, in.data(), &found);
  EXPECT_EQ(found, lane[0]);
}

TEST(Code, ATailIsMasked) {
  Coder c;
  const int x = c.pointer(0, f32), y = c.pointer(1, f32), until = c.emit(Do::until, s64, false);
  const auto loop = c.open(c.emit(Do::from, s64, false), until, lanes);
  const int place = c.emit(Do::add, s64, {loop.variable, c.emit(Do::lane, s64, true), -1});
  const int mask = c.emit(Do::lt, boolean, {place, until, -1});
  const int value = c.emit(Do::load, f32, true, {x, loop.variable, mask});
  c.store(c.emit(Do::neg, f32, {value, -1, -1}), y, loop.variable, mask);
  c.close();
  const std::vector<float> in(21, 2.f);
  std::vector<float> out(32, 7.f);
  run(c.finish(), 21, const_cast<float*>(in.data()), out.data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i < 21 ? -2.f : 7.f) << i;
}

TEST(Code, AGatherReadsAnywhere) {
  Coder c;
  const int x = c.pointer(0, f32), y = c.pointer(1, f32);
  const int places =
      c.emit(Do::sub, s64,
             {c.integer(45), c.emit(Do::mul, s64, {c.emit(Do::lane, s64, true), c.integer(3), -1}), -1});
  c.store(c.emit(Do::gather, f32, true, {x, places, -1}), y, c.integer(0));
  std::vector<float> in(46), out(16);
  std::iota(in.begin(), in.end(), 0.f);
  run(c.finish(), 0, in.data(), out.data());
  for (int l = 0; l < 16; ++l)
    EXPECT_EQ(out[static_cast<std::size_t>(l)], 45.f - 3.f * static_cast<float>(l));
}

TEST(Code, IntegersAndBools) {
  std::vector<std::int32_t> in(32), out(32);
  std::iota(in.begin(), in.end(), -16);
  run(each(s32, s32,
           [](Coder& c, int x) {
             const int odd =
                 c.emit(Do::ne, boolean,
                        {c.emit(Do::bit_and, s32, {x, c.integer(1, s32), -1}), c.integer(0, s32), -1});
             return c.emit(
                 Do::select, s32,
                 {odd, c.emit(Do::mul, s32, {x, x, -1}), c.emit(Do::div, s32, {x, c.integer(2, s32), -1})});
           }),
      32, in.data(), out.data());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], in[i] & 1 ? in[i] * in[i] : in[i] / 2);
  std::vector<unsigned char> less(32, 9);
  run(each(s32, boolean,
           [](Coder& c, int x) {
             return c.emit(Do::lt, boolean, {x, c.integer(3, s32), -1});
           }),
      32, in.data(), less.data());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(less[i], in[i] < 3 ? 1 : 0);
}

TEST(Code, MaximumOfNanIsNan) {
  std::vector<float> in(16, 1.f), out(16);
  in[3] = std::numeric_limits<float>::quiet_NaN();
  in[4] = 5.f;
  run(each(f32, f32,
           [](Coder& c, int x) {
             return c.emit(Do::max, f32, {x, c.constant(f32, 2), -1});
           }),
      16, in.data(), out.data());
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_EQ(out[4], 5.f);
  EXPECT_EQ(out[0], 2.f);
}

TEST(Code, NoPagesForItAreAnError) {
  try {
    CodeMemory none(std::size_t{1} << 60);
    FAIL();
  } catch (const DeviceError& e) {
    EXPECT_NE(
        std::string(e.what()).find(" of machine code: the system refused it, or forbids a process to make "
                                   "code. Engine::reference needs none."),
        std::string::npos)
        << e.what();
  }
}

TEST(Code, TheLibraryHasEveryFunction) {
  for (int i = static_cast<int>(Do::constant); i <= static_cast<int>(Do::part); ++i) {
    const Do what = static_cast<Do>(i);
    if (is_function(what)) EXPECT_EQ(library_function(what).what, what);
  }
}

/// The bytes of memories, each once.
std::size_t bytes_of(const std::vector<Compiled>& all) {
  std::map<const CodeMemory*, std::size_t> each;
  for (const Compiled& c : all) each[c.memory.get()] = c.memory->bytes();
  return std::accumulate(each.begin(), each.end(), std::size_t{0},
                         [](std::size_t sum, const auto& m) { return sum + m.second; });
}

TEST(Code, SeveralThreadsCompileAModuleEach) {
  std::vector<Code> codes;
  for (int k = 0; k < 100; ++k)
    codes.push_back(each(f32, f32, [&](Coder& c, int x) {
      for (int i = 0; i <= k % 7; ++i) x = c.emit(Do::add, f32, {x, c.constant(f32, k + i), -1});
      return x;
    }));
  testing::Threads threads(3);
  const std::int64_t before = counters().code_modules;
  const std::size_t held = HeldBytes::all();
  std::vector<Compiled> compiled = compile(codes, threads);
  EXPECT_EQ(counters().code_modules - before, 3);
  EXPECT_EQ(HeldBytes::all() - held, bytes_of(compiled));
  std::vector<float> x(16), y(16);
  std::iota(x.begin(), x.end(), 0.f);
  void* const all[] = {x.data(), y.data()};
  for (int k = 0; k < 100; ++k) {
    compiled[static_cast<std::size_t>(k)].function(all, 0, 16);
    for (int l = 0; l < 16; ++l) {
      float want = static_cast<float>(l);
      for (int i = 0; i <= k % 7; ++i) want += static_cast<float>(k + i);
      EXPECT_EQ(y[static_cast<std::size_t>(l)], want) << k;
    }
  }
  // A module lives as long as one of its kernels, and whole.
  const Compiled last = compiled.back();
  compiled.clear();
  EXPECT_EQ(HeldBytes::all() - held, last.memory->bytes());
  void* const pointers[] = {x.data(), y.data()};
  last.function(pointers, 0, 16);
  EXPECT_EQ(y[0], 99.f + 100.f);
}

/// The memory of code cannot be written, and holds it without much beside it.
TEST(Code, MachineCodeTakesThePagesThatItFills) {
  const Code code = each(f32, f32, [](Coder& c, int x) { return c.emit(Do::add, f32, {x, x, -1}); });
  Alone alone;
  const std::size_t held = HeldBytes::all();
  {
    const Compiled compiled = compile(std::span(&code, 1), alone)[0];
    EXPECT_EQ(HeldBytes::all() - held, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    std::ifstream maps("/proc/self/maps");
    std::string line, permissions;
    const auto address = reinterpret_cast<std::uintptr_t>(compiled.function);
    while (std::getline(maps, line)) {
      std::uintptr_t from = 0, to = 0;
      char dash = 0;
      std::istringstream(line) >> std::hex >> from >> dash >> to >> permissions;
      if (from <= address && address < to) break;
    }
    EXPECT_EQ(permissions, "r-xp");
  }
  EXPECT_EQ(HeldBytes::all(), held);
}

}  // namespace
}  // namespace baton::cpu
