// scatter: the operand, and each update in its place, in order. Threads share the columns of the windows, so
// that no two write one element.
#include <algorithm>

#include "engines/cpu/kernels.h"
#include "engines/cpu/packing.h"
#include "ops/scatter.h"

namespace baton::cpu {
namespace {

constexpr std::size_t most_axes = 16;
constexpr std::int64_t worth_sharing = 1 << 16;  // elements of updates

struct Set {
  template <class T>
  T operator()(T, T update) const {
    return update;
  }
};

/// 16-bit floats combine in f32, and each result is rounded.
template <class F, class T>
T combined(T old, T update) {
  if constexpr (is_half_v<T> && !std::is_same_v<F, Set>)
    return T(F{}(static_cast<float>(old), static_cast<float>(update)));
  else
    return F{}(old, update);
}

class ScatterKernel : public Kernel {
 public:
  ScatterKernel(const ProgramData& p, const Equation& e)
      : operand_(p.type(e.inputs[0])), indices_(p.type(e.inputs[1])), p_(e.params.as<ops::Scatter>()) {
    const Shape& updates = p.type(e.inputs[2]).shape;
    const auto rank = static_cast<std::int64_t>(operand_.shape.size());
    window_ = p_.window(rank, updates);
    strides_ = ops::strides_of(operand_.shape);
    const auto from = ops::strides_of(updates);
    for (std::int64_t axis : map_.window_axes(rank))
      axes_.push_back({window_[ops::at(axis)], strides_[ops::at(axis)], 0});
    for (std::size_t k = 0; k < axes_.size(); ++k) axes_[k].from = from[ops::at(p_.update_window_dims[k])];
    for (std::int64_t axis :
         ops::other_axes(static_cast<std::int64_t>(updates.size()), p_.update_window_dims))
      vectors_.push_back({updates[ops::at(axis)], 0, from[ops::at(axis)]});
    // What lies side by side in both is one run.
    while (!axes_.empty() && axes_.back().to == run_ && axes_.back().from == run_) {
      run_ *= axes_.back().extent;
      axes_.pop_back();
    }
    count_ = p.type(e.inputs[2]).size();
  }

  bool in_place(std::size_t operand, std::size_t) const override { return operand == 0; }

 protected:
  /// Where an index vector puts its window; -1: nowhere.
  std::int64_t start(const View& indices, const std::int64_t* at, std::int64_t vector) const {
    const auto length = static_cast<std::int64_t>(map_.to_operand.size());
    std::int64_t offset = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      const std::size_t axis = ops::at(map_.to_operand[ops::at(k)]);
      const std::int64_t high = operand_.shape[axis] - window_[axis];
      if (high < 0) return -1;
      const std::int64_t place = ops::clamped_at(indices, vector * length + k, high);
      if (p_.mode != lax::ScatterMode::clip && place != ops::integer_at(indices, vector * length + k))
        return -1;
      offset += place * strides_[axis];
    }
    for (std::size_t i = 0; i < map_.operand_batching.size(); ++i)
      offset += at[map_.indices_batching[i]] * strides_[ops::at(map_.operand_batching[i])];
    return offset;
  }

  /// An axis of the updates: how far apart its elements lie in the operand and in the updates.
  struct Axis {
    std::int64_t extent, to, from;
  };
  /// Calls f(index, to, from) for every index of the axes, row-major.
  template <class F>
  static void walk(std::span<const Axis> axes, const F& f) {
    std::int64_t at[most_axes] = {}, to = 0, from = 0;
    if (std::any_of(axes.begin(), axes.end(), [](const Axis& a) { return a.extent == 0; })) return;
    while (true) {
      f(at, to, from);
      std::size_t i = axes.size();
      for (; i > 0; --i) {
        const Axis& a = axes[i - 1];
        to += a.to, from += a.from;
        if (++at[i - 1] < a.extent) break;
        to -= a.extent * a.to, from -= a.extent * a.from, at[i - 1] = 0;
      }
      if (i == 0) return;
    }
  }
  /// Calls f(place in the operand, place in the updates) for each run of the updates, in order.
  template <class F>
  void for_each_run(const View& indices, const F& f) const {
    std::int64_t vector = 0;
    walk(vectors_, [&](const std::int64_t* at, std::int64_t, std::int64_t from) {
      const std::int64_t first = start(indices, at, vector++);
      if (first < 0) return;
      walk(axes_, [&](const std::int64_t*, std::int64_t to_run, std::int64_t from_run) {
        f(first + to_run, from + from_run);
      });
    });
  }

