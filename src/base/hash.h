#pragma once
// hash: 128-bit content hashes that are the same in every process.
#include <span>
#include <string_view>

#include "baton/program.h"

namespace baton {

/// Collects bytes; `finish` hashes them. Integers enter with a fixed width, text with its length.
class Hasher {
 public:
  Hasher& bytes(const void* data, std::size_t size) {
    const char* p = static_cast<const char*>(data);
    buffer_.append(p, size);
    return *this;
  }
  Hasher& integer(std::int64_t value) { return bytes(&value, sizeof value); }
  Hasher& text(std::string_view value) {
    return integer(static_cast<std::int64_t>(value.size())).bytes(value.data(), value.size());
  }
  Hasher& hash(const Hash& value) { return bytes(&value, sizeof value); }
  Hash finish() const;

 private:
  std::string buffer_;
};

/// The hash of these bytes.
Hash hash_of(const void* data, std::size_t size);

struct HashOf {
  std::size_t operator()(const Hash& h) const { return h.low; }
};

}  // namespace baton
