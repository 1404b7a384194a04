// unfused: a setting of the thread, since kernels of loops and branches plan their bodies themselves.
#include "engines/cpu/unfused.h"

#include <utility>

namespace baton::cpu {
namespace {
thread_local Fusion wanted = Fusion::together;
}

Unfused::Unfused() : before_(std::exchange(wanted, Fusion::apart)) {}
Unfused::~Unfused() { wanted = before_; }

Fusion fusion_wanted() { return wanted; }

}  // namespace baton::cpu
