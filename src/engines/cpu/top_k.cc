// top_k: places by the complement of their keys, so that the largest come first and of equals the first; all
// of them by radix, or only the first few in a heap.
#include "engines/cpu/kernels.h"
#include "engines/cpu/radix_sort.h"
#include "ops/order.h"

namespace baton::cpu {
namespace {

template <class T>
class TopKKernel final : public Kernel {
 public:
  TopKKernel(const Type& operand, std::int64_t k)
      : lanes_(operand.shape, operand.rank() - 1), k_(k), few_(k <= lanes_.extent / 8) {}
  std::int64_t scratch() const override { return slots().scratch(); }
  bool in_place(std::size_t, std::size_t) const override { return false; }
  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    if (k_ == 0) return;
    constexpr double each = 10;  // nanoseconds of an element
    slots().run(each * static_cast<double>(lanes_.count * lanes_.extent), scratch, workers,
                [&](std::int64_t lane, char* slot) {
                  const T* const from = static_cast<const T*>(in[0]) + lane * lanes_.extent;
                  const Item* const items = first_of(from, slot);
                  T* const values = static_cast<T*>(out[0]) + lane * k_;
                  std::int32_t* const places = static_cast<std::int32_t*>(out[1]) + lane * k_;
                  for (std::int64_t i = 0; i < k_; ++i) {
                    values[i] = from[items[i].index];
                    places[i] = static_cast<std::int32_t>(items[i].index);
                  }
                });
  }

 private:
  using Key = Unsigned<sizeof(T)>;
  using Item = Keyed<Key>;

  RadixRoom room() const { return {lanes_.extent, sizeof(Item)}; }
  Slots slots() const { return {lanes_.count, few_ ? room().items_bytes : room().bytes()}; }

  /// The items of a lane, of which the first k are in order.
  const Item* first_of(const T* from, char* slot) const {
    Item* const items = room().template items<Item>(slot);
    for (std::int64_t i = 0; i < lanes_.extent; ++i)
      items[i] = {static_cast<Key>(~sort_key(from[i])), static_cast<std::uint32_t>(i)};
    if (few_) {
      std::partial_sort(items, items + k_, items + lanes_.extent, [](const Item& a, const Item& b) {
        return a.order < b.order || (a.order == b.order && a.index < b.index);
      });
      return items;
    }
    Alone alone;
    return radix_sort(items, room().template other_items<Item>(slot), lanes_.extent, sizeof(T),
                      room().counts(slot), alone);
  }

  const Lanes lanes_;
  const std::int64_t k_;
  const bool few_;
};

}  // namespace

std::unique_ptr<Kernel> top_k_kernel(const ProgramData& p, const Equation& e) {
  std::unique_ptr<Kernel> kernel;
  const Type& operand = p.type(e.inputs[0]);
  if (operand.shape.back() > std::numeric_limits<std::int32_t>::max()) return kernel;
  with_type(operand.dtype, [&]<class T>(Tag<T>) {
    if constexpr (!is_complex_v<T> && !std::is_same_v<T, bool>)
      kernel = std::make_unique<TopKKernel<T>>(operand, e.params.as<ops::TopK>().k);
  });
  return kernel;
}

}  // namespace baton::cpu
