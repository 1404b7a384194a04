// window_element: places outside of the operand, and in the holes of dilation, are not read.
#include "ops/window_element.h"

namespace baton::ops {
namespace {

constexpr double most_places = 65536;  // of one window; more are left to the reference

bool walkable(const Windows& p) {
  double places = 1;
  for (std::size_t i = 0; i < p.dimensions.size(); ++i) {
    places *= static_cast<double>(p.dimensions[i]);
    for (std::int64_t n : {p.strides[i], p.low[i], p.high[i], p.base_dilation[i], p.window_dilation[i]})
      if (std::abs(n) > (std::int64_t{1} << 31)) return false;
  }
  return places <= most_places;
}

/// Where place k of the window at `window` lies in the operand, and the condition that it does.
struct Place {
  std::vector<Position> at;
  Scalar inside;
};
Place place_in(ElementWriter& w, const Shape& operand, const Windows& p, Positions window, Positions k) {
  Place place;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const Position spread = window[i] * p.strides[i] + k[i] * p.window_dilation[i] - Position(p.low[i]);
    const std::int64_t hole = p.base_dilation[i];
    place.inside =
        both(place.inside, within(w, spread, 0, operand[i] == 0 ? 0 : (operand[i] - 1) * hole + 1));
    if (hole > 1)
      place.inside = both(place.inside, compare(Do::eq, w.count(spread % hole), w.integer(s64, 0)));
    place.at.push_back(spread / hole);
  }
  return place;
}

}  // namespace

Scalar window_element(ElementWriter& w, Positions at, const Windows& p, Do how, Scalar start) {
  if (!walkable(p)) return {};
  const Scalar starts[] = {start};
  const Shape operand = w.operand_type(0).shape;
  const auto element = [&](Positions k) {
    const Place place = place_in(w, operand, p, at, k);
    return std::vector<Scalar>{where(
        w, place.inside, [&] { return w.operand(0, place.at); }, [&] { return start; })};
  };
  const auto combine = [&](std::span<const Scalar> x, std::span<const Scalar> y) {
    return std::vector<Scalar>{emit(how, x[0], y[0])};
  };
  return w.fold({p.dimensions, starts, false, element, combine})[0];
}

/// Each window that covers the element is walked through to see which of its elements is the first chosen
/// one.
Scalar scattered_element(ElementWriter& w, Positions at, const SelectWindows& p) {
  if (!walkable(p)) return {};
  const Shape operand = w.operand_type(1).shape, windows = w.operand_type(0).shape;
  Shape covering;  // windows that may cover one element, along each axis
  for (std::size_t i = 0; i < operand.size(); ++i)
    covering.push_back((p.dimensions[i] + p.strides[i] - 1) / p.strides[i]);
  const Dtype d = w.operand_type(0).dtype;
  const Scalar zero = is_inexact(d) ? w.number(d, 0) : w.integer(d, 0), none = w.integer(s32, -1);
  const Scalar starts[] = {zero};
  const auto from_window = [&](Positions back) {
    std::vector<Position> window, own;
    Scalar covers;
    for (std::size_t i = 0; i < operand.size(); ++i) {
      const Position padded = at[i] + p.low[i];
      window.push_back(padded / p.strides[i] - back[i]);
      own.push_back(padded - window[i] * p.strides[i]);
      covers = both(covers, both(within(w, window[i], 0, windows[i]), within(w, own[i], 0, p.dimensions[i])));
    }
    const auto given = [&] {
      const Scalar first[] = {w.operand(1, at), none};
      const auto candidate = [&](Positions k) {
        const Place place = place_in(w, operand, p, window, k);
        const Scalar number = w.count(flat(k, p.dimensions), s32);
        return std::vector<Scalar>{
            where(
                w, place.inside, [&] { return w.operand(1, place.at); }, [&] { return first[0]; }),
            place.inside.empty() ? number : select(place.inside, number, none)};
      };
      const auto better = [&](std::span<const Scalar> standing, std::span<const Scalar> next) {
        const Scalar nobody = w.integer(s32, 0);
        const Scalar keeps = compare(p.select_max ? Do::ge : Do::le, standing[0], next[0]);
        const Scalar stands = compare(Do::ge, standing[1], nobody) & keeps;
        const Scalar stays = stands | compare(Do::lt, next[1], nobody);
        return std::vector<Scalar>{select(stays, standing[0], next[0]), select(stays, standing[1], next[1])};
      };
      const Scalar chosen = w.fold({p.dimensions, first, false, candidate, better})[1];
      const Scalar mine = compare(Do::eq, chosen, w.count(flat(own, p.dimensions), s32));
      return select(mine, w.operand(0, window), zero);
    };
    return std::vector<Scalar>{where(w, covers, given, [&] { return zero; })};
  };
  const auto sum = [&](std::span<const Scalar> x, std::span<const Scalar> y) {
    return std::vector<Scalar>{x[0] + y[0]};
  };
  return w.fold({covering, starts, false, from_window, sum})[0];
}

}  // namespace baton::ops
