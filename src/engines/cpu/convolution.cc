// convolution: products of matrices without copies of windows. Rows of a are places of the window, or
// whatever else is evenly apart in lhs and in the result; columns of b are output features; and over k runs
// the window with its features, by lists of where each element lies. Places at the border, or between the
// holes of a dilated lhs, see other lists than those inside. What a window does not touch costs nothing.
#include "engines/cpu/convolution.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/cache_line.h"
#include "engines/cpu/matrix_loops.h"
#include "engines/cpu/packing.h"
#include "engines/cpu/window_walk.h"
#include "ops/convolution.h"

namespace baton::cpu {
namespace {

using Strides = std::vector<std::int64_t>;
using Spec = std::vector<std::int64_t>;  // axis numbers: batch, feature, spatial axes

using ops::at;

/// An array by its roles: batch (or output feature), feature, then the spatial axes.
struct Operand {
  Shape extents;
  Strides strides;
  Packing packing;  // to a dense copy in the order of `strides`
  bool packs = false;
};

/// The copy has its axes in this order, outermost first.
Operand operand(const Type& type, const Spec& spec, bool packs, const std::vector<std::size_t>& order) {
  Operand o;
  const Strides dense = ops::strides_of(type.shape);
  for (std::int64_t axis : spec)
    o.extents.push_back(type.shape[at(axis)]), o.strides.push_back(dense[at(axis)]);
  if (!packs) return o;
  o.packs = true;
  for (std::size_t role : order) o.packing.axes.push_back({o.extents[role], o.strides[role]});
  std::int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= o.extents[order[i]]) o.strides[order[i]] = stride;
  merge_axes(o.packing);
  return o;
}

struct Operands {
  Operand lhs, rhs, out;
};

/// Rows of products that have one list of k.
struct Item {
  std::int64_t a = 0, c = 0;  // where they begin
  std::int64_t rows = 1, a_row = 0, c_row = 0;
  std::size_t list = 0;
};
struct List {
  std::vector<std::int32_t> a_at, b_at;
};

/// Axes along which rows of a and c lie evenly apart.
struct Even {
  std::int64_t count = 1, a = 0, c = 0;
};
/// Rows go along the axis whose steps in lhs are least, if it has a block's worth of them.
std::size_t row_axis(std::vector<Even>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i)  // one inside the other: one axis
    for (std::size_t j = 0; j < axes.size(); ++j)
      if (i != j && axes[i].a == axes[j].a * axes[j].count && axes[i].c == axes[j].c * axes[j].count) {
        axes[j].count *= axes[i].count;
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
        return row_axis(axes);
      }
  std::size_t best = 0;
  constexpr std::int64_t enough = 7;
  for (std::size_t i = 1; i < axes.size(); ++i) {
    const bool fits = axes[i].count >= enough, best_fits = axes[best].count >= enough;
    if (fits && best_fits ? axes[i].a < axes[best].a : axes[i].count > axes[best].count) best = i;
  }
  return best;
}

/// The products that a group of a convolution is.
class ProductList {
 public:
  std::vector<List> lists;
  std::vector<Item> items;

  /// `axes`: the stretches of each spatial axis. false: too much of it.
  bool make(const std::vector<std::vector<Stretch>>& axes, const Operands& arrays) {
    std::vector<std::size_t> which(axes.size());
    for (;;) {  // every combination of stretches
      if (!add(axes, which, arrays)) return false;
      std::size_t d = axes.size();
      while (d > 0 && ++which[d - 1] == axes[d - 1].size()) which[--d] = 0;
      if (d == 0) return true;
    }
  }

 private:
  static constexpr std::int64_t most_items = 1'000'000, most_in_lists = 8'000'000;  // 64 MB at most

  struct Steps {  // of one axis of the sum: from element to element of a and b
    std::vector<std::pair<std::int64_t, std::int64_t>> at;
    std::int64_t order;
  };

