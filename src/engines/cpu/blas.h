#pragma once
// blas: products of complex matrices, and LAPACK, from a private copy of OpenBLAS, which works on the calling
// thread alone.
#include <complex>
#include <string>

namespace baton::cpu {

struct Blas {
  enum Order { row_major = 101 };
  enum Transpose { as_is = 111, transposed = 112 };

  /// c = alpha a b + beta c; c is not read where beta is 0.
  template <class Number>
  using Gemm = void (*)(Order, Transpose a_as, Transpose b_as, int rows, int columns, int depth,
                        const Number* alpha, const Number* a, int a_stride, const Number* b, int b_stride,
                        const Number* beta, Number* c, int c_stride);
  Gemm<std::complex<float>> cgemm = nullptr;
  Gemm<std::complex<double>> zgemm = nullptr;

  /// Another function, by its name in LAPACK or its C interface: "spotrf_". Throws where it is not there.
  void* function(const std::string& name) const;
  void* library = nullptr;
  std::string file;
};

/// The one beside libbaton, opened at the first call.
const Blas& blas();
/// Throws a DeviceError where the file is not there or is no OpenBLAS.
Blas open_blas(const std::string& file);

}  // namespace baton::cpu
