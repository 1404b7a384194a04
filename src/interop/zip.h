#pragma once
// zip: the little of zip archives that .npz and .keras files need: stored and deflated entries.
#include <string>
#include <string_view>
#include <vector>

namespace baton::zip {

struct Entry {
  std::string name;
  std::string bytes;
};
/// All entries, unpacked and with their checksums verified. Throws a UsageError with the byte offset.
std::vector<Entry> read(std::string_view archive, const std::string& path);
/// Throws a UsageError where an entry has 4 GiB or more.
std::string write(const std::vector<Entry>& entries, bool compressed);

}  // namespace baton::zip
