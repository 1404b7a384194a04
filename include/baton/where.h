#pragma once
// where: a place in the user's code, captured by default arguments.
// An own type because clang 14, our clang-tidy, lacks std::source_location.
namespace baton {

/// A line of user code. `Where::here()` as a default argument gives the line of the call.
struct Where {
  const char* file = "";  // as the compiler was given it; static storage
  int line = 0;           // 1-based; 0: unknown

  static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  constexpr bool known() const { return line > 0; }
};

}  // namespace baton
