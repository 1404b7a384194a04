// lapack: names are a letter for the dtype and what the routine does.
#include "engines/cpu/linalg/lapack.h"

#include "engines/cpu/blas.h"

namespace baton::cpu {
namespace {

template <class T>
constexpr char letter = std::is_same_v<T, float>                 ? 's'
                        : std::is_same_v<T, double>              ? 'd'
                        : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                 : 'z';
template <class T>
Lapack<T> look_up() {
  const auto find = [](auto& function, std::string name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        blas().function(letter<T> + name + "_"));
  };
  constexpr bool complex = Lapack<T>::complex;
  Lapack<T> l = {};
  find(l.potrf, "potrf");
  find(l.trsm, "trsm");
  find(l.getrf, "getrf");
  find(l.geqrf, "geqrf");
  find(l.orgqr, complex ? "ungqr" : "orgqr");
  find(l.eigh, complex ? "heevd" : "syevd");
  find(l.svd, "gesdd");
  return l;
}

}  // namespace

template <class T>
const Lapack<T>& lapack() {
  static const Lapack<T> found = look_up<T>();
  return found;
}
template const Lapack<float>& lapack();
template const Lapack<double>& lapack();
template const Lapack<std::complex<float>>& lapack();
template const Lapack<std::complex<double>>& lapack();

}  // namespace baton::cpu
