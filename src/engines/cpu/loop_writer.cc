// loop_writer: first each result is written plainly, one loop an axis, to see what is read where. Axes that
// all reads walk through together become one; axes that a sum along lanes keeps become rows. Then the code is
// written.
#include "engines/cpu/loop_writer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engines/cpu/element_coder.h"
#include "engines/cpu/in_place.h"
#include "engines/cpu/instructions.h"

namespace baton::cpu {
namespace {

constexpr double most_for_each_part = 4096;     // instructions outside of the loop that is shared out
constexpr std::int64_t long_column = 32;        // elements
constexpr std::int64_t few_elements = 1 << 16;  // that take less time than making code for their tail

std::int64_t count_of(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Shape without_ones(const Shape& shape) {
  Shape left;
  for (std::int64_t extent : shape)
    if (extent != 1) left.push_back(extent);
  return left;
}
/// Positions for the axes of `shape`, of those for its axes that are not of extent 1.
std::vector<Position> with_ones(const Shape& shape, std::span<const Position> at) {
  std::vector<Position> all;
  std::size_t next = 0;
  for (std::int64_t extent : shape) all.push_back(extent == 1 ? Position(0) : at[next++]);
  return all;
}

/// What the plain loops of the results read.
struct Survey {
  std::vector<std::vector<int>> axes;                // of each result: the variables of its axes
  std::vector<std::vector<Position>> walked;         // of each result: positions that are read or counted
  std::vector<std::vector<Position>> kept_by_lanes;  // of each result: where sums along lanes stand
};

Survey survey(const ProgramData& p) {
  Survey found;
  for (Var v : p.outputs) {
    ElementCoder e(p);
    Coder& c = e.coder();
    const Shape shape = without_ones(p.type(v).shape);
    std::vector<Position> at;
    std::vector<int> axes;
    for (std::int64_t extent : shape) {
      at.push_back(e.positions().variable({0, extent - 1},
                                          c.open(c.integer(0), c.integer(extent), 1).variable, false));
      axes.push_back(e.positions().last_variable());
    }
    e.element(v, with_ones(p.type(v).shape, at));
    std::vector<Position> walked = e.counts();
    for (const ElementCoder::Read& r : e.reads()) walked.push_back(r.at);
    found.axes.push_back(axes), found.walked.push_back(walked);
    found.kept_by_lanes.push_back(e.kept_by_lanes());
  }
  return found;
}

/// The axes of all results that become rows: those in front that a sum along lanes keeps.
Shape rows_of(const ProgramData& p, const Survey& s) {
  Shape rows;
  for (std::size_t o = 0; o < p.outputs.size(); ++o) {
    const Shape shape = without_ones(p.type(p.outputs[o]).shape);
    std::size_t kept = 0;
    for (const Position& at : s.kept_by_lanes[o])
      for (std::size_t i = 0; i < s.axes[o].size(); ++i)
        if (depends_on(at, s.axes[o][i])) kept = std::max(kept, i + 1);
    if (kept > rows.size()) rows.assign(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  for (Var v : p.outputs) {
    const Shape shape = without_ones(p.type(v).shape);
    if (shape.size() < rows.size() || !std::equal(rows.begin(), rows.end(), shape.begin()))
      throw NotLoops{"results of different rows"};
  }
  return rows;
}

/// The shape with axes joined that everything walks through as if they were one.
Shape joined_axes(const Shape& shape, const Survey& s) {
  Shape joined;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    bool apart = i == 0;
    for (std::size_t o = 0; o < s.axes.size() && !apart; ++o)
      for (const Position& at : s.walked[o]) {
        const int before = s.axes[o][i - 1], here = s.axes[o][i];
        apart = apart || divides(at, before) || divides(at, here) ||
                factor_of(at, before) != factor_of(at, here) * shape[i];
      }
    if (apart)
      joined.push_back(shape[i]);
    else
      joined.back() *= shape[i];
  }
  return joined;
}

/// Results that are written in one loop along lanes, or, of width 1, once for each row.
struct Part {
  std::vector<std::size_t> results;
  std::int64_t width = 1;
};

class LoopWriter {
 public:
  explicit LoopWriter(const ProgramData& p) : p_(p), e_(p), c_(e_.coder()) {}
  /// Keeps rows that the other one made again, or sums more columns side by side.
  LoopWriter(const ProgramData& p, const LoopWriter& other)
      : p_(p),
        e_(p, other.e_.made_again()),
        c_(e_.coder()),
        first_(other.e_.sums()),
        lanes_(other.columns_side_by_side()) {}

  bool makes_again() const { return !e_.made_again().empty(); }
  bool better_again() const { return makes_again() || columns_side_by_side() > lanes; }

  Loops write() {
    const Survey s = survey(p_);
    const Shape rows = rows_of(p_, s);
    if (rows.empty()) {
      const Shape shape = without_ones(p_.type(p_.outputs[0]).shape);
      for (Var v : p_.outputs)
        if (without_ones(p_.type(v).shape) != shape) throw NotLoops{"results of different shapes"};
      write_flat(shape, joined_axes(shape, s));
    } else {
      write_rows(rows);
    }
    Loops loops;
    loops.range = range_, loops.grain = grain_;
    loops.in_place = in_place();
    loops.code = c_.finish();
    loops.code.pointers = p_.input_count + static_cast<int>(p_.outputs.size());
    loops.code.lanes = lanes_;
    const double fixed = weigh(loops.code, loops.code.top, loops.work);
    if (range_ > grain_ && fixed > most_for_each_part) throw NotLoops{"too much work that all parts need"};
    loops.work += range_ > grain_ ? 0 : fixed;
    return loops;
  }

 private:
  /// Lanes of a vector. Long columns are summed four vectors side by side, so that each visit of a row reads
  /// what lies together in memory.
  int columns_side_by_side() const {
    constexpr int many = 4 * lanes;
    const bool pays = e_.longest_column() >= long_column && !e_.crosses_lanes() && narrowest_ >= many;
    return pays ? many : lanes;
  }
  Shape shape_of(std::size_t result) const { return p_.type(p_.outputs[result]).shape; }

  /// One loop over all elements, or over rows of the last axis.
  void write_flat(const Shape& shape, const Shape& joined) {
    std::vector<std::size_t> all(p_.outputs.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (joined.size() > 1) {
      const Shape outer(joined.begin(), joined.end() - 1);
      in_rows(count_of(outer), [&](const Position& row) {
        write_block({all, joined.back()}, [&](std::size_t, const Position& lane) {
          return unflat(row * joined.back() + lane, shape);
        });
      });
      return;
    }
    range_ = count_of(joined), grain_ = lanes_;
    ask_first();
    const int from = c_.emit(Do::from, s64, false), until = c_.emit(Do::until, s64, false);
    if (range_ == 1) {
      c_.open(from, until, 1);
      store_elements({all, 1}, [&](std::size_t) { return std::vector<Position>(shape.size()); });
      c_.close();
      return;
    }
    const auto at = [&](std::size_t, const Position& lane) { return unflat(lane, shape); };
    const Part block{all, range_};
    const std::int64_t whole = range_ / lanes_ * lanes_;
    if (masked_throughout(range_, range_))
      return along_lanes(block, {from, until, {0, range_ - 1}}, at, true);
    if (whole > 0) {
      // Without a tail the code knows no extent, so that one function serves updates of arrays of any size.
      const int to = whole == range_ ? until : c_.emit(Do::min, s64, {until, c_.integer(whole), -1});
      along_lanes(block, {from, to, {0, whole - 1}}, at);
    }
    if (whole < range_) along_lanes(block, {c_.integer(whole), until, {whole, range_ - 1}}, at, true);
  }

  /// For each row the results along its lanes, those of one shape together; then those of one element a row.
  void write_rows(const Shape& rows) {
    std::vector<Part> blocks;
    Part single;
    for (std::size_t o = 0; o < p_.outputs.size(); ++o) {
      const std::int64_t width = p_.type(p_.outputs[o]).size() / std::max<std::int64_t>(count_of(rows), 1);
      if (width == 1) {
        single.results.push_back(o);
        continue;
      }
      const auto same = std::find_if(blocks.begin(), blocks.end(), [&](const Part& b) {
        return without_ones(shape_of(b.results[0])) == without_ones(shape_of(o));
      });
      if (same == blocks.end())
        blocks.push_back({{o}, width});
      else
        same->results.push_back(o);
    }
    in_rows(count_of(rows), [&](const Position& row) {
      const std::vector<Position> front = unflat(row, rows);
      const auto at = [&](std::size_t result, const Position& lane) {
        const Shape shape = without_ones(shape_of(result));
        std::vector<Position> all = front;
        for (const Position& x : unflat(lane, std::span(shape).subspan(rows.size()))) all.push_back(x);
        return all;
      };
      for (const Part& b : blocks) write_block(b, at);
      if (!single.results.empty()) store_elements(single, [&](std::size_t) { return front; });
    });
  }

  template <class F>
  void in_rows(std::int64_t count, const F& body) {
    range_ = count, grain_ = 1;
    const Coder::Opened loop = c_.open(c_.emit(Do::from, s64, false), c_.emit(Do::until, s64, false), 1);
    row_ = e_.positions().variable({0, std::max<std::int64_t>(count - 1, 0)}, loop.variable, false);
    ask_first();
    body(row_);
    c_.close();
  }

  /// Sums that keep rows stand before those who read the rows, whoever asks for which.
  void ask_first() {
    for (const ElementCoder::Asked& sum : first_)
      if (std::all_of(sum.at.begin(), sum.at.end(), [&](const Position& x) { return is_known(x); }))
        e_.element(sum.v, sum.at);
    in_place_.read(e_.reads());
  }
  bool is_known(const Position& x) const {
    return std::all_of(x.terms().begin(), x.terms().end(), [&](const Position::Term& t) {
      const Atom& a = *t.atom;
      return a.kind == Atom::Kind::variable   ? a.id <= e_.positions().last_variable()
             : a.kind == Atom::Kind::computed ? false
                                              : is_known(a.of);
    });
  }

  using At = FunctionRef<std::vector<Position>(std::size_t result, const Position& lane)>;

  void write_block(const Part& block, At at) {
    const std::int64_t whole = block.width / lanes_ * lanes_;
    if (masked_throughout(block.width, range_ * block.width)) {
      along_lanes(block, {c_.integer(0), c_.integer(block.width), {0, block.width - 1}}, at, true);
    } else {
      if (whole > 0) along_lanes(block, {c_.integer(0), c_.integer(whole), {0, whole - 1}}, at);
      if (whole < block.width) {
        const ElementCoder::Tail tail(e_, static_cast<int>(block.width - whole));
        store_lanes(block, e_.positions().variable({whole, block.width - 1}, c_.integer(whole), true), at,
                    tail.mask(), InPlace::no_loop);
      }
    }
  }
  struct Along {
    int from, to;
    Range range;
  };
  /// masked: not all vectors have all lanes.
  void along_lanes(const Part& block, const Along& along, At at, bool masked = false) {
    narrowest_ = std::min(narrowest_, block.width);
    const Coder::Opened loop = c_.open(along.from, along.to, lanes_);
    const Position lane = e_.positions().variable(along.range, loop.variable, true);
    if (masked) {
      const ElementCoder::Tail tail(e_, lane, block.width);
      store_lanes(block, lane, at, tail.mask(), loop.loop);
    } else {
      store_lanes(block, lane, at, -1, loop.loop);
    }
    c_.close();
  }
  /// Whether one loop whose every vector has a mask does it, rather than one of whole vectors and the same
  /// again for the tail: half the code, where there is too little work for a mask to count.
  bool masked_throughout(std::int64_t width, std::int64_t elements) const {
    return width % lanes_ != 0 && width > lanes_ && elements <= few_elements && masks_cost_little();
  }
  using AtResult = FunctionRef<std::vector<Position>(std::size_t result)>;
  void store_lanes(const Part& block, const Position& lane, At at, int mask, int loop) {
    store_results(
        block, [&](std::size_t result) { return at(result, lane); }, loop,
        [&](int value) { return c_.wide(value); }, mask);
  }
  void store_elements(const Part& block, AtResult at) {
    store_results(
        block, at, InPlace::no_loop, [](int value) { return value; }, -1);
  }
  /// All values are there before the first is stored. `loop`: that along the lanes.
  void store_results(const Part& block, AtResult at, int loop, FunctionRef<int(int value)> in_lanes,
                     int mask) {
    in_place_.begin_stage(loop);
    std::vector<int> values;
    std::vector<Position> places;
    for (std::size_t o : block.results) {
      const std::vector<Position> place = with_ones(shape_of(o), at(o));
      values.push_back(value_of(o, place));
      places.push_back(flat(place, shape_of(o)));
    }
    in_place_.read(e_.reads());
    for (std::size_t i = 0; i < values.size(); ++i)
      store(block.results[i], in_lanes(values[i]), places[i], mask);
  }

  int value_of(std::size_t result, std::span<const Position> at) {
    const Var v = p_.outputs[result];
    return e_.stored(e_.element(v, at), p_.type(v).dtype);
  }
  void store(std::size_t result, int value, const Position& at, int mask) {
    const Dtype d = p_.type(p_.outputs[result]).dtype;
    const int pointer = c_.pointer(p_.input_count + static_cast<int>(result), d == bf16 ? u16 : d);
    c_.store(value, pointer, e_.positions().scalar(at), mask);
    in_place_.write(result, at);
  }

  std::vector<std::vector<bool>> in_place() const {
    std::vector<std::vector<bool>> may(static_cast<std::size_t>(p_.input_count),
                                       std::vector<bool>(p_.outputs.size()));
    for (int i = 0; i < p_.input_count; ++i)
      for (std::size_t o = 0; o < p_.outputs.size(); ++o) {
        const Type &in = p_.type(i), &out = p_.type(p_.outputs[o]);
        const bool counts_rows = range_ > 0 && grain_ == 1;
        may[static_cast<std::size_t>(i)][o] =
            in.size() == out.size() && size_of(in.dtype) == size_of(out.dtype) &&
            in_place_.may_overwrite(i, o, {row_, counts_rows ? out.size() / range_ : 0});
      }
    return may;
  }

  /// Instructions outside of the loop over the range; `inside` gets those for one element of it.
  double weigh(const Code& code, const Block& block, double& inside) const {
    double sum = 0;
    for (int item : block) {
      if (item >= 0) {
        sum += code.values[static_cast<std::size_t>(item)].wide ? 2 * lanes_ / lanes : 1;
        continue;
      }
      const Loop& loop = code.loops[static_cast<std::size_t>(-1 - item)];
      const Instruction &from = code.values[static_cast<std::size_t>(loop.from)],
                        &to = code.values[static_cast<std::size_t>(loop.to)];
      double ignored = 0;
      const double body = weigh(code, loop.body, ignored);
      const std::int64_t rounds = (to.imm - from.imm + loop.step - 1) / loop.step;
      if (from.what == Do::constant && to.what == Do::constant)
        sum += body * static_cast<double>(rounds);
      else if (from.what == Do::from)
        inside += body / static_cast<double>(loop.step);
    }
    return sum;
  }

  const ProgramData& p_;
  ElementCoder e_;
  Coder& c_;
  std::vector<ElementCoder::Asked> first_;
  std::int64_t range_ = 0, grain_ = 1;
  Position row_;
  int lanes_ = lanes;
  std::int64_t narrowest_ = std::numeric_limits<std::int64_t>::max();  // loop along lanes
  InPlace in_place_;
};

std::optional<Loops> write(const ProgramData& p, bool draft) {
  if (p.outputs.empty()) return std::nullopt;
  for (Var v : p.outputs)
    if (p.type(v).size() == 0) return std::nullopt;
  std::optional<Loops> loops;
  try {
    LoopWriter writer(p);
    loops = writer.write();
    if (draft ? writer.makes_again() : writer.better_again()) loops = LoopWriter(p, writer).write();
  } catch (const NotLoops&) {  // the first writing stands where the second is none
  }
  return loops;
}
}  // namespace

std::optional<Loops> write_loops(const ProgramData& p) { return write(p, false); }
std::optional<Loops> draft_loops(const ProgramData& p) { return write(p, true); }

}  // namespace baton::cpu
