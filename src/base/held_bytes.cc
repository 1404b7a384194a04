// held_bytes: one number for the process.
#include "base/held_bytes.h"

#include <atomic>

namespace baton {
namespace {

std::atomic<std::size_t> held{0};

}  // namespace

std::size_t HeldBytes::all() { return held.load(std::memory_order_relaxed); }
void HeldBytes::add(std::size_t bytes) { held.fetch_add(bytes, std::memory_order_relaxed); }

}  // namespace baton