  bool add(const std::vector<std::vector<Stretch>>& axes, const std::vector<std::size_t>& which,
           const Operands& arrays) {
    const auto& [lhs, rhs, out] = arrays;
    const std::int64_t batch = out.extents[0], features = rhs.extents[1];
    std::vector<Even> even = {{batch, lhs.strides[0], out.strides[0]}};
    std::vector<Steps> steps(1);
    steps[0].order = rhs.strides[1];
    for (std::int64_t c = 0; c < features; ++c)
      steps[0].at.emplace_back(c * lhs.strides[1], c * rhs.strides[1]);
    Item first;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const Stretch& s = axes[d][which[d]];
      const std::int64_t in = lhs.strides[d + 2], window = rhs.strides[d + 2], to = out.strides[d + 2];
      even.push_back({s.count, s.step * in, s.out_step * to});
      first.c += s.out * to;
      Steps along;
      along.order = window;
      for (const Stretch::Touch& t : s.touches) along.at.emplace_back(t.lhs * in, t.window * window);
      steps.push_back(std::move(along));
    }
    first.list = lists.size();
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Steps& a, const Steps& b) { return a.order > b.order; });
    return add_list(steps) && add_items(std::move(even), first);
  }

  bool add_list(const std::vector<Steps>& steps) {
    std::int64_t count = 1;
    for (const Steps& s : steps) count *= static_cast<std::int64_t>(s.at.size());
    if ((in_lists_ += count) > most_in_lists) return false;
    List list;
    std::vector<std::size_t> i(steps.size());
    for (std::int64_t n = 0; n < count; ++n) {
      std::int64_t a = 0, b = 0;
      for (std::size_t d = 0; d < steps.size(); ++d)
        a += steps[d].at[i[d]].first, b += steps[d].at[i[d]].second;
      if (std::max(a, b) > std::numeric_limits<std::int32_t>::max()) return false;
      list.a_at.push_back(static_cast<std::int32_t>(a)), list.b_at.push_back(static_cast<std::int32_t>(b));
      for (std::size_t d = steps.size(); d-- > 0;) {
        if (++i[d] < steps[d].at.size()) break;
        i[d] = 0;
      }
    }
    lists.push_back(std::move(list));
    return true;
  }

  bool add_items(std::vector<Even> even, Item item) {
    std::erase_if(even, [](const Even& e) { return e.count == 1; });
    if (even.empty()) even.push_back({});
    const std::size_t row = row_axis(even);
    const Even rows = even[row];
    even.erase(even.begin() + static_cast<std::ptrdiff_t>(row));
    std::int64_t others = 1;
    for (const Even& e : even) others *= e.count;
    constexpr std::int64_t together = 168;  // a multiple of the heights of blocks
    const std::int64_t parts = (rows.count + together - 1) / together;
    if (others * parts > most_items - static_cast<std::int64_t>(items.size())) return false;
    item.a_row = rows.a, item.c_row = rows.c;
    const std::int64_t a = item.a, c = item.c;
    for (std::int64_t n = 0; n < others; ++n) {
      std::int64_t left = n, a_at = a, c_at = c;
      for (std::size_t d = even.size(); d-- > 0; left /= even[d].count)
        a_at += left % even[d].count * even[d].a, c_at += left % even[d].count * even[d].c;
      for (std::int64_t i = 0; i < rows.count; i += together) {
        item.rows = std::min(together, rows.count - i);
        item.a = a_at + i * rows.a, item.c = c_at + i * rows.c;
        items.push_back(item);
      }
    }
    return true;
  }

  std::int64_t in_lists_ = 0;
};

