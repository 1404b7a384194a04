// hash: 128-bit content hashes, by xxHash (XXH3).
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace baton {

Hash Hasher::finish() const {
  const XXH128_hash_t h = XXH3_128bits(buffer_.data(), buffer_.size());
  return {h.low64, h.high64};
}

}  // namespace baton
