// product: products, convolutions, Fourier transforms, factorisations and random bits.
#include <algorithm>
#include <numeric>

#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

/// Both operands in one dtype; StableHLO lets them differ.
std::pair<Array, Array> alike(const Context& c) {
  Array x = c.array(0), y = c.array(1);
  if (x.dtype() != y.dtype()) {
    const Dtype d = promote(x.dtype(), y.dtype());
    x = lax::convert_element_type({x, c.where}, d);
    y = lax::convert_element_type({y, c.where}, d);
  }
  return {x, y};
}

}  // namespace

void read_dot_general(Context& c) {
  lax::DotDims dims;
  if (const Attribute* a = c.find("dot_dimension_numbers")) {
    for (const auto& [key, value] : mlir::fields_of(*a, c.importer.module)) {
      const auto list = mlir::integers(value, c.importer.module);
      if (key == "lhs_contracting_dimensions") dims.lhs_contract = list;
      if (key == "rhs_contracting_dimensions") dims.rhs_contract = list;
      if (key == "lhs_batching_dimensions") dims.lhs_batch = list;
      if (key == "rhs_batching_dimensions") dims.rhs_batch = list;
    }
  } else {
    const auto pair = [&](Text key, std::vector<std::int64_t>& l, std::vector<std::int64_t>& r) {
      const Attribute* p = c.find(key);
      if (!p) return;
      if (p->kind != Attribute::Kind::array || p->items.size() != 2 ||
          p->items[0].kind != Attribute::Kind::array)
        c.fail("`" + std::string(key) + "` must be [...] x [...].");
      l = mlir::integers(p->items[0], c.importer.module);
      r = mlir::integers(p->items[1], c.importer.module);
    };
    pair("contracting_dims", dims.lhs_contract, dims.rhs_contract);
    pair("batching_dims", dims.lhs_batch, dims.rhs_batch);
  }
  const auto [x, y] = alike(c);
  c.give(lax::dot_general({x, c.where}, {y, c.where}, dims, c.result().dtype));
}

void read_dot(Context& c) {
  const auto [x, y] = alike(c);
  if (x.rank() < 1 || x.rank() > 2 || y.rank() < 1 || y.rank() > 2)
    c.fail("vectors or matrices are required, found " + show(x.type()) + " and " + show(y.type()) + ".");
  c.give(lax::dot_general({x, c.where}, {y, c.where}, {.lhs_contract = {x.rank() - 1}, .rhs_contract = {0}},
                          c.result().dtype));
}

