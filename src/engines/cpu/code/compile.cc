// compile: shares of about the same size, one module each.
#include "engines/cpu/code/compile.h"

#include <algorithm>
#include <numeric>

#include "engines/cpu/memory_check.h"

namespace baton::cpu {
namespace {

constexpr std::size_t worth_a_thread = 300;  // instructions

/// The codes in so many shares of about the same size, or fewer that are worth a thread.
std::vector<std::vector<std::size_t>> shares(std::span<const Code> codes, int most) {
  std::vector<std::size_t> by_size(codes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  const auto size = [&](std::size_t k) { return codes[k].values.size(); };
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::size_t all = 0;
  for (std::size_t k : by_size) all += size(k);
  const std::size_t count = std::clamp<std::size_t>(all / worth_a_thread, 1, static_cast<std::size_t>(most));
  std::vector<std::vector<std::size_t>> shares(count);
  std::vector<std::size_t> sizes(count);
  for (std::size_t k : by_size) {
    const auto least = std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
    shares[static_cast<std::size_t>(least)].push_back(k);
    sizes[static_cast<std::size_t>(least)] += size(k);
  }
  std::erase_if(shares, [](const auto& share) { return share.empty(); });
  return shares;
}

}  // namespace

std::vector<Compiled> compile(std::span<const Code> codes, Workers& workers) {
  require_memory(std::int64_t{16} << 20, "compiling",  // by LLVM
                 "Free memory, or raise the limit of the process; Engine::reference compiles nothing.");
  const std::vector<std::vector<std::size_t>> each = shares(codes, workers.count());
  std::vector<Compiled> compiled(codes.size());
  workers.run(static_cast<std::int64_t>(each.size()), [&](std::int64_t share) {
    const std::vector<std::size_t>& mine = each[static_cast<std::size_t>(share)];
    std::vector<const Code*> its_codes;
    for (std::size_t k : mine) its_codes.push_back(&codes[k]);
    const Module module = compile_module(its_codes);
    for (std::size_t i = 0; i < mine.size(); ++i) compiled[mine[i]] = {module.functions[i], module.memory};
  });
  return compiled;
}

}  // namespace baton::cpu
