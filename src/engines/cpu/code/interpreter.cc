// interpreter: every value has a place for all lanes, and an instruction is a loop over those that it has.
// Integers wrap, and shifts count modulo the width: what a lane that nobody looks at computes is harmless.
// Rules of integer division replace divisors of 0 and -1 in every lane, so none traps.
#include "engines/cpu/code/interpreter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base/cache_line.h"
#include "base/element.h"
#include "base/text.h"
#include "engines/cpu/code/library.h"
#include "ops/elementwise.h"

namespace baton::cpu {
namespace {

struct alignas(64) Line {
  std::byte bytes[64];
};

template <class T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_number_v = is_integer_v<T> || std::is_floating_point_v<T>;

/// Longer than any integer of T's kind.
template <class T>
using Longer = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;

/// Subnormal numbers are zero, of their sign, as to the processor in the mode that kernels run in.
template <class T>
T without_subnormal(T x) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::fabs(x) < std::numeric_limits<T>::min()) return std::copysign(T(0), x);
  return x;
}
/// NaN where x or else y is; of two zeros the one of the right sign.
template <class T>
T least(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    if (x == y) return without_subnormal(std::signbit(x) ? x : y);
  return without_subnormal(x < y || x != x ? x : y);
}
template <class T>
T greatest(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    if (x == y) return without_subnormal(std::signbit(x) ? y : x);
  return without_subnormal(x > y || x != x ? x : y);
}
template <class T>
T magnitude(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(x);
  else
    return x < T{} ? ops::wrap_sub(T{}, x) : x;
}

class Walk {
 public:
  Walk(const Code& code, void* const* pointers, std::int64_t from, std::int64_t until)
      : code_(code),
        pointers_(pointers),
        from_(from),
        until_(until),
        lanes_(code.lanes),
        lines_(static_cast<std::size_t>(lanes_) * sizeof(std::complex<double>) / sizeof(Line)),
        places_(std::make_unique_for_overwrite<Line[]>(code.values.size() * lines_)) {
    for (std::int64_t bytes : code.own_memory)
      own_memory_.emplace_back(static_cast<std::size_t>(whole_lines(bytes)) / sizeof(Line));
  }

  void run(const Block& block) {
    for (int item : block)
      if (item < 0)
        run(code_.loops[static_cast<std::size_t>(-1 - item)]);
      else
        step(code_.values[static_cast<std::size_t>(item)], item);
  }

 private:
  std::byte* place(int v) { return places_[static_cast<std::size_t>(v) * lines_].bytes; }
  template <class T>
  T* at(int v) {
    return reinterpret_cast<T*>(place(v));
  }
  void copy(int from, int to) { std::memcpy(place(to), place(from), lines_ * sizeof(Line)); }
  const Instruction& made(int v) const { return code_.values[static_cast<std::size_t>(v)]; }

  void run(const Loop& loop) {
    for (const Loop::Carry& c : loop.carries) copy(c.first, c.inside);
    const std::int64_t to = *at<std::int64_t>(loop.to);
    std::vector<Line> next(loop.carries.size() * lines_);  // all are read before the first is written
    for (std::int64_t i = *at<std::int64_t>(loop.from); i < to; i += loop.step) {
      *at<std::int64_t>(loop.variable) = i;
      run(loop.body);
      for (std::size_t k = 0; k < loop.carries.size(); ++k)
        std::memcpy(&next[k * lines_], place(loop.carries[k].next), lines_ * sizeof(Line));
      for (std::size_t k = 0; k < loop.carries.size(); ++k)
        std::memcpy(place(loop.carries[k].inside), &next[k * lines_], lines_ * sizeof(Line));
    }
    for (const Loop::Carry& c : loop.carries)
      if (c.result >= 0) copy(c.inside, c.result);
  }

  int count(const Instruction& i) const { return i.wide ? lanes_ : 1; }

