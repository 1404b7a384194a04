// element_coder: a rule runs with this as its writer; what it asks of its operands runs the rules of their
// makers in turn. Positions stay sums of loop variables until memory is read.
#include "engines/cpu/element_coder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "engines/cpu/code/complex.h"
#include "engines/cpu/code/functions.h"

namespace baton::cpu {
namespace {

constexpr std::int64_t most_in_turn = 8;  // elements of a fold that are written out without a loop

std::int64_t count_of(std::span<const std::int64_t> extents) {
  std::int64_t n = 1;
  for (std::int64_t e : extents) n *= e;
  return n;
}

bool same(std::span<const Position> x, std::span<const Position> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

}  // namespace

ElementCoder::ElementCoder(const ProgramData& p, std::vector<Var> kept)
    : p_(p), makers_(p.types.size()), known_(p.types.size()), kept_(p, c_, std::move(kept)) {
  for (const Equation& e : p.equations)
    for (std::size_t k = 0; k < e.outputs.size(); ++k)
      makers_[static_cast<std::size_t>(e.outputs[k])] = {&e, k};
}

ElementCoder::Tail::Tail(ElementCoder& e, int count) : e_(e), before_(e.tail_) {
  Coder& c = e.c_;
  e.tail_ =
      count == 0 ? -1 : c.emit(Do::lt, boolean, {c.emit(Do::lane, s32, true), c.integer(count, s32), -1});
}

ElementCoder::Tail::Tail(ElementCoder& e, const Position& begin, std::int64_t end) : e_(e), before_(e.tail_) {
  Coder& c = e.c_;
  const int left = c.emit(Do::convert, s32,
                          {c.emit(Do::sub, s64, {c.integer(end), e.positions_.scalar(begin), -1}), -1, -1});
  e.tail_ = c.emit(Do::lt, boolean, {c.emit(Do::lane, s32, true), left, -1});
}

// ---- elements

int ElementCoder::widened(int loaded, Dtype d) {
  if (d == f16) return c_.emit(Do::convert, f32, {loaded, -1, -1});
  if (d != bf16) return loaded;
  const int bits = c_.emit(Do::convert, u32, {loaded, -1, -1});
  return c_.emit(Do::bits, f32, {c_.emit(Do::shift_left, u32, {bits, c_.integer(16, u32), -1}), -1, -1});
}

/// To nearest, ties to even; NaN stays NaN.
int ElementCoder::rounded(int value, Dtype d) {
  if (d == f16) return widened(c_.emit(Do::convert, f16, {value, -1, -1}), f16);
  if (d != bf16) return value;
  const auto k = [&](std::int64_t v) { return c_.integer(v, u32); };
  const int bits = c_.emit(Do::bits, u32, {value, -1, -1});
  const int odd =
      c_.emit(Do::bit_and, u32, {c_.emit(Do::shift_right_logical, u32, {bits, k(16), -1}), k(1), -1});
  const int up = c_.emit(Do::add, u32, {bits, c_.emit(Do::add, u32, {odd, k(0x7fff), -1}), -1});
  const int number = c_.emit(Do::eq, boolean, {value, value, -1});
  const int quiet = c_.emit(Do::bit_or, u32, {bits, k(0x400000), -1});
  const int kept =
      c_.emit(Do::bit_and, u32, {c_.emit(Do::select, u32, {number, up, quiet}), k(0xffff0000), -1});
  return c_.emit(Do::bits, f32, {kept, -1, -1});
}

int ElementCoder::stored(Scalar element, Dtype d) {
  const int value = element.value;
  if (is_complex(d)) return c_.emit(Do::join, d, {value, element.imaginary, -1});
  if (d == f16) return c_.emit(Do::convert, f16, {value, -1, -1});
  if (d != bf16) return value;
  const int bits = c_.emit(Do::bits, u32, {value, -1, -1});
  return c_.emit(Do::convert, u16,
                 {c_.emit(Do::shift_right_logical, u32, {bits, c_.integer(16, u32), -1}), -1, -1});
}

Scalar ElementCoder::loaded(int value, Dtype d) {
  if (!is_complex(d)) return handle(widened(value, d));
  const auto part = [&](std::int64_t which) { return c_.emit(Do::part, real_of(d), {value, -1, -1}, which); };
  return {this, part(0), part(1)};
}

/// The bytes to the next row, if this is the second loop along one: in the first it came from far away, now
/// the next one may come while there is something to compute. 0: nothing to fetch.
std::int64_t ElementCoder::next_row(int input, const Position& at, int index) const {
  constexpr std::int64_t most_bytes = 16 << 10;  // of a row: they stay near until then
  const Position::Term *lane = nullptr, *row = nullptr;
  for (const Position::Term& t : at.terms()) {
    const Position atom = Position::atom(1, t.atom);
    if (positions_.is_wide(atom))
      lane = &t;
    else if (positions_.level(atom) == c_.depth() - 1)
      row = &t;
  }
  if (!lane || !row || row->atom->kind != Atom::Kind::variable || row->factor < 0) return 0;
  const auto bytes_of = [&](std::int64_t elements) {
    return elements * static_cast<std::int64_t>(size_of(p_.type(input).dtype));
  };
  if (bytes_of(lane->atom->range.high + 1) > most_bytes) return 0;
  const Position others = at - Position::atom(1, lane->atom);
  const std::vector<int> here = c_.loops_around(index);
  std::set<std::vector<int>> before;  // loops along the same row
  for (const Read& r : reads_) {
    if (r.input != input || r.loops.size() != here.size() || r.loops == here) continue;
    const Position rest = r.at - others;
    if (rest.constant() == 0 && rest.terms().size() == 1 && rest.terms()[0].factor == 1 &&
        positions_.is_wide(rest))
      before.insert(r.loops);
  }
  return before.size() == 1 ? bytes_of(row->factor) : 0;
}

/// Along lanes that lie side by side one load; else one scalar, or a gather.
Scalar ElementCoder::load(int input, const Position& at) {
  const Type& type = p_.type(input);
  const Dtype d = type.dtype == bf16 ? u16 : type.dtype;
  if (type.size() == 0) return emit(Do::convert, type.dtype, integer(u8, 0), {}, {});
  const auto read = [&](int value) {
    reads_.push_back({input, at, value, c_.loops_around(value)});
    return loaded(value, type.dtype);
  };
  const int pointer = c_.pointer(input, d);
  const bool wide_guard = guard_ >= 0 && c_.at(guard_).wide;
  if (!positions_.is_wide(at) && !wide_guard) {
    int index = positions_.scalar(at);
    if (guard_ >= 0)
      index = c_.emit(Do::select, s64, {guard_, index, c_.integer(0)});  // a place that there is
    return read(c_.emit(Do::load, d, false, {pointer, index, -1}));
  }
  int mask = guard_ < 0 ? tail_ : c_.wide(guard_);
  if (guard_ >= 0 && tail_ >= 0) mask = c_.emit(Do::bit_and, boolean, {mask, tail_, -1});
  bool in_a_row = true;  // the wide variable once, and nothing else wide
  std::int64_t factor = 0;
  for (const Position::Term& t : at.terms()) {
    if (!positions_.is_wide(Position::atom(1, t.atom))) continue;
    in_a_row = in_a_row && t.atom->kind == Atom::Kind::variable;
    factor += t.factor;
  }
  if (!in_a_row || factor != 1)
    return read(c_.emit(Do::gather, d, true, {pointer, positions_.vector(at, s64), mask}));
  const int index = positions_.scalar(at);
  return read(c_.emit(Do::load, d, true, {pointer, index, mask}, next_row(input, at, index)));
}

Scalar ElementCoder::element(Var v, std::span<const Position> at) {
  if (p_.is_literal(v)) {
    const Literal& l = p_.literal(v);
    return literal(l.dtype, l.bytes);
  }
  const bool wide =
      std::any_of(at.begin(), at.end(), [&](const Position& x) { return positions_.is_wide(x); });
  const int tail = wide || (guard_ >= 0 && c_.at(guard_).wide) ? tail_ : -1;
  auto& known = known_[static_cast<std::size_t>(v)];
  for (const Known& k : known)
    if (k.guard == guard_ && k.tail == tail && same(k.at, at)) return k.value;
  const Scalar value = p_.is_input(v) ? load(v, flat(at, p_.type(v).shape)) : made(v, at);
  known.push_back({std::vector<Position>(at.begin(), at.end()), guard_, tail, value});
  return value;
}

/// Nothing where memory may not be read for all lanes, or the element is no lane of a row.
std::optional<KeptRows::Element> ElementCoder::along_lanes(Var v, std::span<const Position> at) const {
  if (guard_ >= 0 || at.empty() || is_complex(p_.type(v).dtype)) return std::nullopt;
  const Position& last = at.back();
  const auto front = at.first(at.size() - 1);
  if (last.constant() != 0 || last.terms().size() != 1 || !positions_.is_wide(last)) return std::nullopt;
  const auto& [factor, atom] = last.terms()[0];
  if (factor != 1 || atom->kind != Atom::Kind::variable) return std::nullopt;
  if (std::any_of(front.begin(), front.end(), [&](const Position& x) { return positions_.is_wide(x); }))
    return std::nullopt;
  int depth = 0;
  for (const Position& x : front) depth = std::max(depth, positions_.level(x));
  return KeptRows::Element{v, front, atom->id, depth};
}

/// Made, unless a row that is kept has it.
Scalar ElementCoder::made(Var v, std::span<const Position> at) {
  const Maker& maker = makers_[static_cast<std::size_t>(v)];
  const std::optional<KeptRows::Element> e = along_lanes(v, at);
  if (!e) return make(maker, at);
  if (kept_.has(*e)) return handle(kept_.load(*e, positions_.scalar(at.back())));
  const KeptRows::Making making = kept_.begin(*e);
  const Scalar value = make(maker, at);
  kept_.end(making, *e);
  if (kept_.wants(*e)) kept_.store(*e, value.value, positions_.scalar(at.back()));
  return value;
}

Scalar ElementCoder::make(const Maker& m, std::span<const Position> at) {
  const Equation& e = *m.equation;
  if (!e.primitive->element) throw NotLoops{"an operation without a rule"};
  frames_.push_back({&e, at, e.outputs[m.result]});
  const Scalar value = e.primitive->element(*this, m.result, at, e.params);
  frames_.pop_back();
  const Dtype d = p_.type(e.outputs[m.result]).dtype;
  if (value.empty() || value.is_complex() != is_complex(d))
    throw NotLoops{"an operation without a rule for these dtypes"};
  return value.is_complex() ? value : handle(rounded(value.value, d));
}

const Type& ElementCoder::operand_type(std::size_t which) const {
  return p_.type(frames_.back().equation->inputs[which]);
}
const Type& ElementCoder::result_type(std::size_t which) const {
  return p_.type(frames_.back().equation->outputs[which]);
}
Scalar ElementCoder::operand(std::size_t which, std::span<const Position> at) {
  return element(frames_.back().equation->inputs[which], at);
}

Scalar ElementCoder::number(Dtype d, double value) {
  if (is_complex(d)) return complex(number(real_of(d), value), number(real_of(d), 0));
  return handle(c_.constant(computed_as(d), value));
}
Scalar ElementCoder::integer(Dtype d, std::int64_t value) { return handle(c_.integer(value, d)); }

Scalar ElementCoder::literal(Dtype d, const void* bytes) {
  if (is_complex(d)) {
    const Dtype part = real_of(d);
    return complex(literal(part, bytes), literal(part, static_cast<const char*>(bytes) + size_of(part)));
  }
  std::int64_t bits = 0;
  std::memcpy(&bits, bytes, size_of(d));
  return handle(widened(c_.integer(bits, d == bf16 ? u16 : d), d));
}

Scalar ElementCoder::count(const Position& x, Dtype d) {
  if (is_complex(d)) return complex(count(x, real_of(d)), number(real_of(d), 0));
  counts_.push_back(x);
  const bool whole = !is_inexact(d);
  if (positions_.is_wide(x)) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const int v = positions_.vector(x, whole ? d : x.range().within(-most, most) ? s32 : s64);
    return handle(whole ? v : c_.emit(Do::convert, computed_as(d), {v, -1, -1}));
  }
  const int v = positions_.scalar(x);
  return handle(d == s64 ? v : c_.emit(Do::convert, computed_as(d), {v, -1, -1}));
}

Position ElementCoder::position(Scalar x, Range range) {
  const int v = dtype(x) == s64 ? x.value : c_.emit(Do::convert, s64, {x.value, -1, -1});
  return Position::computed(v, range);
}

/// Those of f32 that have no code of their own are computed in f64 and rounded.
int ElementCoder::function(Do what, Dtype d, int x, int y) {
  if (d == f32) {
    if (const int value = function_of_f32(c_, what, x, y); value >= 0) return value;
    const auto wide = [&](int v) { return v < 0 ? -1 : c_.emit(Do::convert, f64, {v, -1, -1}); };
    return c_.emit(Do::convert, f32, {c_.emit(what, f64, {wide(x), wide(y), -1}), -1, -1});
  }
  return c_.emit(what, d, {x, y, -1});
}

Scalar ElementCoder::emit(Do what, Dtype d, Scalar x, Scalar y, Scalar z) {
  d = computed_as(d);
  if (what == Do::select && y.is_complex())
    return complex(select(x, y.real(), z.real()), select(x, y.imag(), z.imag()));
  if (is_complex(d) || x.is_complex()) {
    const Pair value = complex_value(c_, what, d, {x.value, x.imaginary}, {y.value, y.imaginary});
    if (value.real < 0) throw NotLoops{"an operation without code for complex numbers"};
    return {this, value.real, value.imaginary};
  }
  if (is_function(what)) return handle(function(what, d, x.value, y.value));
  if (what == Do::convert && dtype(x) == d) return x;
  return handle(c_.emit(what, d, {x.value, y.value, z.value}));
}

Scalar ElementCoder::guarded(Scalar condition, FunctionRef<Scalar()> inside, Scalar otherwise) {
  const int before = guard_;
  guard_ = before < 0 ? condition.value : c_.emit(Do::bit_and, boolean, {before, condition.value, -1});
  const Scalar value = inside();
  guard_ = before;
  return select(condition, value, otherwise);
}

// ---- folds

namespace {
/// All values, of complex numbers both.
std::vector<int> values_of(std::span<const Scalar> all) {
  std::vector<int> values;
  for (const Scalar& s : all) {
    values.push_back(s.value);
    if (s.is_complex()) values.push_back(s.imaginary);
  }
  return values;
}
}  // namespace

std::vector<Scalar> ElementCoder::fold(const Fold& f) {
  if (count_of(f.extents) == 0) return {f.start.begin(), f.start.end()};
  int depth = c_.level(guard_);
  bool wide = guard_ >= 0 && c_.at(guard_).wide;
  for (const Position& i : frames_.back().at)
    depth = std::max(depth, positions_.level(i)), wide = wide || positions_.is_wide(i);
  for (int v : values_of(f.start)) depth = std::max(depth, c_.level(v));
  const Coder::Outside outside(c_, depth);
  if (wide && !f.along_lanes) return fold_in_turn(f, true);
  if (wide) throw NotLoops{"a sum along lanes inside lanes"};
  const Tail all(*this, 0);  // what does not depend on the lane is read for one that is on
  if (!f.along_lanes) return fold_in_turn(f, false);
  kept_by_lanes_.insert(kept_by_lanes_.end(), frames_.back().at.begin(), frames_.back().at.end());
  return fold_along_lanes(f);
}

/// Element after element, row-major.
std::vector<Scalar> ElementCoder::fold_in_turn(const Fold& f, bool wide) {
  std::vector<Scalar> sum(f.start.begin(), f.start.end());
  if (count_of(f.extents) <= most_in_turn) {
    const std::vector<std::int64_t> extents(f.extents.begin(), f.extents.end());
    for (std::int64_t i = 0; i < count_of(extents); ++i) {
      std::vector<Position> at(extents.size());
      std::int64_t left = i;
      for (std::size_t k = extents.size(); k-- > 0; left /= extents[k]) at[k] = left % extents[k];
      sum = f.combine(sum, f.at(at));
    }
    return sum;
  }
  std::vector<int> chain = values_of(f.start);
  if (wide) chain = in_lanes(chain), longest_column_ = std::max(longest_column_, count_of(f.extents));
  std::vector<Position> at;
  const int opened = open_loops(f.extents, at, chain);
  chain = values_of(f.combine(handles(chain, f.start), f.at(at)));
  if (wide) chain = in_lanes(chain);
  return handles(close_loops(opened, chain), f.start);
}

/// One loop for each extent that is not 1, the chain carried through all of them. How many.
int ElementCoder::open_loops(std::span<const std::int64_t> extents, std::vector<Position>& at,
                             std::vector<int>& chain) {
  int opened = 0;
  for (std::int64_t extent : extents) {
    if (extent == 1) {
      at.emplace_back(0);
      continue;
    }
    const Coder::Opened loop = c_.open(c_.integer(0), c_.integer(extent), 1, chain);
    at.push_back(positions_.variable({0, extent - 1}, loop.variable, false));
    chain = loop.inside, ++opened;
  }
  return opened;
}
std::vector<int> ElementCoder::close_loops(int opened, std::vector<int> chain) {
  for (; opened > 0; --opened) chain = c_.close(chain);
  return chain;
}
std::vector<Scalar> ElementCoder::handles(const std::vector<int>& values, std::span<const Scalar> alike) {
  std::vector<Scalar> all;
  std::size_t next = 0;
  for (const Scalar& s : alike) {
    const int value = values[next++];
    all.push_back({this, value, s.is_complex() ? values[next++] : -1});
  }
  return all;
}
std::vector<int> ElementCoder::in_lanes(std::vector<int> values) {
  for (int& v : values) v = c_.wide(v);
  return values;
}

/// Sixteen chains along the last extent, combined in pairs at the end.
std::vector<Scalar> ElementCoder::fold_along_lanes(const Fold& f) {
  const std::int64_t n = f.extents.back(), whole = n / lanes * lanes;
  crosses_lanes_ = true;
  KeptRows::Sum sum(kept_);
  const bool keeps = count_of(f.extents) == n && n % lanes != 1;  // a tail of one element has no lanes
  const std::int64_t row = keeps ? n : -1;
  std::vector<int> chain = in_lanes(values_of(f.start));
  std::vector<Position> at;
  const int opened = open_loops(f.extents.first(f.extents.size() - 1), at, chain);
  at.emplace_back(0);
  const auto step = [&](const std::vector<int>& before) {
    const std::vector<int> here = in_lanes(values_of(f.at(at)));
    return values_of(f.combine(handles(before, f.start), handles(here, f.start)));
  };
  if (whole > 0) {
    const Coder::Opened loop = c_.open(c_.integer(0), c_.integer(whole), lanes, chain);
    at.back() = positions_.variable({0, n - 1}, loop.variable, true);
    sum.along(positions_.last_variable(), row);
    chain = c_.close(step(loop.inside));
  }
  if (n % lanes) {
    const Tail tail(*this, static_cast<int>(n - whole));
    at.back() = positions_.variable({whole, n - 1}, c_.integer(whole), true);
    sum.along(positions_.last_variable(), row);
    const std::vector<int> combined = step(chain);
    for (std::size_t i = 0; i < chain.size(); ++i)
      chain[i] = c_.emit(Do::select, c_.at(chain[i]).dtype, {tail.mask(), combined[i], chain[i]});
  }
  chain = close_loops(opened, chain);
  for (int half = lanes / 2; half > 0; half /= 2) {
    std::vector<int> other = chain;
    for (int& v : other) v = c_.emit(Do::moved, c_.at(v).dtype, {v, -1, -1}, half);
    chain = values_of(f.combine(handles(chain, f.start), handles(other, f.start)));
  }
  const Frame& asked = frames_.back();
  if (guard_ < 0) sums_.push_back({asked.v, {asked.at.begin(), asked.at.end()}});
  for (int& v : chain) v = c_.emit(Do::first, c_.at(v).dtype, false, {v, -1, -1});
  return handles(chain, f.start);
}

}  // namespace baton::cpu
