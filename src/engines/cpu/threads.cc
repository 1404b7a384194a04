// threads: how many a run may have: what the user says, or the processors of this process, as its CPU set and
// the quotas of its control groups allow.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "engines/cpu/cpu.h"
#include "engines/cpu/pool.h"

namespace baton::cpu {
namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

/// The processors that `quota` of each `period` is; many, where there is no quota.
int processors_of(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return most_threads;
  return static_cast<int>(std::clamp<std::int64_t>(*quota / *period, 1, most_threads));
}

/// The least quota of a group and those around it. Version 2 has it in one file, version 1 in two.
int quota_in(const std::string& mount, std::string group) {
  int least = most_threads;
  while (true) {
    const std::string folder = mount + group;
    const std::string both = first_line(folder + "/cpu.max");
    const std::size_t space = both.find(' ');
    least = std::min(least, space == std::string::npos
                                ? processors_of(number_of(first_line(folder + "/cpu.cfs_quota_us")),
                                                number_of(first_line(folder + "/cpu.cfs_period_us")))
                                : processors_of(number_of(std::string_view(both).substr(0, space)),
                                                number_of(std::string_view(both).substr(space + 1))));
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

int quota() {
  int least = most_threads;
  std::ifstream groups("/proc/self/cgroup");  // number:controllers:path
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers == ",,")
      least = std::min(least, quota_in("/sys/fs/cgroup", path));
    else if (controllers.find(",cpu,") != std::string::npos)
      least = std::min(least, quota_in("/sys/fs/cgroup/cpu", path));
  }
  return least;
}

/// Processors of the CPU set, which may be longer than a cpu_set_t.
int usable() {
  for (std::size_t sets = 1; sets <= 64; sets *= 2) {
    std::vector<cpu_set_t> set(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, set.data()) == 0) return CPU_COUNT_S(bytes, set.data());
  }
  return 1;
}

int processors() { return std::max(1, std::min(usable(), quota())); }

}  // namespace

int threads_named(std::string_view text) {
  const std::optional<std::int64_t> n = number_of(text);
  if (!n || *n < 1 || *n > most_threads)
    throw UsageError("BATON_THREADS: a number of threads from 1 to " + std::to_string(most_threads) +
                     " is required, found `" + std::string(text) + "`." +
                     "\n  Unset it to use every processor that this process may use.");
  return static_cast<int>(*n);
}

int default_threads() {
  static const int threads = [] {
    const char* named = std::getenv("BATON_THREADS");
    return named && *named ? threads_named(named) : processors();
  }();
  return threads;
}

}  // namespace baton::cpu
