#pragma once
// convolution: the kernel of conv_general_dilated, of its gradients too.
#include "engines/cpu/kernel.h"

namespace baton::cpu {

/// Of an equation `conv_general_dilated`; nullptr where there is none for it.
std::unique_ptr<Kernel> convolution_kernel(const ProgramData&, const Equation&);

}  // namespace baton::cpu
