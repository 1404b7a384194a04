#pragma once
// radix_sort: stable sorting by unsigned keys, digit by digit, in memory of the caller's. A digit that all
// keys share costs no move.
#include <bit>
#include <cstdint>

#include "base/cache_line.h"
#include "base/element.h"
#include "engines/cpu/lanes.h"

namespace baton::cpu {

template <std::size_t bytes>
using Unsigned =
    std::conditional_t<bytes == 1, std::uint8_t,
                       std::conditional_t<bytes == 2, std::uint16_t,
                                          std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

/// The bits of an element that is no complex number, as a key: in the order of `sort`, where -0 and 0 are
/// one number, and all NaN are one, the last.
template <class T>
Unsigned<sizeof(T)> sort_key(T x) {
  using Key = Unsigned<sizeof(T)>;
  constexpr Key top = static_cast<Key>(Key{1} << (8 * sizeof(T) - 1));
  const Key bits = std::bit_cast<Key>(x);
  if constexpr (is_real_v<T>) {
    constexpr Key infinity = std::is_same_v<T, float>      ? Key(0x7f800000)
                             : std::is_same_v<T, double>   ? Key(0x7ff0000000000000)
                             : std::is_same_v<T, bfloat16> ? Key(0x7f80)
                                                           : Key(0x7c00);
    const Key size = bits & static_cast<Key>(~top);
    if (size > infinity) return static_cast<Key>(~Key{0});
    if (size == 0) return top;
    return static_cast<Key>(bits & top ? ~bits : bits | top);
  } else if constexpr (std::is_signed_v<T>) {
    return bits ^ top;
  } else {
    return bits;
  }
}

/// An element that is its own key, and a key that says where its element stands.
template <class T>
struct Element {
  T value;
  auto key() const { return sort_key(value); }
};
template <class Key>
struct Keyed {
  Key order;
  std::uint32_t index;
  Key key() const { return order; }
};

inline constexpr std::int64_t radix = 256, most_radix_parts = 16;
/// Bytes of the counts that a sort needs.
inline constexpr std::int64_t radix_counts_bytes =
    most_radix_parts * radix * static_cast<std::int64_t>(sizeof(std::uint32_t));

/// The memory of one sort: two places for its items, and counts.
struct RadixRoom {
  RadixRoom(std::int64_t items, std::int64_t item_bytes) : items_bytes(whole_lines(items * item_bytes)) {}
  std::int64_t bytes() const { return 2 * items_bytes + radix_counts_bytes; }
  template <class Item>
  Item* items(char* memory) const {
    return reinterpret_cast<Item*>(memory);
  }
  template <class Item>
  Item* other_items(char* memory) const {
    return reinterpret_cast<Item*>(memory + items_bytes);
  }
  std::uint32_t* counts(char* memory) const {
    return reinterpret_cast<std::uint32_t*>(memory + 2 * items_bytes);
  }

  const std::int64_t items_bytes;
};

template <class Item>
void insertion_sort(Item* items, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    const Item item = items[i];
    const auto key = item.key();
    std::int64_t place = i;
    for (; place > 0 && key < items[place - 1].key(); --place) items[place] = items[place - 1];
    items[place] = item;
  }
}

/// Sorts n items, fewer than 2^32, by the lower `key_bytes` of their keys: here or in `other`, as it returns.
template <class Item>
Item* radix_sort(Item* items, Item* other, std::int64_t n, int key_bytes, std::uint32_t* counts,
                 Workers& workers) {
  constexpr std::int64_t few = 64, enough = 1 << 16;  // items: for counting to pay, and for another thread
  if (n <= few) {
    insertion_sort(items, n);
    return items;
  }
  const std::int64_t parts =
      workers.count() == 1 ? 1 : std::clamp<std::int64_t>(n / enough, 1, most_radix_parts);
  const auto first = [&](std::int64_t part) { return n * part / parts; };
  for (int shift = 0; shift < 8 * key_bytes; shift += 8) {
    const auto digit = [shift](const Item& item) { return static_cast<std::uint8_t>(item.key() >> shift); };
    workers.run(parts, [&](std::int64_t part) {
      std::uint32_t mine[radix] = {};
      for (std::int64_t i = first(part); i < first(part + 1); ++i) ++mine[digit(items[i])];
      std::copy(mine, mine + radix, counts + part * radix);
    });
    // From how many there are to where the first of each digit and part goes.
    std::uint32_t before = 0;
    bool shared_by_all = false;
    for (std::int64_t d = 0; d < radix; ++d) {
      const std::uint32_t at_digit = before;
      for (std::int64_t part = 0; part < parts; ++part)
        before += std::exchange(counts[part * radix + d], before);
      shared_by_all = shared_by_all || before - at_digit == n;
    }
    if (shared_by_all) continue;
    workers.run(parts, [&](std::int64_t part) {
      std::uint32_t to[radix];
      std::copy(counts + part * radix, counts + (part + 1) * radix, to);
      for (std::int64_t i = first(part); i < first(part + 1); ++i) other[to[digit(items[i])]++] = items[i];
    });
    std::swap(items, other);
  }
  return items;
}

}  // namespace baton::cpu
