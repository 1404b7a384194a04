// formats: damaged StableHLO text, Program text, safetensors, npy and npz. Each is read or refused by a
// UsageError; nothing crashes, and nothing asks for more memory than the file could fill.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "baton/baton.h"
#include "baton/npy.h"
#include "baton/stablehlo.h"
#include "fuzz/random.h"

namespace baton::testing {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream f(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>()};
}

std::size_t rounds(std::size_t few) {
  const char* n = std::getenv("BATON_FUZZ_ROUNDS");
  return n ? static_cast<std::size_t>(std::strtoull(n, nullptr, 10)) : few;
}

/// One to three changes: a byte, a cut, a copy, a number, the end.
std::string damaged(std::string s, SeededNumbers& random) {
  static const char* const numbers[] = {
      "0",    "-1", "4294967296", "9223372036854775807", "-9223372036854775808", "99999999999999999999999",
      "1e999"};
  for (std::size_t k = 1 + random.below(3); k-- > 0 && !s.empty();) {
    const std::size_t at = random.below(s.size());
    switch (random.below(6)) {
      case 0:
        s[at] = static_cast<char>(random.bits());
        break;
      case 1:
        s[at] = "{}[]()<>\"'%#@:=,-x0?!"[random.below(22)];
        break;
      case 2:
        s.erase(at, 1 + random.below(20));
        break;
      case 3:
        s.insert(at, s.substr(random.below(s.size()), 1 + random.below(40)));
        break;
      case 4: {
        std::size_t i = at;
        while (i < s.size() && !std::isdigit(static_cast<unsigned char>(s[i]))) ++i;
        std::size_t end = i;
        while (end < s.size() && std::isdigit(static_cast<unsigned char>(s[end]))) ++end;
        if (i < s.size()) s.replace(i, end - i, numbers[random.below(std::size(numbers))]);
        break;
      }
      default:
        if (random.below(4) == 0) s.resize(at);
    }
  }
  return s;
}

/// Only a UsageError, or no memory for what a changed number asks, may come out.
template <class F>
void read(const std::string& text, F f) {
  try {
    f();
  } catch (const UsageError&) {
  } catch (const DeviceError&) {
  } catch (const std::exception& e) {
    FAIL() << e.what() << "\n" << text;
  }
}

TEST(DamagedFormats, StableHlo) {
  std::vector<std::string> corpus;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(BATON_TEST_DATA) + "/grad"))
    if (entry.path().extension() == ".mlir") corpus.push_back(contents(entry.path()));
  std::sort(corpus.begin(), corpus.end());
  ASSERT_FALSE(corpus.empty());
  SeededNumbers random(11);
  for (std::size_t i = 0; i < rounds(400) && !HasFatalFailure(); ++i) {
    const std::string text = damaged(corpus[random.below(corpus.size())], random);
    read(text, [&] { import_stablehlo(text); });
  }
}

TEST(DamagedFormats, ProgramText) {
  const auto f = [](const Array& x) {
    const auto ys = scan(
                        [](const Array& c, const Array& t) {
                          return Step{cond(
                                          lax::gt(c, 0.5f), [](const Array& v) { return lax::sin(v); },
                                          [](const Array& v) { return lax::mul(v, 2.f); }, c),
                                      lax::mul(c, t)};
                        },
                        Array(1.f), x)
                        .ys;
    return lax::add(lax::dot_general(ys, x, {.lhs_contract = {0}, .rhs_contract = {0}}),
                    lax::reduce_sum(lax::pad(x, 0.f, {{1, 2, 0}}), {0}));
  };
  const std::string whole = trace(grad(f), abstract({f32, {4}})).text();
  SeededNumbers random(12);
  for (std::size_t i = 0; i < rounds(1000) && !HasFatalFailure(); ++i) {
    const std::string text = damaged(whole, random);
    read(text, [&] { Program::parse(text); });
  }
}

TEST(DamagedFormats, ArrayFiles) {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("baton_fuzz_" + std::to_string(getpid()))).string();
  NamedArrays arrays;
  arrays["weights"] = Array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
  arrays["flags"] = Array({true, false, true}, {3});
  arrays["z"] = Array(std::complex<double>(1, 2));
  save_safetensors(base + ".safetensors", arrays, {{"format", "pt"}});
  save_npy(base + ".npy", arrays["weights"]);
  save_npz(base + ".npz", arrays);
  save_npz(base + ".packed", arrays, true);
  SeededNumbers random(13);
  for (const char* kind : {".safetensors", ".npy", ".npz", ".packed"}) {
    const std::string whole = contents(base + kind), changed = base + ".changed";
    for (std::size_t i = 0; i < rounds(300) && !HasFatalFailure(); ++i) {
      std::ofstream(changed, std::ios::binary) << damaged(whole, random);
      read(kind, [&] {
        if (kind[1] == 's')
          load_safetensors(changed);
        else if (kind[3] == 'y')
          load_npy(changed);
        else
          load_npz(changed);
      });
    }
    std::filesystem::remove(base + kind);
  }
  std::filesystem::remove(base + ".changed");
}

std::string repeated(const std::string& s, std::size_t n) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += s;
  return all;
}

TEST(DeepText, IsRefusedBeforeTheStackEnds) {
  constexpr std::size_t n = 200000;
  EXPECT_THROW(Program::parse(repeated("{ a:f32[] ->\n  b:f32[] = call a {body=", n)), UsageError);
  for (const char* open : {"[", "{a = ", "tuple<", "tensor<", "#stablehlo.gather<offset_dims = ["})
    EXPECT_THROW(parse_stablehlo("module attributes {a = " + repeated(open, n) + "} {}"), UsageError) << open;
  EXPECT_THROW(parse_stablehlo("func.func @main() {" + repeated("\"stablehlo.while\"() ({ ", n)), UsageError);
  EXPECT_THROW(parse_stablehlo("func.func @main() { %0 = stablehlo.constant dense<" + repeated("[", n) +
                               "> : tensor<1xf32> }"),
               UsageError);
  std::string callers;
  for (std::size_t i = 0; i < 5000; ++i)
    callers += "func.func @f" + std::to_string(i) + "(%x: tensor<f32>) -> tensor<f32> { %0 = call @f" +
               std::to_string(i + 1) + "(%x) : (tensor<f32>) -> tensor<f32>\n return %0 : tensor<f32> }\n";
  EXPECT_THROW(import_stablehlo(callers, "f0"), UsageError);
}

}  // namespace
}  // namespace baton::testing