template <class T>
class Convolution final : public Kernel {
 public:
  struct Groups {
    std::int64_t count = 1, lhs = 0, rhs = 0, out = 0;  // and where one more begins
  };
  Convolution(Dtype operands, Dtype result, Operands arrays, ProductList products, Groups groups)
      : operands_(operands),
        result_(result),
        arrays_(std::move(arrays)),
        products_(std::move(products)),
        groups_(groups),
        columns_(arrays_.out.extents[1] / groups.count) {
    for (const Item& i : products_.items)
      work_ +=
          i.rows * columns_ * groups_.count * static_cast<std::int64_t>(products_.lists[i.list].a_at.size());
    std::size_t lists = bytes_of_list(products_.items);
    for (const List& l : products_.lists) lists += sizeof l + bytes_of_list(l.a_at) + bytes_of_list(l.b_at);
    held_.set(lists);
  }

  std::int64_t scratch() const override {
    return bytes(arrays_.lhs) + bytes(arrays_.rhs) + bytes(arrays_.out);
  }
  bool in_place(std::size_t, std::size_t) const override { return false; }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    char* free = static_cast<char*>(scratch);
    const auto operand = [&](void* data, const Operand& o) {
      if (!o.packs) return static_cast<const T*>(data);
      T* dense = reinterpret_cast<T*>(free);
      free += bytes(o);
      with_type(operands_, [&]<class From>(Tag<From>) {
        copy_to_dense(o.packing, static_cast<const From*>(data), dense, workers);
      });
      return static_cast<const T*>(dense);
    };
    const T* a = operand(in[0], arrays_.lhs);
    const T* b = operand(in[1], arrays_.rhs);
    T* c = arrays_.out.packs ? reinterpret_cast<T*>(free) : static_cast<T*>(out[0]);
    const std::int64_t units = groups_.count * static_cast<std::int64_t>(products_.items.size());
    const std::int64_t cuts = units >= 4 * workers.count() ? 1 : (columns_ + strip - 1) / strip;
    constexpr std::int64_t worth_a_part = 1 << 20;
    const std::int64_t parts = std::clamp<std::int64_t>(
        work_ / worth_a_part, 1, std::min<std::int64_t>(units * cuts, 4 * workers.count()));
    workers.run(parts, [&](std::int64_t part) {
      for (std::int64_t u = units * cuts * part / parts; u < units * cuts * (part + 1) / parts;) {
        const std::int64_t cut = u / units, first = u % units;
        const std::int64_t last =
            std::min({units, first + units * cuts * (part + 1) / parts - u, first + together});
        const std::int64_t column = columns_ * cut / cuts / strip * strip,
                           end = cut + 1 == cuts ? columns_ : columns_ * (cut + 1) / cuts / strip * strip;
        multiply(first, last, column, end, a, b, c);
        u += last - first;
      }
    });
    if (arrays_.out.packs)
      with_type(result_, [&]<class To>(Tag<To>) {
        copy_from_dense(arrays_.out.packing, static_cast<const T*>(c), static_cast<To*>(out[0]), workers);
      });
  }

 private:
  static constexpr std::int64_t strip = 32, deep = MatrixLoops<T>::deep, together = 32;

  static std::int64_t bytes(const Operand& o) {
    return o.packs ? whole_lines(o.packing.size() * static_cast<std::int64_t>(sizeof(T))) : 0;
  }

  /// Some items, in some columns: so that what b holds for a stretch of k stays near while the items run.
  void multiply(std::int64_t first, std::int64_t last, std::int64_t column, std::int64_t end, const T* a,
                const T* b, T* c) const {
    const auto items = static_cast<std::int64_t>(products_.items.size());
    std::int64_t deepest = 1;
    for (std::int64_t u = first; u < last; ++u)
      deepest = std::max(deepest, static_cast<std::int64_t>(list_of(u % items).a_at.size()));
    for (std::int64_t j = column; j < end; j += strip)
      for (std::int64_t k = 0; k < deepest; k += deep)
        for (std::int64_t u = first; u < last; ++u) {
          const Item& item = products_.items[at(u % items)];
          const List& list = list_of(u % items);
          const std::int64_t depth = static_cast<std::int64_t>(list.a_at.size()) - k;
          if (depth <= 0 && k > 0) continue;
          const std::int64_t group = u / items;
          MatrixProduct m;
          m.rows = item.rows, m.columns = std::min(strip, end - j), m.depth = std::min(deep, depth);
          m.a_row = item.a_row, m.c_row = item.c_row, m.b_column = m.c_column = 1;
          m.a_at = list.a_at.data() + k, m.b_at = list.b_at.data() + k;
          own_.as_they_lie(m, a + group * groups_.lhs + item.a, b + group * groups_.rhs + j,
                           c + group * groups_.out + item.c + j, k > 0);
        }
  }
  const List& list_of(std::int64_t item) const { return products_.lists[products_.items[at(item)].list]; }

  const MatrixLoops<T> own_ = matrix_loops<T>();
  const Dtype operands_, result_;
  const Operands arrays_;
  const ProductList products_;
  const Groups groups_;
  const std::int64_t columns_;
  std::int64_t work_ = 0;
  HeldBytes held_;  // of the lists, which may be long
};

}  // namespace

