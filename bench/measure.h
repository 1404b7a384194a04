#pragma once
// measure: clocks, memory of the process, and results as JSON lines.
#include <string>
#include <vector>

namespace bench {

/// Seconds since some moment; never goes back.
double now();
/// Seconds since this process was started, in steps of 10 ms.
double process_age();
/// Memory of this process: now, and the most so far.
double resident_mb();
double peak_resident_mb();

constexpr double mb(double bytes) { return bytes / (1 << 20); }

/// The value below which this part of the numbers lies, 0 <= part <= 1; part 0.5 is the median.
double quantile(std::vector<double> values, double part);

/// Who is measured, at what.
struct Subject {
  std::string peer, workload;
};
/// Prints {"peer": .., "workload": .., "metric": .., "value": .., "unit": ..}, and flushes.
void emit(const Subject&, const std::string& metric, double value, const std::string& unit = "");

}  // namespace bench
