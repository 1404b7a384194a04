// attention: dot_product_attention, written out. Logits and softmax are in f32 at least.
#include "baton/activations.h"
#include "numpy/common.h"

namespace baton {
namespace {

using namespace numpy;

constexpr std::string_view name = "dot_product_attention";

void require_shapes(const Array& q, const Array& k, const Array& v) {
  const std::string found =
      ", found query " + show(q.type()) + ", key " + show(k.type()) + " and value " + show(v.type()) + ".";
  if (q.rank() != 4 || k.rank() != 4 || v.shape() != k.shape())
    type_error(name, "query [B, T, N, H], key and value [B, S, K, H] are required" + found);
  if (q.dim(0) != k.dim(0) || q.dim(3) != k.dim(3))
    type_error(name, "query and key must have one batch B and one head size H" + found);
  if (k.dim(2) == 0 || q.dim(2) % k.dim(2) != 0)
    type_error(name, "the N heads of the query must be a multiple of the K heads of key and value" + found);
}

/// Both masks, either of which may be empty.
Array both(const Array& a, const Array& b) { return a.empty() ? b : b.empty() ? a : logical_and(a, b); }

/// bool[B, 1, T, 1] (or [B, 1, 1, S]): positions below each length.
Array below_length(const Array& lengths, std::int64_t batch, std::int64_t extent, bool of_query) {
  if (lengths.shape() != Shape{batch} || !is_integer(lengths.dtype()))
    type_error(name, "lengths must be integers, one for each of the " + std::to_string(batch) +
                         " entries of the batch, found " + show(lengths.type()) + ".");
  const Array i = to(lengths, s32);
  const Array position = positions({1, 1, of_query ? extent : 1, of_query ? 1 : extent}, of_query ? 2 : 3);
  return less(position, reshape(i, {-1, 1, 1, 1}));
}

/// Which keys each query position may see, broadcasting to [B, N, T, S]; empty: all.
Array visible(const Attention& o, std::int64_t b, std::int64_t t, std::int64_t s) {
  Array mask = o.mask;
  if (!mask.empty() && mask.dtype() != boolean)
    type_error(name,
               "the mask must be bool, found " + show(mask.type()) + ".\n  Numbers to add are the bias.");
  if (o.is_causal || o.local_window) {
    const Array query = positions({1, 1, t, s}, 2), key = positions({1, 1, t, s}, 3);
    if (o.is_causal) mask = both(mask, lax::ge(query, key));
    if (o.local_window) {
      const auto [left, right] = *o.local_window;
      const Array near_left = lax::ge(key, lax::sub(query, left)),
                  near_right = lax::le(key, lax::add(query, right));
      mask = both(mask, lax::bitwise_and(near_left, near_right));
    }
  }
  if (!o.query_seq_lengths.empty()) mask = both(mask, below_length(o.query_seq_lengths, b, t, true));
  if (!o.key_value_seq_lengths.empty()) mask = both(mask, below_length(o.key_value_seq_lengths, b, s, false));
  return mask;
}

/// [B or 1, N or 1, T or 1, S or 1] as [.., K, N / K, ..] (or ones): heads in groups.
Array grouped(const Array& x, std::int64_t groups, std::int64_t heads, const char* what) {
  Shape shape = x.shape();
  if (shape.size() > 4)
    type_error(name, std::string(what) + " must broadcast to [B, N, T, S], found " + show(x.type()) + ".");
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  if (shape[1] != 1 && shape[1] != groups * heads)
    type_error(name, std::string(what) + " must broadcast to [B, N, T, S], found " + show(x.type()) + ".");
  const bool one = shape[1] == 1;
  return reshape(x, {shape[0], one ? 1 : groups, one ? 1 : heads, shape[2], shape[3]});
}

}  // namespace

Array dot_product_attention(Operand query, Operand key, Operand value, const Attention& o) {
  const Frame frame(query.where());
  Array q = floating(query), k = floating(key), v = floating(value);
  const bool no_batch = q.rank() == 3;
  if (no_batch && k.rank() == 3 && v.rank() == 3)
    q = expand_dims(q, 0), k = expand_dims(k, 0), v = expand_dims(v, 0);
  require_shapes(q, k, v);
  const Dtype dtype = q.dtype();
  if (k.dtype() != dtype || v.dtype() != dtype)
    type_error(name, "query, key and value must have one dtype, found " + show(q.type()) + ", " +
                         show(k.type()) + " and " + show(v.type()) + ".\n  Convert one with astype.");
  const std::int64_t b = q.dim(0), t = q.dim(1), n = q.dim(2), h = q.dim(3), s = k.dim(1), groups = k.dim(2);
  const std::int64_t heads = n / groups;  // of the query, for each head of the key

  const Dtype wide = promote(dtype, f32);
  const Array in_groups = lax::reshape(q, {b, t, groups, heads, h});
  // [B, K, T, N / K, S], from which the heads of a group move before T.
  const Array products = lax::dot_general(in_groups, k, {{4}, {3}, {0, 2}, {0, 2}}, wide);
  Array logits = lax::mul(lax::transpose(products, {0, 1, 3, 2, 4}),
                          o.scale.value_or(1 / std::sqrt(static_cast<double>(h))));
  if (!o.bias.empty()) logits = add(logits, to(grouped(o.bias, groups, heads, "the bias"), wide));
  const Shape shapes[] = {logits.shape(), {b, groups, heads, t, s}};
  if (common_shape(name, shapes) != logits.shape() || logits.shape() != shapes[1])
    type_error(name, "the bias must broadcast to [B, N, T, S], found " + show(o.bias.type()) + ".");
  if (const Array mask = visible(o, b, t, s); !mask.empty()) {
    const Array seen = mask_of(name, grouped(mask, groups, heads, "the mask"), logits.shape());
    // Not -inf: a row without anything to see gives equal weights, not NaN.
    logits = lax::select(seen, logits, lax::full_like(logits, -0.7 * largest_finite(wide)));
  }
  const Array weights = to(softmax(logits), dtype);                              // [B, K, N / K, T, S]
  const Array mixed = lax::dot_general(weights, v, {{4}, {1}, {0, 1}, {0, 2}});  // [B, K, N / K, T, H]
  Array out = lax::reshape(lax::transpose(mixed, {0, 3, 1, 2, 4}), {b, t, n, h});
  if (!o.query_seq_lengths.empty()) {
    const Array inside = lax::reshape(below_length(o.query_seq_lengths, b, t, true), {b, t, 1, 1});
    out = where(inside, out, 0.0);
  }
  return no_batch ? lax::reshape(out, {t, n, h}) : out;
}

}  // namespace baton
