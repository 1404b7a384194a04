// code: the Coder, and the text of code.
#include "engines/cpu/code/code.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace baton::cpu {

int Coder::fresh(const Instruction& i, int level) {
  code_.values.push_back(i);
  levels_of_.push_back(level);
  return static_cast<int>(code_.values.size()) - 1;
}

namespace {
std::size_t hash_of(const Instruction& i) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t h = static_cast<std::uint64_t>(i.imm);
  for (int v : i.in) h = (h ^ static_cast<std::uint32_t>(v)) * odd, h ^= h >> 29;
  h ^= static_cast<std::uint64_t>(i.what) << 16 | static_cast<std::uint64_t>(i.dtype) << 8 | i.wide;
  h *= odd;
  return static_cast<std::size_t>(h ^ h >> 32);
}
}  // namespace

void Coder::make_room() {
  if (2 * (known_count_ + 1) <= known_.size()) return;
  std::vector<int> old(std::max<std::size_t>(256, 2 * known_.size()), -1);
  std::swap(old, known_);
  for (int value : old)
    if (value >= 0) {
      std::size_t at = hash_of(this->at(value));
      while (known_[at & (known_.size() - 1)] >= 0) ++at;
      known_[at & (known_.size() - 1)] = value;
    }
}

int Coder::emit(Do what, Dtype dtype, bool wide, std::array<int, 3> in, std::int64_t imm) {
  const Instruction i{what, dtype, wide, in, imm};
  make_room();
  const std::size_t last = known_.size() - 1;
  std::size_t slot = hash_of(i) & last;
  for (; known_[slot] >= 0; slot = (slot + 1) & last)
    if (at(known_[slot]) == i) return known_[slot];
  const int to = std::max({level(in[0]), level(in[1]), level(in[2])});
  const int value = fresh(i, to);
  known_[slot] = value;
  ++known_count_;
  levels_[static_cast<std::size_t>(to)].block.push_back(value);
  return value;
}

int Coder::emit(Do what, Dtype dtype, std::array<int, 3> in, std::int64_t imm) {
  const bool any = std::any_of(in.begin(), in.end(), [&](int v) { return v >= 0 && at(v).wide; });
  if (any)
    for (int& v : in)
      if (v >= 0) v = wide(v);
  return emit(what, dtype, any, in, imm);
}

int Coder::wide(int value) {
  return at(value).wide ? value : emit(Do::repeat, at(value).dtype, true, {value, -1, -1});
}

int Coder::constant(Dtype dtype, double value) {
  if (dtype == f32)
    return emit(Do::constant, f32, false, {-1, -1, -1},
                std::bit_cast<std::int32_t>(static_cast<float>(value)));
  if (dtype == f64) return emit(Do::constant, f64, false, {-1, -1, -1}, std::bit_cast<std::int64_t>(value));
  return integer(static_cast<std::int64_t>(value), dtype);
}

int Coder::integer(std::int64_t value, Dtype dtype) {
  return emit(Do::constant, dtype, false, {-1, -1, -1}, value);
}

int Coder::pointer(int argument, Dtype of) {
  code_.pointers = std::max(code_.pointers, argument + 1);
  return emit(Do::pointer, of, false, {-1, -1, -1}, argument);
}

void Coder::store(int value, int pointer, int index, int mask) {
  const int here = static_cast<int>(levels_.size()) - 1;
  levels_.back().block.push_back(
      fresh({Do::store, at(value).dtype, at(value).wide, {value, pointer, index}, mask}, here));
}

int Coder::own_memory(Dtype of, std::int64_t bytes) {
  code_.own_memory.push_back(bytes);
  return emit(Do::pointer, of, false, {-1, -1, -1}, -static_cast<std::int64_t>(code_.own_memory.size()));
}

std::int64_t Coder::own_bytes() const {
  return std::accumulate(code_.own_memory.begin(), code_.own_memory.end(), std::int64_t{0});
}

int Coder::load_own(int pointer, int index, int level) {
  const int to = std::max(level, this->level(index));
  const int value = fresh({Do::load, at(pointer).dtype, true, {pointer, index, -1}}, to);
  levels_[static_cast<std::size_t>(to)].block.push_back(value);
  return value;
}

std::vector<int> Coder::loops_around(int value) const {
  std::vector<int> loops;
  for (int l = 1; l <= level(value); ++l) loops.push_back(levels_[static_cast<std::size_t>(l)].loop);
  return loops;
}

