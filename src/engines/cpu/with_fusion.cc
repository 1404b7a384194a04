// with_fusion: a setting of the thread, since kernels of loops and branches plan their bodies themselves.
#include "engines/cpu/with_fusion.h"

#include <utility>

namespace baton::cpu {
namespace {
thread_local Fusion wanted = Fusion::together;
}

WithFusion::WithFusion(Fusion fusion) : before_(std::exchange(wanted, fusion)) {}
WithFusion::~WithFusion() { wanted = before_; }

Fusion fusion_wanted() { return wanted; }

}  // namespace baton::cpu
