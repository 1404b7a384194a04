#pragma once
// lapack: the routines of LAPACK that kernels call, as Fortran wants it: everything by address, matrices
// column by column, the lengths of texts at the end.
#include <cstddef>

#include "ops/matrix.h"

namespace baton::cpu {

template <class T>
using RealOf = decltype(ops::real_part(T()));

/// For f32, f64, c64 and c128; a routine of complex numbers takes `rwork` where its name here says so.
template <class T>
struct Lapack {
  using R = RealOf<T>;
  static constexpr bool complex = is_complex_v<T>;
  using Text = const char*;
  using Int = const int*;

  void (*potrf)(Text uplo, Int n, T* a, Int lda, int* info, std::size_t);
  void (*trsm)(Text side, Text uplo, Text trans, Text diag, Int m, Int n, const T* alpha, const T* a, Int lda,
               T* b, Int ldb, std::size_t, std::size_t, std::size_t, std::size_t);
  void (*getrf)(Int m, Int n, T* a, Int lda, int* pivots, int* info);
  void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
  void (*orgqr)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, Int lwork, int* info);
  using RealEigh = void (*)(Text jobz, Text uplo, Int n, T* a, Int lda, R* w, T* work, Int lwork, int* iwork,
                            Int liwork, int* info, std::size_t, std::size_t);
  using ComplexEigh = void (*)(Text jobz, Text uplo, Int n, T* a, Int lda, R* w, T* work, Int lwork, R* rwork,
                               Int lrwork, int* iwork, Int liwork, int* info, std::size_t, std::size_t);
  std::conditional_t<complex, ComplexEigh, RealEigh> eigh;
  using RealSvd = void (*)(Text jobz, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt, Int ldvt,
                           T* work, Int lwork, int* iwork, int* info, std::size_t);
  using ComplexSvd = void (*)(Text jobz, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt, Int ldvt,
                              T* work, Int lwork, R* rwork, int* iwork, int* info, std::size_t);
  std::conditional_t<complex, ComplexSvd, RealSvd> svd;
};

/// Looked up at the first call.
template <class T>
const Lapack<T>& lapack();

}  // namespace baton::cpu
