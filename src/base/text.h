#pragma once
// text: small pieces of messages.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "baton/error.h"
#include "baton/where.h"

namespace baton {

std::string show(const std::vector<std::int64_t>&);  // (2,3)
std::string show(const std::vector<int>&);
std::string show(Where);  // train.cc:41
/// "\n  called at train.cc:41", or nothing where the line is unknown; then `while_tracing`.
std::string called_at(Where);
/// The call whose function this thread is tracing, for as long as it does. An error of an operation inside
/// may be the fault of what that call gave, so it names both lines.
class TracedCall {
 public:
  explicit TracedCall(Where where);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  static Where innermost();

 private:
  Where where_;
  const TracedCall* outer_;
  friend std::string while_tracing(Where);
};
/// ", while tracing for the call at train.cc:60", for every such call around that is not at this line.
std::string while_tracing(Where);
/// The number with as few digits as read back exactly; "inf", "-inf", "nan".
std::string show_real(double);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string bytes_text(std::int64_t bytes);  // "1.5 MiB"

[[noreturn]] void internal_error(const std::string& what, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE());

}  // namespace baton
