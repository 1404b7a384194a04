#pragma once
// numbers: short ways to make arrays, read them and catch messages, for the tests of this room.
#include <functional>
#include <string>
#include <vector>

#include "base/element.h"
#include "baton/error.h"
#include "baton/lax.h"

namespace baton {

using Numbers = std::vector<double>;

/// first, first + 1, ... in this shape.
inline Array ramp(const Shape& shape, float first = 0) {
  std::vector<float> values(static_cast<std::size_t>(Type{f32, shape}.size()));
  for (float& v : values) v = first++;
  return Array(values, shape);
}

/// The elements of any real array as doubles.
inline Numbers numbers(const Array& x) {
  Numbers all;
  with_type(x.dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!is_complex_v<T>)
      for (const T& v : x.read<T>()) all.push_back(convert_element<double>(v));
  });
  return all;
}

/// The message of the error that f raises, up to the line of the call.
inline std::string error(const std::function<void()>& f) {
  try {
    f();
  } catch (const UsageError& e) {
    const std::string text = e.what();
    const auto start = text.find("\n  called at ");
    if (start == std::string::npos) return text + "\n(no line)";
    const auto end = text.find('\n', start + 1);
    return text.substr(0, start) + (end == std::string::npos ? "" : text.substr(end));
  }
  return "(no error)";
}

}  // namespace baton