  template <class R, class X, class F>
  void each(const Instruction& i, int result, const F& f) {
    const int n = count(i);
    R* out = at<R>(result);
    const X* x = at<X>(i.in[0]);
    for (int l = 0; l < n; ++l) out[l] = f(x[l]);
  }
  template <class R, class X, class F>
  void each_two(const Instruction& i, int result, const F& f) {
    const int n = count(i);
    R* out = at<R>(result);
    const X *x = at<X>(i.in[0]), *y = at<X>(i.in[1]);
    for (int l = 0; l < n; ++l) out[l] = f(x[l], y[l]);
  }

  void step(const Instruction& i, int v) {
    switch (i.what) {
      case Do::constant:
        return constant(i, v);
      case Do::pointer:
        *at<void*>(v) =
            i.imm < 0 ? own_memory_[static_cast<std::size_t>(-1 - i.imm)].data() : pointers_[i.imm];
        return;
      case Do::from:
        *at<std::int64_t>(v) = from_;
        return;
      case Do::until:
        *at<std::int64_t>(v) = until_;
        return;
      case Do::lane:
      case Do::repeat:
      case Do::moved:
      case Do::first:
      case Do::select:
      case Do::bits:
      case Do::join:
      case Do::part:
        return lanes_of(i, v);
      case Do::any: {
        const bool* x = at<bool>(i.in[0]);
        *at<bool>(v) = std::any_of(x, x + count(made(i.in[0])), [](bool b) { return b; });
        return;
      }
      case Do::load:
      case Do::gather:
        return load(i, v);
      case Do::store:
        return store(i);
      case Do::eq:
      case Do::ne:
      case Do::lt:
      case Do::le:
      case Do::gt:
      case Do::ge:
        return with_type(made(i.in[0]).dtype, [&](auto tag) { compare<typename decltype(tag)::type>(i, v); });
      case Do::convert:
        return with_type(made(i.in[0]).dtype, [&](auto tag) { convert<typename decltype(tag)::type>(i, v); });
      default:
        if (is_function(i.what)) return call_library(i, v);
        return with_type(i.dtype, [&](auto tag) { arithmetic<typename decltype(tag)::type>(i, v); });
    }
  }

  void constant(const Instruction& i, int v) {
    if (i.dtype == boolean)
      *at<bool>(v) = i.imm & 1;
    else
      std::memcpy(place(v), &i.imm, size_of(i.dtype));
  }

  void call_library(const Instruction& i, int v) {
    const LibraryFunction& f = library_function(i.what);
    if (f.one)
      each<double, double>(i, v, f.one);
    else
      each_two<double, double>(i, v, f.two);
  }

  /// What moves bits between lanes.
  void lanes_of(const Instruction& i, int v) {
    const std::size_t size = size_of(i.dtype);
    std::byte* const out = place(v);
    const std::byte* const in = i.in[0] < 0 ? nullptr : place(i.in[0]);
    const auto move = [&](int to, const std::byte* from) {
      std::memcpy(out + static_cast<std::size_t>(to) * size, from, size);
    };
    const auto lane = [&](const std::byte* all, int l) { return all + static_cast<std::size_t>(l) * size; };
    switch (i.what) {
      case Do::lane:
        for (std::int64_t l = 0; l < lanes_; ++l) move(static_cast<int>(l), reinterpret_cast<std::byte*>(&l));
        return;
      case Do::repeat:
        for (int l = 0; l < lanes_; ++l) move(l, in);
        return;
      case Do::moved:
        for (int l = 0; l < lanes_; ++l) move(l, lane(in, l < i.imm ? l + static_cast<int>(i.imm) : l));
        return;
      case Do::first:
        return move(0, in);
      case Do::select: {
        const bool* condition = at<bool>(i.in[0]);
        for (int l = 0; l < count(i); ++l) move(l, lane(place(condition[l] ? i.in[1] : i.in[2]), l));
        return;
      }
      case Do::join:
        for (int l = 0; l < 2 * count(i); ++l)
          std::memcpy(out + static_cast<std::size_t>(l) * size / 2,
                      place(i.in[l % 2]) + static_cast<std::size_t>(l / 2) * size / 2, size / 2);
        return;
      case Do::part:
        for (int l = 0; l < count(i); ++l) move(l, lane(in, 2 * l + static_cast<int>(i.imm)));
        return;
      default:  // bits
        std::memcpy(out, in, size * static_cast<std::size_t>(count(i)));
    }
  }

