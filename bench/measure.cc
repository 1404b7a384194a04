// measure: asks the system.
#include "measure.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace bench {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double process_age() {
  std::ifstream stat("/proc/self/stat"), uptime("/proc/uptime");
  std::string line;
  std::getline(stat, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name before may hold spaces
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  double start = 0, up = 0;
  fields >> start;
  uptime >> up;
  return up - start / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return mb(resident * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

double peak_resident_mb() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double place = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

void emit(const Subject& s, const std::string& metric, double value, const std::string& unit) {
  std::printf(R"({"peer": "%s", "workload": "%s", "metric": "%s", "value": %.6g, "unit": "%s"})"
              "\n",
              s.peer.c_str(), s.workload.c_str(), metric.c_str(), value, unit.c_str());
  std::fflush(stdout);
}

}  // namespace bench
