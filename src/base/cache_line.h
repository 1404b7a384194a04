#pragma once
// cache_line: the unit in which memory is taken, and to which it is aligned.
#include <cstddef>

namespace baton {

inline constexpr std::size_t cache_line = 64;  // bytes

/// So many bytes, rounded up to whole lines.
template <class Integer>
constexpr Integer whole_lines(Integer bytes) {
  constexpr auto line = static_cast<Integer>(cache_line);
  return (bytes + line - 1) / line * line;
}

/// What a buffer of so many bytes takes.
constexpr std::size_t buffer_bytes(std::size_t bytes) { return bytes ? whole_lines(bytes) : cache_line; }

}  // namespace baton