  const bool* mask(int v) { return v < 0 ? nullptr : at<bool>(v); }

  void load(const Instruction& i, int v) {
    const std::size_t size = size_of(i.dtype);
    const auto* from = static_cast<const std::byte*>(*at<void*>(i.in[0]));
    const std::int64_t* index = at<std::int64_t>(i.in[1]);
    const bool* const on = mask(i.in[2]);
    std::byte* const out = place(v);
    for (int l = 0; l < count(i); ++l) {
      const std::int64_t place = i.what == Do::gather ? index[l] : index[0] + l;
      std::byte* const to = out + static_cast<std::size_t>(l) * size;
      if (on && !on[l])
        std::memset(to, 0, size);
      else
        std::memcpy(to, from + place * static_cast<std::int64_t>(size), size);
    }
    if (i.dtype == boolean)  // any byte but 0 is true
      for (int l = 0; l < count(i); ++l) out[l] = std::byte{out[l] != std::byte{0}};
  }
  void store(const Instruction& i) {
    const std::size_t size = size_of(i.dtype);
    auto* const to = static_cast<std::byte*>(*at<void*>(i.in[1])) +
                     *at<std::int64_t>(i.in[2]) * static_cast<std::int64_t>(size);
    const bool* const on = mask(static_cast<int>(i.imm));
    const std::byte* const from = place(i.in[0]);
    for (std::size_t l = 0; l < static_cast<std::size_t>(count(i)); ++l)
      if (!on || on[l]) std::memcpy(to + l * size, from + l * size, size);
  }

  template <class T>
  void compare(const Instruction& i, int v) {
    if constexpr (is_number_v<T> || std::is_same_v<T, bool>) {
      const auto by = [&](auto how) { each_two<bool, T>(i, v, how); };
      switch (i.what) {
        case Do::eq:
          return by(std::equal_to<T>());
        case Do::ne:
          return by(std::not_equal_to<T>());
        case Do::lt:
          return by(std::less<T>());
        case Do::le:
          return by(std::less_equal<T>());
        case Do::gt:
          return by(std::greater<T>());
        default:
          return by(std::greater_equal<T>());
      }
    } else {
      internal_error("code: no comparison of this dtype");
    }
  }

  template <class From>
  void convert(const Instruction& i, int v) {
    with_type(i.dtype, [&](auto tag) {
      using To = typename decltype(tag)::type;
      if constexpr (!is_complex_v<From> && !is_complex_v<To>)
        each<To, From>(i, v, convert_element<To, From>);
      else
        internal_error("code: no conversion of complex numbers");
    });
  }

  template <class T>
  void arithmetic(const Instruction& i, int v) {
    const auto one = [&](auto f) { each<T, T>(i, v, f); };
    const auto two = [&](auto f) { each_two<T, T>(i, v, f); };
    if constexpr (is_number_v<T>) {
      switch (i.what) {
        case Do::add:
          return two(ops::wrap_add<T>);
        case Do::sub:
          return two(ops::wrap_sub<T>);
        case Do::mul:
          return two(ops::wrap_mul<T>);
        case Do::div:
          return two([](T x, T y) { return static_cast<T>(x / y); });
        case Do::min:
          return two(least<T>);
        case Do::max:
          return two(greatest<T>);
        case Do::neg:
          if constexpr (is_integer_v<T>) return one([](T x) { return ops::wrap_sub(T{}, x); });
          return one([](T x) { return static_cast<T>(-x); });
        case Do::abs:
          return one(magnitude<T>);
        default:
          break;
      }
    }
    if constexpr (std::is_floating_point_v<T>) return real<T>(i, v);
    if constexpr (is_integer_v<T>) return integer<T>(i, v);
    if constexpr (std::is_same_v<T, bool>) return truth(i, v);
    internal_error("code: no arithmetic of this dtype");
  }