void read_convolution(Context& c) {
  lax::ConvOptions o;
  const Attribute& numbers = c.find("dim_numbers") ? c.need("dim_numbers") : c.need("dimension_numbers");
  // [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], with ? for axes that are not used.
  std::vector<std::int64_t>* lists[] = {&o.dims.lhs, &o.dims.rhs, &o.dims.out};
  std::size_t list = 0;
  std::int64_t axis = 0;
  std::vector<std::vector<std::int64_t>> found(3);
  for (std::size_t i = 0; i < numbers.text.size(); ++i) {
    const char ch = numbers.text[i];
    if (list >= 3) break;
    auto& at = found[list];
    const auto place = [&](std::size_t k) {
      if (at.size() <= k) at.resize(k + 1, -1);
      at[k] = axis++;
    };
    if (ch == ']') {
      ++list;
      axis = 0;
    } else if (ch == 'b' || ch == 'o') {
      place(0);
    } else if (ch == 'f' || ch == 'i') {
      place(1);
    } else if (ch >= '0' && ch <= '9') {
      place(2 + static_cast<std::size_t>(ch - '0'));
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    *lists[k] = found[k];
    if (found[k].size() < 2 || std::find(found[k].begin(), found[k].end(), -1) != found[k].end())
      c.fail("dimension numbers such as [b, 0, f]x[0, i, o]->[b, 0, f] are required.");
  }
  // The output's features are written f, the kernel's output features o: both parts are in place now.
  const auto part = [&](Text pretty, Text generic) -> const Attribute* {
    if (const Attribute* w = c.find("window")) {
      for (const auto& [key, value] : w->fields)
        if (key == pretty) return &c.resolve(value);
      return nullptr;
    }
    return c.find(generic);
  };
  const auto integers = [&](Text pretty, Text generic) {
    const Attribute* a = part(pretty, generic);
    return a ? mlir::integers(*a, c.importer.module) : std::vector<std::int64_t>{};
  };
  o.strides = integers("stride", "window_strides");
  const auto pad =
      c.op.name == "stablehlo.dynamic_conv" ? constant_integers(c, 2) : integers("pad", "padding");
  for (std::size_t i = 0; i + 1 < pad.size(); i += 2) o.padding.push_back({pad[i], pad[i + 1], 0});
  o.lhs_dilation = integers("lhs_dilate", "lhs_dilation");
  o.rhs_dilation = integers("rhs_dilate", "rhs_dilation");
  for (std::int64_t r : integers("reverse", "window_reversal")) o.window_reversal.push_back(r != 0);
  o.feature_group_count = c.integer("feature_group_count", 1);
  o.batch_group_count = c.integer("batch_group_count", 1);
  o.preferred = c.result().dtype;
  const auto [x, y] = alike(c);
  c.give(lax::conv_general_dilated({x, c.where}, {y, c.where}, o));
}

void read_fft(Context& c) {
  Text type = c.word(c.find("type") ? "type" : "fft_type");
  const auto lengths = c.integers(c.find("length") ? "length" : "fft_length");
  lax::FftType t;
  if (type == "FFT")
    t = lax::FftType::fft;
  else if (type == "IFFT")
    t = lax::FftType::ifft;
  else if (type == "RFFT")
    t = lax::FftType::rfft;
  else if (type == "IRFFT")
    t = lax::FftType::irfft;
  else
    c.fail("a type FFT, IFFT, RFFT or IRFFT is required, found `" + std::string(type) + "`.");
  c.give(lax::fft(c.in(0), t, lengths));
}

Array adjoint(const Array& x) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  const Array t = lax::transpose(x, order);
  return is_complex(x.dtype()) ? lax::conj(t) : t;
}

void read_cholesky(Context& c) {
  const Frame frame(c.where);
  const Array& x = c.array(0);
  if (x.rank() < 2) c.fail("a matrix is required, found " + show(x.type()) + ".");
  c.give(c.flag("lower") ? lax::cholesky(x, false) : adjoint(lax::cholesky(adjoint(x), false)));
}

void read_triangular_solve(Context& c) {
  const Text transpose = c.word("transpose_a");
  const Dtype d = c.array(0).dtype();
  const bool half = d == f16 || d == bf16;  // solved in f32
  const auto operand = [&](std::size_t i) {
    return half ? lax::convert_element_type(c.in(i), f32) : c.array(i);
  };
  const Array x = lax::triangular_solve({operand(0), c.where}, {operand(1), c.where},
                                        {.left_side = c.flag("left_side"),
                                         .lower = c.flag("lower"),
                                         .transpose_a = transpose == "TRANSPOSE" || transpose == "ADJOINT",
                                         .conjugate_a = transpose == "ADJOINT",
                                         .unit_diagonal = c.flag("unit_diagonal")});
  c.give(half ? lax::convert_element_type({x, c.where}, d) : x);
}

void read_rng_bit_generator(Context& c) {
  const Text algorithm = c.word(c.find("algorithm") ? "algorithm" : "rng_algorithm");
  const lax::RngAlgorithm a = algorithm == "THREE_FRY" ? lax::RngAlgorithm::three_fry
                              : algorithm == "PHILOX"  ? lax::RngAlgorithm::philox
                                                       : lax::RngAlgorithm::default_;
  auto [state, bits] = lax::rng_bit_generator(c.in(0), c.result(1), a);
  c.give(state);
  c.give(bits);
}

}  // namespace baton::stablehlo
