// convolution: defaults and the type rule of conv_general_dilated.
#include "ops/convolution.h"

namespace baton::ops {
namespace {
constexpr const char* name = "conv_general_dilated";

void require_length(const char* what, std::size_t found, std::size_t want) {
  if (found != want)
    type_error(name, std::string(what) + ": one entry for each of the " + std::to_string(want) +
                         " spatial axes is required, found " + std::to_string(found) + ".");
}
void require_positive(const char* what, const std::vector<std::int64_t>& values) {
  for (std::int64_t v : values)
    if (v < 1) type_error(name, std::string(what) + " must be positive, found " + show(values) + ".");
}
void require_permutation(const char* what, const Type& t, const std::vector<std::int64_t>& axes) {
  if (static_cast<int>(axes.size()) != t.rank())
    type_error(name, std::string(what) + ": one axis number for each axis of " + show(t) +
                         " is required, found " + show(axes) + ".");
  require_axes(name, t, axes);
}
}  // namespace

Convolution convolution_of(const lax::ConvOptions& o, std::int64_t rank) {
  const std::size_t n = rank > 2 ? at(rank - 2) : 0;
  Convolution p{o.strides,  {},         o.lhs_dilation,        o.rhs_dilation,      o.dims.lhs,
                o.dims.rhs, o.dims.out, o.feature_group_count, o.batch_group_count, {},
                {}};
  for (Shape* list : {&p.strides, &p.lhs_dilation, &p.rhs_dilation})
    if (list->empty()) list->assign(n, 1);
  for (const lax::Padding& d : o.padding) {
    if (d.interior != 0)
      type_error(name, "padding has no interior here; use lhs_dilation, found interior " +
                           std::to_string(d.interior) + ".");
    p.padding.push_back(d.low);
    p.padding.push_back(d.high);
  }
  if (p.padding.empty()) p.padding.assign(2 * n, 0);
  for (std::vector<std::int64_t>* spec : {&p.lhs, &p.rhs, &p.out})
    if (spec->empty()) {
      spec->resize(n + 2);
      std::iota(spec->begin(), spec->end(), 0);
    }
  p.window_reversal.assign(o.window_reversal.begin(), o.window_reversal.end());
  if (p.window_reversal.empty()) p.window_reversal.assign(n, 0);
  if (o.preferred) p.preferred = name_of(*o.preferred);
  return p;
}

Type convolution_type(std::span<const Type> in, const Convolution& p) {
  require_count(name, in, 2);
  const Dtype dtype = product_dtype(name, in, p.preferred);
  const Type &lhs = in[0], &rhs = in[1];
  if (lhs.rank() < 2 || lhs.rank() != rhs.rank())
    type_error(name,
               "lhs and rhs must have one rank of at least 2 (batch, feature and spatial axes), found " +
                   show(lhs) + " and " + show(rhs) + ".");
  const std::size_t n = lhs.shape.size() - 2;
  require_length("strides", p.strides.size(), n);
  if (p.padding.size() != 2 * n) require_length("padding", p.padding.size() / 2, n);
  require_length("lhs_dilation", p.lhs_dilation.size(), n);
  require_length("rhs_dilation", p.rhs_dilation.size(), n);
  require_length("window_reversal", p.window_reversal.size(), n);
  require_positive("strides", p.strides);
  require_positive("lhs_dilation", p.lhs_dilation);
  require_positive("rhs_dilation", p.rhs_dilation);
  require_permutation("dims.lhs", lhs, p.lhs);
  require_permutation("dims.rhs", rhs, p.rhs);
  Type out{dtype, Shape(lhs.shape.size())};
  require_permutation("dims.out", out, p.out);
  const std::int64_t batch = lhs.shape[at(p.lhs[0])], features = lhs.shape[at(p.lhs[1])];
  const std::int64_t out_features = rhs.shape[at(p.rhs[0])], in_features = rhs.shape[at(p.rhs[1])];
  require_positive("group counts", {p.feature_group_count, p.batch_group_count});
  if (p.feature_group_count > 1 && p.batch_group_count > 1)
    type_error(name, "feature_group_count and batch_group_count must not both be above 1, found " +
                         std::to_string(p.feature_group_count) + " and " +
                         std::to_string(p.batch_group_count) + ".");
  const std::int64_t groups = std::max(p.feature_group_count, p.batch_group_count);
  if (features != in_features * p.feature_group_count)
    type_error(name, "the features of lhs must be those of rhs times feature_group_count: lhs " + show(lhs) +
                         " axis " + std::to_string(p.lhs[1]) + " has " + std::to_string(features) + ", rhs " +
                         show(rhs) + " axis " + std::to_string(p.rhs[1]) + " has " +
                         std::to_string(in_features) + ", groups " + std::to_string(p.feature_group_count) +
                         ".");
  if (out_features % groups != 0 || batch % p.batch_group_count != 0)
    type_error(name, "groups must divide evenly: " + std::to_string(groups) + " groups, " +
                         std::to_string(out_features) + " output features in rhs " + show(rhs) + ", batch " +
                         std::to_string(batch) + " in lhs " + show(lhs) + ".");
  out.shape[at(p.out[0])] = batch / p.batch_group_count;
  out.shape[at(p.out[1])] = out_features;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t extent =
        with_holes(lhs.shape[at(p.lhs[i + 2])], p.lhs_dilation[i]) + p.padding[2 * i] + p.padding[2 * i + 1];
    const std::int64_t window = with_holes(rhs.shape[at(p.rhs[i + 2])], p.rhs_dilation[i]);
    if (window == 0)
      type_error(name,
                 "the window must have at least one element on every axis, found rhs " + show(rhs) + ".");
    if (extent < 0)
      type_error(name, "negative padding takes more from spatial axis " + std::to_string(i) + " of lhs " +
                           show(lhs) + " than there is.");
    out.shape[at(p.out[i + 2])] = extent < window ? 0 : (extent - window) / p.strides[i] + 1;
  }
  return out;
}

}  // namespace baton::ops