std::unique_ptr<Kernel> convolution_kernel(const ProgramData& program, const Equation& e) {
  const auto& p = e.params.as<ops::Convolution>();
  const Type &lhs_type = program.type(e.inputs[0]), &rhs_type = program.type(e.inputs[1]),
             &out_type = program.type(e.outputs[0]);
  const Dtype from = lhs_type.dtype, to = out_type.dtype;
  if (!is_real_floating(from) || out_type.size() == 0) return nullptr;
  const Dtype dtype = from == Dtype::f64 || to == Dtype::f64 ? Dtype::f64 : Dtype::f32;
  const auto is_dense = [](const Type& t, std::int64_t axis) {
    std::int64_t inner = 1;
    for (auto i = at(axis) + 1; i < t.shape.size(); ++i) inner *= t.shape[i];
    return inner == 1;
  };
  const std::size_t n = p.strides.size();
  std::vector<std::size_t> features_last = {0}, window_first;
  for (std::size_t d = 0; d < n; ++d) features_last.push_back(d + 2), window_first.push_back(d + 2);
  features_last.push_back(1), window_first.push_back(1), window_first.push_back(0);
  Operands arrays = {operand(lhs_type, p.lhs, from != dtype, features_last),
                     operand(rhs_type, p.rhs, from != dtype || !is_dense(rhs_type, p.rhs[0]), window_first),
                     operand(out_type, p.out, to != dtype || !is_dense(out_type, p.out[1]), features_last)};
  const Operand &lhs = arrays.lhs, &rhs = arrays.rhs, &out = arrays.out;
  std::vector<std::vector<Stretch>> axes;
  for (std::size_t d = 0; d < n; ++d) {
    axes.push_back(
        stretches({lhs.extents[d + 2], rhs.extents[d + 2], out.extents[d + 2], p.strides[d], p.padding[2 * d],
                   p.lhs_dilation[d], p.rhs_dilation[d], p.window_reversal[d] != 0}));
    if (axes.back().empty()) return nullptr;
  }
  const std::int64_t groups = std::max(p.feature_group_count, p.batch_group_count),
                     columns = out.extents[1] / groups, features = rhs.extents[1];
  const std::int64_t lhs_group =
      p.batch_group_count > 1 ? out.extents[0] * lhs.strides[0] : features * lhs.strides[1];
  ProductList products;
  if (!products.make(axes, arrays)) return nullptr;
  const auto make = [&]<class T>(Tag<T>) -> std::unique_ptr<Kernel> {
    const typename Convolution<T>::Groups each{groups, lhs_group, columns * rhs.strides[0],
                                               columns * out.strides[1]};
    return std::make_unique<Convolution<T>>(from, to, std::move(arrays), std::move(products), each);
  };
  return dtype == Dtype::f64 ? make(Tag<double>()) : make(Tag<float>());
}

}  // namespace baton::cpu