Coder::Opened Coder::open(int from, int to, std::int64_t step, const std::vector<int>& first) {
  const int inner = static_cast<int>(levels_.size());
  Loop loop{from, to, -1, step, {}, {}};
  loop.variable = fresh({Do::constant, s64, false}, inner);
  Opened opened{static_cast<int>(code_.loops.size()), loop.variable, {}};
  for (int f : first) {
    const int inside = fresh({Do::constant, at(f).dtype, at(f).wide}, inner);
    loop.carries.push_back({f, inside, -1, -1});
    opened.inside.push_back(inside);
  }
  code_.loops.push_back(std::move(loop));
  levels_.push_back({static_cast<int>(code_.loops.size()) - 1, {}});
  return opened;
}

std::vector<int> Coder::close(const std::vector<int>& next) {
  Level done = std::move(levels_.back());
  levels_.pop_back();
  const int outer = static_cast<int>(levels_.size()) - 1;
  Loop& loop = code_.loops[static_cast<std::size_t>(done.loop)];
  loop.body = std::move(done.block);
  std::vector<int> results;
  for (std::size_t i = 0; i < next.size(); ++i) {
    loop.carries[i].next = next[i];
    loop.carries[i].result = fresh({Do::constant, at(next[i]).dtype, at(next[i]).wide}, outer);
    results.push_back(loop.carries[i].result);
  }
  levels_.back().block.push_back(-1 - done.loop);
  return results;
}

Code Coder::finish() {
  code_.top = std::move(levels_[0].block);
  return std::move(code_);
}

namespace {

const char* const names[] = {"constant",
                             "add",
                             "sub",
                             "mul",
                             "div",
                             "rem",
                             "mulhi",
                             "min",
                             "max",
                             "fma",
                             "neg",
                             "abs",
                             "sqrt",
                             "floor",
                             "ceil",
                             "trunc",
                             "nearest",
                             "bit_and",
                             "bit_or",
                             "bit_xor",
                             "bit_not",
                             "shift_left",
                             "shift_right_logical",
                             "shift_right_arithmetic",
                             "leading_zeros",
                             "ones",
                             "eq",
                             "ne",
                             "lt",
                             "le",
                             "gt",
                             "ge",
                             "select",
                             "convert",
                             "bits",
                             "exp",
                             "exp2",
                             "expm1",
                             "log",
                             "log1p",
                             "logistic",
                             "sin",
                             "cos",
                             "tan",
                             "asin",
                             "acos",
                             "atan",
                             "sinh",
                             "cosh",
                             "tanh",
                             "asinh",
                             "acosh",
                             "atanh",
                             "erf",
                             "erfc",
                             "erf_inv",
                             "cbrt",
                             "lgamma",
                             "digamma",
                             "bessel_i0e",
                             "bessel_i1e",
                             "pow",
                             "atan2",
                             "zeta",
                             "polygamma",
                             "igamma",
                             "igammac",
                             "igamma_grad_a",
                             "pointer",
                             "from",
                             "until",
                             "lane",
                             "repeat",
                             "load",
                             "gather",
                             "store",
                             "moved",
                             "first",
                             "any",
                             "join",
                             "part"};
static_assert(std::size(names) == static_cast<std::size_t>(Do::part) + 1);

std::string name(int value) { return "v" + std::to_string(value); }

void show_block(const Code& c, const Block& block, const std::string& indent, std::string& s) {
  for (int item : block) {
    if (item < 0) {
      const Loop& l = c.loops[static_cast<std::size_t>(-1 - item)];
      s += indent + "for " + name(l.variable) + " = " + name(l.from) + " to " + name(l.to) + " by " +
           std::to_string(l.step);
      for (const Loop::Carry& k : l.carries) s += ", " + name(k.inside) + " = " + name(k.first);
      s += "\n";
      show_block(c, l.body, indent + "  ", s);
      if (!l.carries.empty()) {
        s += indent + "  next";
        for (const Loop::Carry& k : l.carries) s += " " + name(k.next);
        s += "\n" + indent + "end";
        for (const Loop::Carry& k : l.carries) s += " " + name(k.result);
        s += "\n";
      }
      continue;
    }
    const Instruction& i = c.values[static_cast<std::size_t>(item)];
    s += indent;
    if (i.what != Do::store)
      s += name(item) + ":" + std::string(name_of(i.dtype)) +
           (i.wide ? "x" + std::to_string(c.lanes) + " = " : " = ");
    s += names[static_cast<int>(i.what)];
    for (int v : i.in)
      if (v >= 0) s += " " + name(v);
    if (i.what == Do::constant || i.what == Do::pointer || i.what == Do::moved || i.what == Do::part)
      s += " " + std::to_string(i.imm);
    if (i.what == Do::load && i.imm) s += " ahead " + std::to_string(i.imm);
    if (i.what == Do::store && i.imm >= 0) s += " where " + name(static_cast<int>(i.imm));
    s += "\n";
  }
}

}  // namespace

std::string Code::text() const {
  std::string s;
  show_block(*this, top, "", s);
  return s;
}

}  // namespace baton::cpu
