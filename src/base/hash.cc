// hash: 128-bit content hashes, by xxHash (XXH3).
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace baton {

Hash hash_of(const void* data, std::size_t size) {
  const XXH128_hash_t h = XXH3_128bits(data, size);
  return {h.low64, h.high64};
}

Hash Hasher::finish() const { return hash_of(buffer_.data(), buffer_.size()); }

}  // namespace baton
