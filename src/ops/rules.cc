// rules: the shared pieces of primitives that need no template.
#include "ops/rules.h"

namespace baton::ops {
namespace {

const char* domain_text(Domain d) {
  switch (d) {
    case Domain::any:
      return "of any dtype";
    case Domain::number:
      return "a number, not bool";
    case Domain::inexact:
      return "floating or complex";
    case Domain::real:
      return "a real number, neither bool nor complex";
    case Domain::real_floating:
      return "real floating";
    case Domain::integer:
      return "an integer";
    case Domain::bits:
      return "an integer or bool";
    case Domain::complex:
      return "complex";
    case Domain::ordered:
      return "an integer, bool or real floating";
  }
  return "";
}

}  // namespace

void require_dtype(std::string_view name, std::span<const Type> in, int operand, Domain domain) {
  const Type& t = in[static_cast<std::size_t>(operand)];
  if (contains(domain, t.dtype)) return;
  const char* advice = "";
  if (domain == Domain::inexact || domain == Domain::real_floating)
    advice = is_complex(t.dtype) ? "\n  Take one of its parts first: real(x) or imag(x)."
                                 : "\n  Convert it first: astype(x, f32).";
  type_error(name, "operand " + std::to_string(operand) + " must be " + domain_text(domain) + ", found " +
                       show(t) + "." + advice);
}

void require_count(std::string_view name, std::span<const Type> in, std::size_t count) {
  if (in.size() != count)
    type_error(name,
               std::to_string(count) + " operands are required, found " + std::to_string(in.size()) + ".");
}

void require_same_type(std::string_view name, std::span<const Type> in) {
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (in[i] == in[0]) continue;
    type_error(name, std::string("operands must have one ") +
                         (in[i].dtype != in[0].dtype ? "dtype" : "shape") + ", found " + show(in[0]) +
                         " and " + show(in[i]) + "." +
                         (in[i].dtype != in[0].dtype ? "\n  Convert one with astype."
                                                     : "\n  Broadcast or reshape one of them."));
  }
}

void require_axis(std::string_view name, const Type& operand, std::int64_t axis) {
  if (axis < 0 || axis >= operand.rank())
    type_error(name, "axis " + std::to_string(axis) + " is out of range for " + show(operand) + ".");
}

void require_axes(std::string_view name, const Type& operand, const std::vector<std::int64_t>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    require_axis(name, operand, axes[i]);
    if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
        axes.begin() + static_cast<std::ptrdiff_t>(i))
      type_error(name, "axis " + std::to_string(axes[i]) + " is given twice in " + show(axes) + ".");
  }
}

std::vector<std::int64_t> other_axes(std::int64_t rank, const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> others;
  for (std::int64_t axis = 0; axis < rank; ++axis)
    if (!holds(axes, axis)) others.push_back(axis);
  return others;
}

Array move_axis(const Array& x, int from, int to) {
  if (from == to) return x;
  std::vector<std::int64_t> p;
  for (int i = 0; i < x.rank(); ++i)
    if (i != from) p.push_back(i);
  p.insert(p.begin() + to, from);
  return lax::transpose(x, p);
}

Array batch_to_front(const Batched& b) { return b.axis < 0 ? b.value : move_axis(b.value, b.axis, 0); }

Array with_batch(const Batched& b, const BatchAxis& axis) {
  if (b.axis >= 0) return batch_to_front(b);
  Shape shape = b.value.shape();
  shape.insert(shape.begin(), axis.size);
  std::vector<std::int64_t> dims(shape.size() - 1);
  std::iota(dims.begin(), dims.end(), 1);
  return lax::broadcast_in_dim(b.value, shape, dims);
}

std::vector<Batched> batch_at_front(const Primitive& primitive, const BatchAxis& axis,
                                    std::span<const Batched> in, const Params& params) {
  Arrays operands;
  for (const Batched& b : in) operands.push_back(with_batch(b, axis));
  std::vector<Batched> out;
  for (const Array& a : bind(primitive, operands, params, {})) out.push_back({a, 0});
  return out;
}

Array split_axis(const Array& x, std::int64_t axis, std::int64_t parts) {
  Shape shape = x.shape();
  shape[at(axis)] /= parts;
  shape.insert(shape.begin() + axis, parts);
  return lax::reshape(x, shape);
}

Array merge_axes(const Array& x, std::int64_t first) {
  Shape shape = x.shape();
  shape[at(first)] *= shape[at(first + 1)];
  shape.erase(shape.begin() + first + 1);
  return lax::reshape(x, shape);
}

Array zeros_of(const Type& type) { return lax::zeros(type, {}); }
Array zeros_like(const Array& a) { return zeros_of(a.type()); }

Array add_any(const Array& a, const Array& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return lax::add(a, b);
}

Program scalar_program(const Primitive& op, Dtype dtype) {
  const Type scalar{dtype, {}};
  return make_program(std::string(op.name), {scalar, scalar},
                      [&](const Arrays& in) { return bind(op, in, op.params, {}); });
}

std::vector<std::int64_t> strides_of(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  return strides;
}

std::int64_t integer_at(const View& v, std::int64_t i) {
  return with_type(v.dtype(), [&]<class T>(Tag<T>) -> std::int64_t {
    if constexpr (std::is_integral_v<T>)
      return static_cast<std::int64_t>(v.as<T>()[static_cast<std::size_t>(i)]);
    internal_error("integer_at of a dtype that is not an integer");
  });
}

}  // namespace baton::ops
