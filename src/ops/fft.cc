// fft: discrete Fourier transforms over the last axes, forwards (exp(-i)), inverse (scaled), of real and to
// real arrays. Any length: mixed radix down to its prime factors, one precision up.
#include "ops/fft.h"

namespace baton {
namespace ops {
namespace {
using lax::FftType;
Types type(std::span<const Type> in, const Params& params) {
  require_count("fft", in, 1);
  const auto& p = params.as<Fft>();
  const std::string name(fft_names[static_cast<int>(p.kind)]);
  const auto n = static_cast<int>(p.lengths.size());
  if (n == 0 || n > in[0].rank())
    type_error(name, "lengths must be given for one or more of the last axes of " + show(in[0]) + ", found " +
                         show(p.lengths) + ".");
  const bool real_input = p.kind == FftType::rfft;
  if (real_input ? in[0].dtype != f32 && in[0].dtype != f64 : !is_complex(in[0].dtype))
    type_error(name, std::string("the operand must be ") + (real_input ? "f32 or f64" : "complex") +
                         ", found " + show(in[0]) + ".");
  Type out = in[0];
  for (int i = 0; i < n; ++i) {
    const int axis_from_front = in[0].rank() - n + i;
    const auto axis = static_cast<std::size_t>(axis_from_front);
    const std::int64_t length = p.lengths[static_cast<std::size_t>(i)];
    const bool last = i == n - 1;
    const std::int64_t want = last && p.kind == FftType::irfft ? length / 2 + 1 : length;
    if (length < 0 || (in[0].shape[axis] != want && !(length == 0 && in[0].shape[axis] == 0)))
      type_error(name, "axis " + std::to_string(axis) + " of " + show(in[0]) + " must have extent " +
                           std::to_string(want) + " for a signal of length " + std::to_string(length) + ".");
    if (last && p.kind == FftType::rfft) out.shape[axis] = length == 0 ? 0 : length / 2 + 1;
    if (last && p.kind == FftType::irfft) out.shape[axis] = length;
  }
  if (p.kind == FftType::rfft) out.dtype = complex_of(out.dtype);
  if (p.kind == FftType::irfft) out.dtype = real_of(out.dtype);
  return {out};
}

/// The transform of in[0], in[step], ... (n of them) into out[0..n); roots[k] = exp(-+2 pi i k /
/// roots.size()).
template <class C>
void transform(const C* in, std::size_t step, C* out, std::size_t n, const std::vector<C>& roots) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  std::size_t p = 2;  // the smallest prime factor
  while (p * p <= n && n % p != 0) ++p;
  if (n % p != 0) p = n;
  const std::size_t m = n / p, turn = roots.size() / n;
  std::vector<C> parts(n);
  for (std::size_t r = 0; r < p; ++r) transform(in + r * step, step * p, parts.data() + r * m, m, roots);
  for (std::size_t k = 0; k < n; ++k) {
    C sum = parts[k % m];
    for (std::size_t r = 1; r < p; ++r) sum += roots[r * k % n * turn] * parts[r * m + k % m];
    out[k] = sum;
  }
}
/// Transforms every lane along an axis in place.
template <class C>
void along(std::vector<C>& data, const Shape& shape, std::size_t axis, bool inverse) {
  using R = typename C::value_type;
  const auto n = static_cast<std::size_t>(shape[axis]);
  if (n == 0) return;
  std::vector<C> roots(n), in(n), out(n);
  const R turn = 2 * std::acos(R(-1)) / static_cast<R>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const R angle = turn * static_cast<R>(k);
    roots[k] = C(std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle));
  }
  Shape lanes = shape;
  lanes[axis] = 1;
  const auto strides = strides_of(shape);
  const auto step = static_cast<std::size_t>(strides[axis]);
  for (Counter c(lanes); !c.done(); c.next()) {
    const auto start = static_cast<std::size_t>(offset_of(c.index(), strides));
    for (std::size_t k = 0; k < n; ++k) in[k] = data[start + k * step];
    transform(in.data(), 1, out.data(), n, roots);
    for (std::size_t k = 0; k < n; ++k)
      data[start + k * step] = inverse ? out[k] / static_cast<R>(n) : out[k];
  }
}
void evaluate(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto& p = params.as<Fft>();
  const bool inverse = p.kind == FftType::ifft || p.kind == FftType::irfft;
  const std::size_t rank = in[0].shape().size(), last = rank - 1, first = rank - p.lengths.size();
  auto work = [&]<class R, class W>(Tag<R>, Tag<W>) {
    using C = std::complex<W>;
    std::vector<C> data(static_cast<std::size_t>(in[0].type->size()));
    if (p.kind == FftType::rfft) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<W>(in[0].as<R>()[i]);
    } else {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = widen(in[0].as<std::complex<R>>()[i]);
    }
    for (std::size_t axis = first; axis < last; ++axis) along(data, in[0].shape(), axis, inverse);
    // The last axis by lanes, whose extents may differ before and after.
    const auto from = static_cast<std::size_t>(in[0].shape()[last]),
               to = static_cast<std::size_t>(out[0].shape()[last]);
    const auto n = static_cast<std::size_t>(p.lengths.back());
    if (n == 0) return;
    std::vector<C> lane(n);
    for (std::size_t k = 0; k < data.size() / std::max<std::size_t>(from, 1); ++k) {
      for (std::size_t i = 0; i < n; ++i)
        lane[i] = i < from ? data[k * from + i] : std::conj(data[k * from + n - i]);
      if (p.kind == FftType::irfft) {  // the spectrum of a real signal is real at these places
        lane[0] = lane[0].real();
        if (n % 2 == 0) lane[n / 2] = lane[n / 2].real();
      }
      along(lane, {static_cast<std::int64_t>(n)}, 0, inverse);
      for (std::size_t i = 0; i < to; ++i) {
        if (p.kind == FftType::irfft)
          out[0].as<R>()[k * to + i] = static_cast<R>(lane[i].real());
        else
          out[0].as<std::complex<R>>()[k * to + i] = narrow<std::complex<R>>(lane[i]);
      }
    }
  };
  if (real_of(in[0].dtype()) == f32)
    work(Tag<float>{}, Tag<double>{});
  else
    work(Tag<double>{}, Tag<long double>{});
}
Arrays transpose_rule(const Arrays& ct, std::span<const LinearOperand> x, const Params& params,
                      Transformer&) {
  const auto& p = params.as<Fft>();
  const int last = x[0].type.rank() - 1;
  if (p.kind == FftType::rfft) {  // the first half of the transform of a real signal
    std::vector<lax::Padding> padding(x[0].type.shape.size());
    padding.back().high = x[0].type.shape.back() - ct[0].shape().back();
    return {lax::real(
        lax::fft(lax::pad(ct[0], lax::zeros({ct[0].dtype(), {}}), padding), FftType::fft, p.lengths))};
  }
  if (p.kind == FftType::irfft) {  // elements that stand for their mirror image as well count twice
    const Array spectrum = lax::fft(ct[0], FftType::rfft, p.lengths);
    const std::int64_t n = p.lengths.back();
    double points = 1;
    for (std::int64_t length : p.lengths) points *= static_cast<double>(length);
    const Array at = lax::iota({s32, spectrum.shape()}, last, {});
    Array once = lax::eq(at, 0);
    if (n % 2 == 0) once = lax::bitwise_or(once, lax::eq(at, n / 2));
    const Array single = lax::mul(spectrum, 1 / points), twice = lax::mul(spectrum, 2 / points);
    return {lax::conj(lax::select(once, single, twice))};
  }
  return {bind_one(fft, {ct[0]}, params, {})};
}
}  // namespace
extern const Primitive fft = {
    .name = "fft",
    .cost = Cost::compute_bound,
    .linear = true,
    .params = Fft{},
    .type = type,
    .evaluate = evaluate,
    .transpose = transpose_rule,
    .batch = batch_at_front<fft>,
    .examples = {{.inputs = {{c64, {8}}}, .params = Fft{FftType::fft, {8}}},
                 {.inputs = {{c64, {2, 15}}}, .params = Fft{FftType::ifft, {15}}},
                 {.inputs = {{c64, {3, 4, 7}}}, .params = Fft{FftType::fft, {4, 7}}},
                 {.inputs = {{c64, {1}}}, .params = Fft{FftType::ifft, {1}}},
                 {.inputs = {{c64, {0, 3}}}, .params = Fft{FftType::fft, {3}}, .note = "no lanes"},
                 {.inputs = {{f32, {6}}}, .params = Fft{FftType::rfft, {6}}},
                 {.inputs = {{f32, {2, 9}}}, .params = Fft{FftType::rfft, {9}}},
                 {.inputs = {{f32, {3, 4}}}, .params = Fft{FftType::rfft, {3, 4}}},
                 {.inputs = {{f32, {1}}}, .params = Fft{FftType::rfft, {1}}},
                 {.inputs = {{c64, {4}}}, .params = Fft{FftType::irfft, {6}}},
                 {.inputs = {{c64, {2, 4}}}, .params = Fft{FftType::irfft, {7}}},
                 {.inputs = {{c64, {3, 3}}}, .params = Fft{FftType::irfft, {3, 4}}},
                 {.inputs = {{c64, {1}}}, .params = Fft{FftType::irfft, {1}}}}};
}  // namespace ops
Array lax::fft(Operand x, FftType type, const std::vector<std::int64_t>& lengths) {
  return bind_one(ops::fft, {x.array()}, ops::Fft{type, lengths}, x.where());
}
}  // namespace baton
