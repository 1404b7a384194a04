#pragma once
// program: a traced function as a value: immutable, printable, parseable, hashed by content.
#include <compare>
#include <memory>
#include <string>
#include <string_view>

#include "baton/type.h"

namespace baton {

/// 128 bits that identify content: equal Programs have equal hashes, in every process.
struct Hash {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Hash&) const = default;
};

struct ProgramData;  // program/program.h

class Program {
 public:
  Program();  // no inputs, no equations, no outputs
  explicit Program(std::shared_ptr<const ProgramData> data) : data_(std::move(data)) {}
  Program(const Program&) = default;  // a move is a copy: no Program is without content
  Program& operator=(const Program&) = default;

  Types inputs() const;
  Types outputs() const;
  /// Content: primitives, parameters, types and data flow; not lines, scopes or names.
  const Hash& hash() const;
  bool operator==(const Program& other) const { return hash() == other.hash(); }
  std::size_t equation_count() const;  // of this Program alone, not of Programs that its equations hold
  /// The text that `parse` reads.
  std::string text() const;
  static Program parse(std::string_view text);

  const ProgramData& operator*() const { return *data_; }
  const ProgramData* operator->() const { return data_.get(); }

 private:
  std::shared_ptr<const ProgramData> data_;
};

std::string show(const Program&);
std::ostream& operator<<(std::ostream&, const Program&);

}  // namespace baton
