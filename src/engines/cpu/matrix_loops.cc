// matrix_loops: blocks of the result in registers. The one file that computes with instructions of a
// processor (floating.h sets its modes).
#include "engines/cpu/matrix_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "engines/cpu/instructions.h"

namespace baton::cpu {
namespace {

constexpr std::int64_t most_turned = 64 * 128;  // elements, on the stack

/// Without instructions of its own: the compiler's vectors of 16 bytes.
namespace plain {
template <class T>
struct Vector {
  static constexpr int lanes = 16 / sizeof(T);
  static constexpr int rows_of(int vectors) { return 8 / vectors; }  // as many as registers hold
  typedef T Type __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
  static Type repeat(T x) { return Type{} + x; }
  static Type load(const T* from) { return *reinterpret_cast<const Type*>(from); }
  static Type load(const T* from, int count) {
    Type x{};
    for (int l = 0; l < count; ++l) x[l] = from[l];
    return x;
  }
  static void store(T* to, Type x) { *reinterpret_cast<Type*>(to) = x; }
  static void store(T* to, Type x, int count) {
    for (int l = 0; l < count; ++l) to[l] = x[l];
  }
  static Type fma(Type x, Type y, Type z) { return x * y + z; }
};
#include "engines/cpu/matrix_blocks.h"
}  // namespace plain

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
template <class T>
struct Vector;
template <>
struct Vector<float> {
  static constexpr int lanes = 8;
  static constexpr int rows_of(int vectors) { return 12 / vectors; }
  using Type = __m256;
  static __m256i mask(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Type repeat(float x) { return _mm256_set1_ps(x); }
  static Type load(const float* from) { return _mm256_loadu_ps(from); }
  static Type load(const float* from, int count) { return _mm256_maskload_ps(from, mask(count)); }
  static void store(float* to, Type x) { _mm256_storeu_ps(to, x); }
  static void store(float* to, Type x, int count) { _mm256_maskstore_ps(to, mask(count), x); }
  static Type fma(Type x, Type y, Type z) { return _mm256_fmadd_ps(x, y, z); }
};
template <>
struct Vector<double> {
  static constexpr int lanes = 4;
  static constexpr int rows_of(int vectors) { return 12 / vectors; }
  using Type = __m256d;
  static __m256i mask(int count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static Type repeat(double x) { return _mm256_set1_pd(x); }
  static Type load(const double* from) { return _mm256_loadu_pd(from); }
  static Type load(const double* from, int count) { return _mm256_maskload_pd(from, mask(count)); }
  static void store(double* to, Type x) { _mm256_storeu_pd(to, x); }
  static void store(double* to, Type x, int count) { _mm256_maskstore_pd(to, mask(count), x); }
  static Type fma(Type x, Type y, Type z) { return _mm256_fmadd_pd(x, y, z); }
};
#include "engines/cpu/matrix_blocks.h"
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx2,fma")
namespace avx512 {
template <class T>
struct Vector;
template <>
struct Vector<float> {
  static constexpr int lanes = 16;
  static constexpr int rows_of(int) { return 14; }
  using Type = __m512;
  static __mmask16 mask(int count) { return static_cast<__mmask16>((1u << count) - 1); }
  static Type repeat(float x) { return _mm512_set1_ps(x); }
  static Type load(const float* from) { return _mm512_loadu_ps(from); }
  static Type load(const float* from, int count) { return _mm512_maskz_loadu_ps(mask(count), from); }
  static void store(float* to, Type x) { _mm512_storeu_ps(to, x); }
  static void store(float* to, Type x, int count) { _mm512_mask_storeu_ps(to, mask(count), x); }
  static Type fma(Type x, Type y, Type z) { return _mm512_fmadd_ps(x, y, z); }
};
template <>
struct Vector<double> {
  static constexpr int lanes = 8;
  static constexpr int rows_of(int) { return 14; }
  using Type = __m512d;
  static __mmask8 mask(int count) { return static_cast<__mmask8>((1u << count) - 1); }
  static Type repeat(double x) { return _mm512_set1_pd(x); }
  static Type load(const double* from) { return _mm512_loadu_pd(from); }
  static Type load(const double* from, int count) { return _mm512_maskz_loadu_pd(mask(count), from); }
  static void store(double* to, Type x) { _mm512_storeu_pd(to, x); }
  static void store(double* to, Type x, int count) { _mm512_mask_storeu_pd(to, mask(count), x); }
  static Type fma(Type x, Type y, Type z) { return _mm512_fmadd_pd(x, y, z); }
};
#include "engines/cpu/matrix_blocks.h"
}  // namespace avx512
#pragma GCC pop_options
#endif

template <class T>
constexpr MatrixLoops<T> variants[] = {
    {plain::as_they_lie<T>, plain::turned<T>, plain::dots<T>, plain::packed<T>, plain::scratch<T>},
#if defined(__x86_64__)
    {avx2::as_they_lie<T>, avx2::turned<T>, avx2::dots<T>, avx2::packed<T>, avx2::scratch<T>},
    {avx512::as_they_lie<T>, avx512::turned<T>, avx512::dots<T>, avx512::packed<T>, avx512::scratch<T>},
#endif
};

}  // namespace

bool is_small(const MatrixProduct& m) {
  const bool turns = m.columns > 1 && m.b_column != 1;
  return turns ? m.b_depth == 1 && m.columns * m.depth <= most_turned && m.rows <= 128
               : (m.rows * m.columns * m.depth <= 128 * 128 * 128 && m.depth * m.columns <= 128 * 256) ||
                     (m.rows <= 8 && m.depth * m.columns <= 1 << 20);  // too few to pay for a copy
}

template <class T>
const MatrixLoops<T>& matrix_loops() {
  return variants<T>[static_cast<int>(instructions())];
}
template const MatrixLoops<float>& matrix_loops();
template const MatrixLoops<double>& matrix_loops();

}  // namespace baton::cpu
