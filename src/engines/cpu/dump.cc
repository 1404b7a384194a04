// dump: files that cannot be written are told in the log, and change nothing else.
#include "engines/cpu/dump.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/log.h"

namespace baton::cpu {

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
