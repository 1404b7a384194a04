#pragma once
// baton: everything a user may include.
#include "baton/array.h"
#include "baton/control_flow.h"
#include "baton/counters.h"
#include "baton/error.h"
#include "baton/host_function.h"
#include "baton/jit.h"
#include "baton/lax.h"
#include "baton/program.h"
#include "baton/transform.h"
#include "baton/tree.h"