  const Type operand_, indices_;
  const ops::Scatter p_;
  const ops::IndexMap map_ = p_.map();
  Shape window_;
  std::vector<std::int64_t> strides_;
  std::vector<Axis> vectors_, axes_;
  std::int64_t run_ = 1, count_ = 0;
};

template <class T, class F>
class ScatterOf final : public ScatterKernel {
 public:
  using ScatterKernel::ScatterKernel;

  void run(void* const* in, void* const* out, void*, Workers& workers) const override {
    copy_shared(out[0], in[0], operand_.bytes(), workers);
    const View indices{&indices_, in[1]};
    T* const to = static_cast<T*>(out[0]);
    const T* const updates = static_cast<const T*>(in[2]);
    const std::int64_t parts =
        count_ < worth_sharing ? 1 : std::min<std::int64_t>(workers.count(), run_ / 16);
    const auto columns = [&](std::int64_t first, std::int64_t last) {
      for_each_run(indices, [&](std::int64_t place, std::int64_t from) {
        for (std::int64_t i = first; i < last; ++i)
          to[place + i] = combined<F>(to[place + i], updates[from + i]);
      });
    };
    if (parts <= 1) return columns(0, run_);
    const std::int64_t each = (run_ / parts + 15) / 16 * 16;
    workers.run(parts, [&](std::int64_t part) {
      columns(std::min(run_, part * each), part == parts - 1 ? run_ : std::min(run_, (part + 1) * each));
    });
  }
};

template <class F, ops::Domain domain>
std::unique_ptr<Kernel> scatter_of(const ProgramData& p, const Equation& e) {
  std::unique_ptr<Kernel> kernel;
  if (p.type(e.inputs[2]).shape.size() > most_axes) return kernel;
  with_type(p.type(e.inputs[0]).dtype, [&]<class T>(Tag<T>) {
    if constexpr (ops::admits<domain, T>) kernel = std::make_unique<ScatterOf<T, F>>(p, e);
  });
  return kernel;
}

}  // namespace

/// The last of several in one place stays, so windows must come whole, one after the other.
std::unique_ptr<Kernel> scatter_kernel(const ProgramData& p, const Equation& e) {
  const auto& window = e.params.as<ops::Scatter>().update_window_dims;
  const int rank = p.type(e.inputs[2]).rank();
  if (!window.empty() && window.front() != rank - static_cast<std::int64_t>(window.size())) return nullptr;
  return scatter_of<Set, ops::Domain::any>(p, e);
}
std::unique_ptr<Kernel> scatter_add_kernel(const ProgramData& p, const Equation& e) {
  return scatter_of<ops::Sum, ops::Domain::number>(p, e);
}
std::unique_ptr<Kernel> scatter_max_kernel(const ProgramData& p, const Equation& e) {
  return scatter_of<ops::Larger, ops::Domain::real>(p, e);
}
std::unique_ptr<Kernel> scatter_min_kernel(const ProgramData& p, const Equation& e) {
  return scatter_of<ops::Smaller, ops::Domain::real>(p, e);
}
std::unique_ptr<Kernel> scatter_mul_kernel(const ProgramData& p, const Equation& e) {
  return scatter_of<ops::Product, ops::Domain::number>(p, e);
}
std::unique_ptr<Kernel> scatter_sub_kernel(const ProgramData& p, const Equation& e) {
  return scatter_of<ops::Difference, ops::Domain::number>(p, e);
}

}  // namespace baton::cpu
