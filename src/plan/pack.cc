// pack: each greedy order puts one lifetime after the other at the lowest offset that is free while it lives.
// The order is then improved: what stands highest goes first, as long as that helps.
#include "plan/pack.h"

#include <algorithm>
#include <numeric>

namespace baton {
namespace {

using Order = std::vector<std::size_t>;

constexpr std::size_t improvements = 40;        // rounds for each order at most; each is one greedy packing
constexpr std::size_t comparisons = 5'000'000;  // in all rounds of an order, about

bool meet(const Lifetime& a, const Lifetime& b) { return a.lower < b.upper && b.lower < a.upper; }

Packing place_in(const Order& order, std::span<const Lifetime> lifetimes) {
  Packing packing{std::vector<std::int64_t>(lifetimes.size()), 0};
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;  // offsets of what lives at the same time
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Lifetime& now = lifetimes[order[n]];
    taken.clear();
    for (std::size_t m = 0; m < n; ++m) {
      const Lifetime& other = lifetimes[order[m]];
      if (other.size && meet(now, other))
        taken.emplace_back(packing.offsets[order[m]], packing.offsets[order[m]] + other.size);
    }
    std::sort(taken.begin(), taken.end());
    std::int64_t offset = 0;
    for (const auto& [from, to] : taken) {
      if (from - offset >= now.size) break;
      offset = std::max(offset, to);
    }
    packing.offsets[order[n]] = offset;
    packing.capacity = std::max(packing.capacity, offset + now.size);
  }
  return packing;
}

/// What ends at the top of the packing goes to the front, again and again.
Packing improved(Order order, std::span<const Lifetime> lifetimes, std::int64_t bound) {
  Packing best = place_in(order, lifetimes);
  Packing now = best;
  const std::size_t rounds =
      std::min(improvements, comparisons / (lifetimes.size() * lifetimes.size() + 1) + 1);
  for (std::size_t round = 0; round < rounds && best.capacity > bound; ++round) {
    const auto top = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
      return lifetimes[i].size && now.offsets[i] + lifetimes[i].size == now.capacity;
    });
    if (top == order.begin()) break;
    std::rotate(order.begin(), top, top + 1);
    now = place_in(order, lifetimes);
    if (now.capacity < best.capacity) best = now;
  }
  return best;
}

}  // namespace

std::int64_t peak_of(std::span<const Lifetime> lifetimes) {
  std::vector<std::pair<int, std::int64_t>> changes;
  for (const Lifetime& l : lifetimes)
    if (l.lower < l.upper) changes.insert(changes.end(), {{l.lower, l.size}, {l.upper, -l.size}});
  std::sort(changes.begin(), changes.end());  // at one time, ends come before beginnings
  std::int64_t now = 0, peak = 0;
  for (const auto& [time, bytes] : changes) peak = std::max(peak, now += bytes);
  return peak;
}

Packing pack(std::span<const Lifetime> lifetimes) {
  const std::int64_t bound = peak_of(lifetimes);
  const auto area = [](const Lifetime& l) { return l.size * (l.upper - l.lower); };
  const auto length = [](const Lifetime& l) { return l.upper - l.lower; };
  const auto sorted = [&](auto before) {
    Order order(lifetimes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before(lifetimes[a], lifetimes[b]); });
    return order;
  };
  using L = const Lifetime&;
  const Order orders[] = {
      sorted([](L a, L b) { return a.size > b.size; }), sorted([&](L a, L b) { return area(a) > area(b); }),
      sorted([&](L a, L b) { return length(a) != length(b) ? length(a) > length(b) : a.size > b.size; }),
      sorted([](L a, L b) { return a.lower != b.lower ? a.lower < b.lower : a.size > b.size; })};
  Packing best = improved(orders[0], lifetimes, bound);
  for (std::size_t i = 1; i < std::size(orders) && best.capacity > bound; ++i)
    if (Packing other = improved(orders[i], lifetimes, bound); other.capacity < best.capacity)
      best = std::move(other);
  return best;
}

}  // namespace baton
