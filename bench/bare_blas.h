#pragma once
// bare_blas: the OpenBLAS that this build of Baton found, called without Baton.

namespace bench {

/// c = a b, of square matrices of n rows. Loaded at the first call, in a copy of its own, with as many
/// threads as OPENBLAS_NUM_THREADS in the environment says.
void bare_sgemm(int n, const float* a, const float* b, float* c);

}  // namespace bench
