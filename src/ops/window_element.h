#pragma once
// window_element: `element` of operations over sliding windows.
#include "ops/element_rules.h"
#include "ops/window.h"

namespace baton::ops {

/// Combines the window at a place by one instruction; empty where the window is too large to walk through.
Scalar window_element(ElementWriter& w, Positions at, const Windows& p, Do how, Scalar start);
/// What the windows give to the element at a place: operand 0 is added where operand 1 is the chosen one.
Scalar scattered_element(ElementWriter& w, Positions at, const SelectWindows& p);

}  // namespace baton::ops
