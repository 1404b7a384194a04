// dump: files that cannot be written are told in the log, and change nothing else.
#include "engines/cpu/dump.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "base/log.h"
#include "program/program.h"
#include "trace/origin.h"

namespace baton::cpu {
namespace {

/// The first line of the user's among those of the equations.
std::string first_line(const ProgramData& p) {
  for (const Equation& e : p.equations)
    if (std::string origin = origin_text(e.number); !origin.empty()) return origin;
  return "";
}

/// How many equations, whose, and what may be donated.
std::string summary(const ProgramData& p, const std::string& line, std::span<const int> take) {
  const std::size_t count = p.equations.size();
  std::string text = std::to_string(count) + (count == 1 ? " equation" : " equations");
  if (!line.empty()) text += ", from " + line;
  const auto donated = std::count_if(take.begin(), take.end(), [](int output) { return output >= 0; });
  if (donated)
    text += ", " + std::to_string(donated) + " of " + std::to_string(p.input_count) + " inputs donated";
  return text;
}

std::string name_of(const Program& program, std::span<const int> take) {
  Hasher hasher;
  hasher.hash(program.hash());
  for (int output : take) hasher.integer(output);
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hasher.finish().low));
  return name;
}

}  // namespace

Dump::Dump(const Program& program, std::span<const int> take) {
  const char* named = std::getenv("BATON_DUMP");
  if (!named || !*named) return;
  const std::string line = first_line(*program);
  const bool alone = line.empty() && program->equations.size() == 1;  // an operation outside jit
  const std::string name = (alone ? "operations/" : "") + name_of(program, take);
  std::error_code error;
  folder_ = std::string(named) + "/" + name;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    log("BATON_DUMP: the folder " + folder_ + " cannot be made: " + error.message() + ".");
    folder_.clear();
    return;
  }
  if (!alone)
    std::ofstream(std::string(named) + "/index.txt", std::ios::app)
        << name << "  " << summary(*program, line, take) << "\n";
  write("traced", program.text());
}

void Dump::write(std::string_view stage, const std::string& text) {
  if (!wanted()) return;
  const std::string number = std::to_string(next_++);
  const std::string path =
      folder_ + "/" + (number.size() < 2 ? "0" : "") + number + "_" + std::string(stage) + ".txt";
  std::ofstream file(path);
  file << text << "\n";
  if (!file) log("BATON_DUMP: " + path + " cannot be written.");
}

}  // namespace baton::cpu