  template <class T>
  void real(const Instruction& i, int v) {
    const auto one = [&](auto f) { each<T, T>(i, v, f); };
    switch (i.what) {
      case Do::rem:
        return each_two<T, T>(i, v, [](T x, T y) { return std::fmod(x, y); });
      case Do::fma: {
        const T *x = at<T>(i.in[0]), *y = at<T>(i.in[1]), *z = at<T>(i.in[2]);
        T* out = at<T>(v);
        for (int l = 0; l < count(i); ++l) out[l] = std::fma(x[l], y[l], z[l]);
        return;
      }
      case Do::sqrt:
        return one([](T x) { return std::sqrt(x); });
      case Do::floor:
        return one([](T x) { return std::floor(x); });
      case Do::ceil:
        return one([](T x) { return std::ceil(x); });
      case Do::trunc:
        return one([](T x) { return std::trunc(x); });
      case Do::nearest:
        return one([](T x) { return std::nearbyint(x); });
      default:
        internal_error("code: no such function of real numbers");
    }
  }

  template <class T>
  void integer(const Instruction& i, int v) {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned width = 8 * sizeof(T);
    const auto one = [&](auto f) { each<T, T>(i, v, f); };
    const auto two = [&](auto f) { each_two<T, T>(i, v, f); };
    switch (i.what) {
      case Do::rem:
        return two([](T x, T y) { return static_cast<T>(x % y); });
      case Do::mulhi:
        return two([](T x, T y) { return static_cast<T>((Longer<T>{x} * Longer<T>{y}) >> width); });
      case Do::bit_and:
        return two([](T x, T y) { return static_cast<T>(x & y); });
      case Do::bit_or:
        return two([](T x, T y) { return static_cast<T>(x | y); });
      case Do::bit_xor:
        return two([](T x, T y) { return static_cast<T>(x ^ y); });
      case Do::bit_not:
        return one([](T x) { return static_cast<T>(~x); });
      case Do::shift_left:
        return two([](T x, T y) {
          return static_cast<T>(static_cast<std::uint64_t>(x) << (static_cast<U>(y) % width));
        });
      case Do::shift_right_logical:
        return two([](T x, T y) { return static_cast<T>(static_cast<U>(x) >> (static_cast<U>(y) % width)); });
      case Do::shift_right_arithmetic:
        return two([](T x, T y) {
          return static_cast<T>(static_cast<std::make_signed_t<T>>(x) >> (static_cast<U>(y) % width));
        });
      case Do::leading_zeros:
        return one([](T x) { return static_cast<T>(std::countl_zero(static_cast<U>(x))); });
      case Do::ones:
        return one([](T x) { return static_cast<T>(std::popcount(static_cast<U>(x))); });
      default:
        internal_error("code: no such function of integers");
    }
  }

  void truth(const Instruction& i, int v) {
    const auto two = [&](auto f) { each_two<bool, bool>(i, v, f); };
    switch (i.what) {
      case Do::bit_and:
      case Do::mul:
      case Do::min:
        return two([](bool x, bool y) { return x && y; });
      case Do::bit_or:
      case Do::max:
        return two([](bool x, bool y) { return x || y; });
      case Do::bit_xor:
      case Do::add:
      case Do::sub:
        return two([](bool x, bool y) { return x != y; });
      case Do::bit_not:
        return each<bool, bool>(i, v, [](bool x) { return !x; });
      default:
        internal_error("code: no such function of truth values");
    }
  }

  const Code& code_;
  void* const* const pointers_;
  const std::int64_t from_, until_;
  const int lanes_;
  const std::size_t lines_;  // of a place
  std::unique_ptr<Line[]> places_;
  std::vector<std::vector<Line>> own_memory_;
};

}  // namespace

void interpret(const Code& code, void* const* pointers, std::int64_t from, std::int64_t until) {
  Walk(code, pointers, from, until).run(code.top);
}

}  // namespace baton::cpu
