// dump: files that cannot be written are told in the log, and change nothing else.
#include "engines/cpu/dump.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "program/program.h"
#include "trace/origin.h"

namespace baton::cpu {
namespace {

/// How many equations, and the first line of the user's among theirs.
std::string summary(const ProgramData& p) {
  const std::size_t count = p.equations.size();
  std::string text = std::to_string(count) + (count == 1 ? " equation" : " equations");
  for (const Equation& e : p.equations)
    if (const std::string origin = origin_text(e.number); !origin.empty()) return text + ", from " + origin;
  return text;
}

}  // namespace

Dump::Dump(const Program& program) {
  const char* named = std::getenv("BATON_DUMP");
  if (!named || !*named) return;
  std::error_code error;
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(program.hash().low));
  folder_ = std::string(named) + "/" + name;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    log("BATON_DUMP: the folder " + folder_ + " cannot be made: " + error.message() + ".");
    folder_.clear();
    return;
  }
  std::ofstream(std::string(named) + "/index.txt", std::ios::app)
      << name << "  " << summary(*program) << "\n";
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
