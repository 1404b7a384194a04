#pragma once
// arrays: an array as one line of text, for messages of tests.
#include <sstream>
#include <string>

#include "base/element.h"
#include "baton/array.h"

namespace baton {

inline std::string text(const Array& a) {
  std::ostringstream out;
  out << show(a.type()) << " {";
  with_type(a.dtype(), [&]<class T>(Tag<T>) {
    const T* x = static_cast<const T*>(a.data());
    for (std::int64_t i = 0; i < a.size(); ++i) {
      out << (i ? ", " : "");
      if constexpr (is_half_v<T>)
        out << static_cast<float>(x[i]);
      else if constexpr (sizeof(T) == 1)
        out << static_cast<int>(x[i]);
      else
        out << x[i];
    }
  });
  out << "}";
  return out.str();
}

}  // namespace baton
