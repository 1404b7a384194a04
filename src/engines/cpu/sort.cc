// sort: lane by lane, by radix (radix_sort.h). One operand is sorted as it lies; of several, or of complex
// numbers, places are sorted, by the least important key first, and then all operands follow.
#include <cstring>

#include "engines/cpu/kernels.h"
#include "engines/cpu/radix_sort.h"
#include "ops/order.h"

namespace baton::cpu {
namespace {

using ops::at;

/// Calls f(Tag<T>{}) with the element type, or its parts' of a complex one.
template <class F>
void with_key_type(Dtype d, F&& f) {
  with_type(is_complex(d) ? real_of(d) : d, [&]<class T>(Tag<T> tag) {
    if constexpr (!is_complex_v<T>) f(tag);
  });
}

class SortKernel : public Kernel {
 public:
  SortKernel(const ProgramData& p, const Equation& e, std::int64_t dimension)
      : lanes_(p.type(e.inputs[0]).shape, dimension) {
    for (Var v : e.inputs) dtypes_.push_back(p.type(v).dtype);
  }
  std::int64_t scratch() const override { return slots().scratch(); }
  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    if (lanes_.count < workers.count()) {  // threads share the one lane
      for (std::int64_t lane = 0; lane < lanes_.count; ++lane)
        sort_lane(in, out, lanes_.start(lane), static_cast<char*>(scratch), workers);
      return;
    }
    constexpr double each = 10;  // nanoseconds of an element
    slots().run(each * static_cast<double>(lanes_.count * lanes_.extent), scratch, workers,
                [&](std::int64_t lane, char* slot) {
                  Alone alone;
                  sort_lane(in, out, lanes_.start(lane), slot, alone);
                });
  }

 protected:
  virtual std::int64_t item_bytes() const = 0;
  virtual void sort_lane(void* const* in, void* const* out, std::int64_t start, char* slot,
                         Workers& workers) const = 0;

  RadixRoom room() const { return {lanes_.extent, item_bytes()}; }
  Slots slots() const { return {lanes_.count, room().bytes()}; }
  template <class Item>
  Item* sort_items(char* slot, Item* items, int key_bytes, Workers& workers) const {
    Item* const first = room().items<Item>(slot);
    Item* const second = room().other_items<Item>(slot);
    return radix_sort(items, items == first ? second : first, lanes_.extent, key_bytes, room().counts(slot),
                      workers);
  }

  const Lanes lanes_;
  std::vector<Dtype> dtypes_;
};

/// One operand that is its own key.
class SortElements final : public SortKernel {
 public:
  using SortKernel::SortKernel;
  bool in_place(std::size_t, std::size_t) const override { return true; }

 protected:
  std::int64_t item_bytes() const override { return static_cast<std::int64_t>(size_of(dtypes_[0])); }
  void sort_lane(void* const* in, void* const* out, std::int64_t start, char* slot,
                 Workers& workers) const override {
    with_key_type(dtypes_[0], [&]<class T>(Tag<T>) {
      const T* const from = static_cast<const T*>(in[0]) + start;
      T* const to = static_cast<T*>(out[0]) + start;
      auto* items = reinterpret_cast<Element<T>*>(slot);
      for (std::int64_t i = 0; i < lanes_.extent; ++i) items[i].value = from[i * lanes_.step];
      items = sort_items(slot, items, sizeof(T), workers);
      for (std::int64_t i = 0; i < lanes_.extent; ++i) to[i * lanes_.step] = items[i].value;
    });
  }
};

/// Places, by the keys of the first operands.
template <class Key>
class SortPlaces final : public SortKernel {
 public:
  SortPlaces(const ProgramData& p, const Equation& e, const ops::Sort& s)
      : SortKernel(p, e, s.dimension), keys_(at(s.num_keys)) {}
  bool in_place(std::size_t, std::size_t) const override { return false; }

 protected:
  using Item = Keyed<Key>;
  std::int64_t item_bytes() const override { return sizeof(Item); }
  void sort_lane(void* const* in, void* const* out, std::int64_t start, char* slot,
                 Workers& workers) const override {
    Item* items = reinterpret_cast<Item*>(slot);
    for (std::int64_t i = 0; i < lanes_.extent; ++i) items[i].index = static_cast<std::uint32_t>(i);
    for (std::size_t key = keys_; key-- > 0;)
      with_key_type(dtypes_[key], [&]<class T>(Tag<T>) {
        const std::int64_t parts = is_complex(dtypes_[key]) ? 2 : 1;  // the imaginary one first
        for (std::int64_t part = parts - 1; part >= 0; --part) {
          const T* const from = static_cast<const T*>(in[key]) + start * parts + part;
          for (std::int64_t i = 0; i < lanes_.extent; ++i)
            items[i].order = sort_key(from[items[i].index * lanes_.step * parts]);
          items = sort_items(slot, items, sizeof(T), workers);
        }
      });
    for (std::size_t operand = 0; operand < dtypes_.size(); ++operand)
      with_type(dtypes_[operand], [&]<class T>(Tag<T>) {
        const T* const from = static_cast<const T*>(in[operand]) + start;
        T* const to = static_cast<T*>(out[operand]) + start;
        for (std::int64_t i = 0; i < lanes_.extent; ++i)
          to[i * lanes_.step] = from[items[i].index * lanes_.step];
      });
  }

 private:
  const std::size_t keys_;
};

}  // namespace

std::unique_ptr<Kernel> sort_kernel(const ProgramData& p, const Equation& e) {
  const auto& s = e.params.as<ops::Sort>();
  const Type& first = p.type(e.inputs[0]);
  if (first.shape[at(s.dimension)] > std::int64_t{std::numeric_limits<std::uint32_t>::max()}) return nullptr;
  if (e.inputs.size() == 1 && !is_complex(first.dtype))
    return std::make_unique<SortElements>(p, e, s.dimension);
  const bool short_keys = std::all_of(e.inputs.begin(), e.inputs.begin() + s.num_keys, [&](Var v) {
    const Dtype d = p.type(v).dtype;
    return size_of(d) <= (is_complex(d) ? 8 : 4);
  });
  if (short_keys) return std::make_unique<SortPlaces<std::uint32_t>>(p, e, s);
  return std::make_unique<SortPlaces<std::uint64_t>>(p, e, s);
}

}  // namespace baton::cpu
