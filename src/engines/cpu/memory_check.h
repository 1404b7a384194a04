#pragma once
// memory_check: asks the system for memory that a library will want, which ends the process where it gets
// none.
#include <cstdint>
#include <string>

namespace baton::cpu {

/// Throws a DeviceError if the system would refuse so much now: `what` takes it, and `cure` helps.
void require_memory(std::int64_t bytes, const std::string& what, const std::string& cure);

}  // namespace baton::cpu
