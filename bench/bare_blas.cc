// bare_blas: finds cblas_sgemm in the file that CMake names.
#include "bare_blas.h"

#include <dlfcn.h>

#include "baton/error.h"

namespace bench {
namespace {

enum Order { row_major = 101 };
enum Transpose { no_transpose = 111 };
using Sgemm = void (*)(Order, Transpose, Transpose, int m, int n, int k, float alpha, const float* a, int lda,
                       const float* b, int ldb, float beta, float* c, int ldc);

Sgemm open() {
  void* library = dlopen(BENCH_OPENBLAS, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw baton::DeviceError(std::string("bench: OpenBLAS cannot be opened: ") + dlerror());
  for (const char* name : {"scipy_cblas_sgemm", "cblas_sgemm"})  // of the wheel, and of Debian's library
    if (void* found = dlsym(library, name)) return reinterpret_cast<Sgemm>(found);
  throw baton::DeviceError("bench: no function `cblas_sgemm` in " BENCH_OPENBLAS ".");
}

}  // namespace

void bare_sgemm(int n, const float* a, const float* b, float* c) {
  static const Sgemm sgemm = open();
  sgemm(row_major, no_transpose, no_transpose, n, n, n, 1, a, n, b, n, 0, c, n);
}

}  // namespace bench
