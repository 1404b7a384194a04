#pragma once
// scatter: what the scatter primitives share. Inputs: operand, indices, updates (scatter_general: several
// operands and as many updates). Updates are applied in row-major order, so the last of two at one place
// comes last.
#include "ops/elementwise.h"
#include "ops/indexing.h"

namespace baton::ops {

extern const Primitive scatter, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub;

struct Scatter {
  std::vector<std::int64_t> update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  std::vector<std::int64_t> operand_batching_dims, scatter_indices_batching_dims;
  lax::ScatterMode mode = lax::ScatterMode::drop;
  bool indices_are_sorted = false, unique_indices = false;
  BATON_FIELDS(update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims,
               scatter_indices_batching_dims, mode, indices_are_sorted, unique_indices)

  IndexMap map() const {
    return {scatter_dims_to_operand_dims, operand_batching_dims, scatter_indices_batching_dims,
            inserted_window_dims};
  }
  /// Extents of a window on every operand axis.
  Shape window(std::int64_t operand_rank, const Shape& updates) const;
};
Scatter scatter_of(const lax::ScatterDims&, const lax::ScatterOptions&);

/// Checks one operand with its indices and updates.
void require_scatter(std::string_view name, const Type& operand, const Type& indices, const Type& updates,
                     const Scatter&);
/// The type rule of the scatters with one operand.
Types scatter_type(std::string_view name, std::span<const Type> in, const Scatter&, Domain);
template <const Primitive& self, Domain domain>
Types scatter_type(std::span<const Type> in, const Params& params) {
  return scatter_type(self.name, in, params.as<Scatter>(), domain);
}

/// What scatter_sub combines by.
struct Difference {
  template <class T>
  T operator()(T x, T y) const {
    return wrap_sub(x, y);
  }
};

/// The offset in the operand of each element of the updates, in row-major order; -1: dropped.
std::vector<std::int64_t> update_offsets(const Shape& operand, const View& indices, const Shape& updates,
                                         const Scatter&);

/// evaluate for new = F{}(old, update), one precision up until the end.
template <class F, Domain domain>
void evaluate_scatter(std::span<const View> in, std::span<const View> out, const Params& params, Evaluator&) {
  const auto offsets = update_offsets(in[0].shape(), in[1], in[2].shape(), params.as<Scatter>());
  with_type(in[0].dtype(), [&]<class T>(Tag<T>) {
    if constexpr (admits<domain, T>) {
      const auto x = in[0].as<T>(), update = in[2].as<T>();
      const auto y = out[0].as<T>();
      std::vector<wide_t<T>> values(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) values[i] = widen(x[i]);
      for (std::size_t i = 0; i < offsets.size(); ++i)
        if (offsets[i] >= 0) values[at(offsets[i])] = F{}(values[at(offsets[i])], widen(update[i]));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = narrow<T>(values[i]);
    }
  });
}

/// Binds a scatter primitive with one operand.
Array bind_scatter(const Primitive&, const Array& operand, const Array& indices, const Array& updates,
                   const Scatter&, Where = {});
/// The public form: an update that is a number takes the operand's dtype.
Array bind_scatter(const Primitive&, Operand operand, Operand indices, Operand updates,
                   const lax::ScatterDims&, const lax::ScatterOptions&);
/// What stands in `x`, of the operand's shape, where each element of the updates goes; 0 where it is dropped.
Array gather_updates(const Array& x, const Array& indices, const Shape& updates, const Scatter&);
/// jvp of the scatters that are linear in operand and updates together.
Arrays linear_scatter_jvp(const Primitive&, const Arrays& x, const Arrays& dx, const Scatter&);
template <const Primitive& self>
Arrays linear_scatter_jvp(const Arrays& x, const Arrays&, const Arrays& dx, const Params& params) {
  return linear_scatter_jvp(self, x, dx, params.as<Scatter>());
}
/// jvp of scatter_max and scatter_min: those that are equal to the result share its tangent.
Arrays extremal_scatter_jvp(const Arrays& x, const Arrays& out, const Arrays& dx, const Params&);
/// The Params over a batch; the operands and updates have it at the front, and so have the indices if
/// `indices`.
Scatter batched_scatter(const Scatter&, bool indices);
/// Batches a scatter primitive with one operand.
std::vector<Batched> scatter_batch(const Primitive&, const BatchAxis&, std::span<const Batched> in,
                                   const Params&);
template <const Primitive& self>
std::vector<Batched> scatter_batch(const BatchAxis& axis, std::span<const Batched> in, const Params& params,
                                   Transformer&) {
  return scatter_batch(self, axis, in, params);
}
/// Rows of the generated tests. `unique`: no two updates at one place, as some derivatives need.
std::vector<Example> scatter_examples(double low, double high, bool unique, bool distinct = false);

}  // namespace baton::ops
