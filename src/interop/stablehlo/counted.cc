// counted: a while that counts from a constant to a constant becomes a scan, which has reverse mode.
// Arrays that are only read leave the carry. Those read by dynamic_slice at the counter become xs, those
// written by dynamic_update_slice at the counter become ys, as jax.lax.scan was before it was lowered.
#include <algorithm>
#include <map>

#include "interop/stablehlo/import.h"
#include "program/primitive.h"
#include "trace/executor.h"

namespace baton::stablehlo {
namespace {

constexpr std::int64_t longest = 1 << 16;  // of loops whose indices are followed step by step

std::optional<std::int64_t> integer_of(Dtype d, const unsigned char* bytes) {
  if (!is_integer(d)) return {};
  const std::size_t width = size_of(d);
  std::int64_t v = is_signed(d) && (bytes[width - 1] & 0x80) ? -1 : 0;
  std::memcpy(&v, bytes, width);
  return v;
}
std::optional<std::int64_t> integer_of(const Value& v) {
  if (!v.constant || !v.constant->splat || v.constant->bytes.empty() || !v.array.shape().empty()) return {};
  return integer_of(v.constant->type.dtype, reinterpret_cast<const unsigned char*>(v.constant->bytes.data()));
}
std::optional<std::int64_t> integer_of(const ProgramData& p, Var v) {
  if (!p.is_literal(v)) return {};
  return integer_of(p.literal(v).dtype, p.literal(v).bytes);
}

/// What the loop counts: carry `at` from `start` by `step`, `length` times.
struct Count {
  int at = -1;
  std::int64_t start = 0, step = 1, length = 0;
};

std::optional<Count> count_of(const ProgramData& cond, const ProgramData& body, const Values& init) {
  if (cond.equations.size() != 1 || cond.outputs != cond.equations[0].outputs) return {};
  const Equation& test = cond.equations[0];
  const std::string_view name = test.primitive->name;
  if ((name != "lt" && name != "gt") || test.inputs.size() != 2) return {};
  const Var counter = test.inputs[name == "lt" ? 0 : 1], bound = test.inputs[name == "lt" ? 1 : 0];
  const int carries = static_cast<int>(init.size());
  if (!cond.is_input(counter) || counter >= carries) return {};
  std::optional<std::int64_t> limit = integer_of(cond, bound);
  if (!limit && cond.is_input(bound) && bound < carries &&
      body.outputs[static_cast<std::size_t>(bound)] == bound)
    limit = integer_of(init[static_cast<std::size_t>(bound)]);  // a carry that never changes
  const auto start = integer_of(init[static_cast<std::size_t>(counter)]);
  if (!limit || !start) return {};
  for (const Equation& e : body.equations) {
    if (e.outputs.empty() || e.outputs[0] != body.outputs[static_cast<std::size_t>(counter)]) continue;
    if (e.primitive->name != "add") return {};
    const Var other = e.inputs[0] == counter ? e.inputs[1] : e.inputs[1] == counter ? e.inputs[0] : -1;
    const auto step = other < 0 ? std::nullopt : integer_of(body, other);
    if (!step || *step < 1 || *step > 1 << 30) return {};
    // Counts that a smaller integer type would wrap around are left alone.
    const std::int64_t far = std::int64_t{1} << (8 * size_of(body.type(counter).dtype) - 2);
    if (*limit >= far || *start <= -far) return {};
    return Count{static_cast<int>(counter), *start, *step,
                 std::max<std::int64_t>(0, (*limit - *start + *step - 1) / *step)};
  }
  return {};
}

/// Equations whose results depend on the counter alone, and their values at each step.
class Indices {
 public:
  Indices(const ProgramData& body, const Count& count)
      : body_(body), count_(count), known_(body.types.size()) {
    known_[static_cast<std::size_t>(count.at)] = true;
    for (const Equation& e : body.equations) {
      bool known = !e.inputs.empty() || e.outputs.empty();
      for (Var v : e.inputs) known = known && (body.is_literal(v) || known_[static_cast<std::size_t>(v)]);
      for (Var v : e.outputs) known = known && body.type(v).shape.empty() && !is_inexact(body.type(v).dtype);
      if (known)
        for (Var v : e.outputs) known_[static_cast<std::size_t>(v)] = true;
    }
  }
  /// Where the value is first + t * sign at step t, with sign 1 or -1: (first, sign).
  std::optional<std::pair<std::int64_t, int>> line(Var v) {
    if (!known_[static_cast<std::size_t>(v)] || !is_integer(body_.type(v).dtype)) return {};
    if (const auto it = lines_.find(v); it != lines_.end()) return it->second;
    return lines_[v] = follow(v);
  }

 private:
  std::optional<std::pair<std::int64_t, int>> follow(Var v) {
    const Type counter = body_.type(count_.at);
    if (v == count_.at && count_.step == 1) return std::pair{count_.start, 1};
    if (count_.length > longest) return {};
    // All steps at once: a Program of what leads to v, on the vector of counters.
    Builder b;
    std::vector<Var> map(body_.types.size(), -1);
    map[static_cast<std::size_t>(count_.at)] = b.input(counter);
    for (const Equation& e : body_.equations) {
      bool known = !e.outputs.empty();
      for (Var o : e.outputs) known = known && known_[static_cast<std::size_t>(o)];
      if (!known) continue;
      std::vector<Var> in;
      Types types;
      for (Var i : e.inputs) {
        Var& to = map[static_cast<std::size_t>(i)];
        if (to < 0) to = b.literal(body_.literal(i));
        in.push_back(to);
      }
      for (Var o : e.outputs) types.push_back(body_.type(o));
      const auto out = b.equation(*e.primitive, e.params, in, types, 0);
      for (std::size_t k = 0; k < out.size(); ++k) map[static_cast<std::size_t>(e.outputs[k])] = out[k];
    }
    const Program p = b.finish({map[static_cast<std::size_t>(v)]});
    std::int64_t first = 0;
    int sign = 1;
    for (std::int64_t t = 0; t < count_.length; ++t) {
      const Literal at = make_integer_literal(counter.dtype, count_.start + t * count_.step);
      const Array in = concrete_scalar(counter, at.bytes);
      const Array out = execute(p, {in}, {})[0];
      const auto value = integer_of(out.dtype(), static_cast<const unsigned char*>(out.data()));
      if (t == 0) first = *value;
      if (t == 1) sign = *value < first ? -1 : 1;
      if (*value != first + t * sign) return {};
    }
    return std::pair{first, sign};
  }
  static Array concrete_scalar(const Type& type, const unsigned char* bytes) {
    Array a = uninitialized(type);
    std::memcpy(data_of(a), bytes, type.bytes());
    return a;
  }

  const ProgramData& body_;
  const Count& count_;
  std::vector<bool> known_;
  std::map<Var, std::optional<std::pair<std::int64_t, int>>> lines_;
};

/// A slice of extent 1 on axis 0 at `first + t * sign`, all of the other axes.
struct Row {
  std::int64_t first = 0;
  int sign = 1;
};

class Loop {
 public:
  Loop(const Closed& body, const Values& init, const Count& count, Where where)
      : closed_(body), p_(*body.program), init_(init), count_(count), where_(where), indices_(p_, count) {}

  Arrays run();

 private:
  enum class Role { carry, fixed, stacked };
  void find_roles();
  void find_needed();
  std::optional<Row> row_of(const Equation&, std::size_t first_start, const Type& whole, const Type& part);
  Array outside(Var v) const {  // the value of an input that never changes
    const auto i = static_cast<std::size_t>(v);
    return i < init_.size() ? init_[i].array : closed_.captures[i - init_.size()];
  }
  /// Rows of an array in the order in which the loop meets them.
  Array in_order(const Array& a, const Row& row) const {
    const std::int64_t n = count_.length, low = row.sign > 0 ? row.first : row.first - (n - 1);
    Array part = a;
    if (low != 0 || n != a.dim(0)) part = lax::slice_in_dim({a, where_}, low, low + n);
    return row.sign > 0 ? part : lax::rev({part, where_}, {0});
  }

  const Closed& closed_;
  const ProgramData& p_;
  const Values& init_;
  const Count& count_;
  const Where where_;
  Indices indices_;
  std::vector<Role> roles_;
  std::vector<bool> needed_;  // variables of the body that the scan's body reads
  std::map<const Equation*, std::pair<Row, std::size_t>> reads_;  // and which of xs
  std::map<const Equation*, int> writes_;                         // and which carry
  std::vector<Row> rows_;                                         // of stacked carries
  Arrays xs_;
};

std::optional<Row> Loop::row_of(const Equation& e, std::size_t start, const Type& whole, const Type& part) {
  if (whole.shape.empty() || part.shape[0] != 1 || e.inputs.size() != start + whole.shape.size()) return {};
  for (std::size_t k = 1; k < whole.shape.size(); ++k) {
    if (part.shape[k] != whole.shape[k]) return {};  // then any start is clamped to 0
  }
  const auto line = indices_.line(e.inputs[start]);
  if (!line) return {};
  const std::int64_t last = line->first + (count_.length - 1) * line->second;
  if (std::min(line->first, last) < 0 || std::max(line->first, last) >= whole.shape[0]) return {};
  return Row{line->first, line->second};
}

void Loop::find_roles() {
  const std::size_t n = init_.size();
  roles_.assign(n, Role::carry);
  rows_.resize(n);
  std::vector<int> uses(p_.types.size());
  for (const Equation& e : p_.equations)
    for (Var v : e.inputs) ++uses[static_cast<std::size_t>(v)];
  for (Var v : p_.outputs) ++uses[static_cast<std::size_t>(v)];
  for (std::size_t i = 0; i < n; ++i)
    if (p_.outputs[i] == static_cast<Var>(i)) roles_[i] = Role::fixed;
  for (const Equation& e : p_.equations) {
    if (e.primitive->name == "dynamic_slice") {
      const Var x = e.inputs[0];
      const bool fixed = p_.is_input(x) && (static_cast<std::size_t>(x) >= n ||
                                            roles_[static_cast<std::size_t>(x)] == Role::fixed);
      if (!fixed) continue;
      if (const auto row = row_of(e, 1, p_.type(x), p_.type(e.outputs[0]))) {
        reads_[&e] = {*row, xs_.size()};
        xs_.push_back(in_order(outside(x), *row));
      }
    } else if (e.primitive->name == "dynamic_update_slice") {
      const Var x = e.inputs[0];
      if (!p_.is_input(x) || static_cast<std::size_t>(x) >= n || x == count_.at ||
          uses[static_cast<std::size_t>(x)] != 1)
        continue;
      if (p_.outputs[static_cast<std::size_t>(x)] != e.outputs[0] ||
          uses[static_cast<std::size_t>(e.outputs[0])] != 1)
        continue;
      if (const auto row = row_of(e, 2, p_.type(x), p_.type(e.inputs[1]))) {
        writes_[&e] = x;
        roles_[static_cast<std::size_t>(x)] = Role::stacked;
        rows_[static_cast<std::size_t>(x)] = *row;
      }
    }
  }
}

/// What is left to compute once the rows are taken out. The counter itself may then not be needed.
void Loop::find_needed() {
  needed_.assign(p_.types.size(), false);
  const auto need = [&](Var v) { needed_[static_cast<std::size_t>(v)] = true; };
  for (std::size_t i = 0; i < init_.size(); ++i)
    if (roles_[i] == Role::carry && static_cast<int>(i) != count_.at) need(p_.outputs[i]);
  for (const auto& [e, x] : writes_) need(e->inputs[1]);
  const auto walk = [&] {
    for (std::size_t i = p_.equations.size(); i-- > 0;) {
      const Equation& e = p_.equations[i];
      if (reads_.contains(&e) || writes_.contains(&e)) continue;
      bool needed = effects_of(e) != Effects::none;
      for (Var v : e.outputs) needed = needed || needed_[static_cast<std::size_t>(v)];
      if (needed)
        for (Var v : e.inputs) need(v);
    }
  };
  walk();
  if (!needed_[static_cast<std::size_t>(count_.at)]) return;
  need(p_.outputs[static_cast<std::size_t>(count_.at)]);
  walk();
}

Arrays Loop::run() {
  find_roles();
  find_needed();
  const std::size_t n = init_.size();
  // The body of the scan: (fixed..., captures..., carry..., x...) -> (carry..., y...).
  Arrays consts, init;
  std::vector<std::size_t> const_of, carry_of, stacked;
  for (std::size_t i = 0; i < n; ++i) {
    const bool counter = static_cast<int>(i) == count_.at;
    if (roles_[i] == Role::fixed && needed_[i]) const_of.push_back(i), consts.push_back(init_[i].array);
    if (roles_[i] == Role::carry && (!counter || needed_[i]))
      carry_of.push_back(i), init.push_back(init_[i].array);
    if (roles_[i] == Role::stacked) stacked.push_back(i);
  }
  for (std::size_t i = 0; i < closed_.captures.size(); ++i)
    if (needed_[n + i]) const_of.push_back(n + i), consts.push_back(closed_.captures[i]);
  Types types = types_of(consts);
  for (const Array& a : init) types.push_back(a.type());
  for (const Array& a : xs_) types.push_back({a.dtype(), Shape(a.shape().begin() + 1, a.shape().end())});
  const Program body = make_program("scan", types, [&](const Arrays& in) -> Arrays {
    Trace* trace = Trace::current();
    std::vector<Array> values(p_.types.size());
    for (std::size_t k = 0; k < const_of.size(); ++k) values[const_of[k]] = in[k];
    for (std::size_t k = 0; k < carry_of.size(); ++k) values[carry_of[k]] = in[consts.size() + k];
    for (std::size_t k = 0; k < p_.literals.size(); ++k)
      values[static_cast<std::size_t>(p_.input_count) + k] = trace->literal(p_.literals[k]);
    for (const Equation& e : p_.equations) {
      if (const auto it = reads_.find(&e); it != reads_.end()) {
        values[static_cast<std::size_t>(e.outputs[0])] = lax::reshape(
            {in[consts.size() + init.size() + it->second.second], where_}, p_.type(e.outputs[0]).shape);
        continue;
      }
      bool needed = effects_of(e) != Effects::none;
      for (Var v : e.outputs) needed = needed || needed_[static_cast<std::size_t>(v)];
      if (writes_.contains(&e) || !needed) continue;
      Arrays operands;
      for (Var v : e.inputs) operands.push_back(values[static_cast<std::size_t>(v)]);
      const Arrays out = trace->record(*e.primitive, operands, e.params, where_);
      for (std::size_t k = 0; k < out.size(); ++k) values[static_cast<std::size_t>(e.outputs[k])] = out[k];
    }
    Arrays results;
    for (std::size_t i : carry_of) results.push_back(values[static_cast<std::size_t>(p_.outputs[i])]);
    for (std::size_t i : stacked)
      for (const auto& [e, x] : writes_)
        if (x == static_cast<int>(i)) {
          const Type& part = p_.type(e->inputs[1]);
          results.push_back(lax::reshape({values[static_cast<std::size_t>(e->inputs[1])], where_},
                                         Shape(part.shape.begin() + 1, part.shape.end())));
        }
    return results;
  });
  const Arrays out = lax::scan(body, consts, init, xs_, {.length = count_.length}, where_);
  Arrays results(n);
  for (std::size_t i = 0; i < n; ++i) results[i] = init_[i].array;
  const auto counter = static_cast<std::size_t>(count_.at);
  const Literal last =
      make_integer_literal(p_.type(count_.at).dtype, count_.start + count_.length * count_.step);
  results[counter] = Array(p_.type(count_.at), last.bytes, where_);
  for (std::size_t k = 0; k < carry_of.size(); ++k) results[carry_of[k]] = out[k];
  for (std::size_t k = 0; k < stacked.size(); ++k) {
    const std::size_t i = stacked[k];
    const Row& row = rows_[i];
    const std::int64_t low = row.sign > 0 ? row.first : row.first - (count_.length - 1);
    Array rows = out[carry_of.size() + k];
    if (row.sign < 0) rows = lax::rev({rows, where_}, {0});
    if (rows.dim(0) != results[i].dim(0)) {
      Arrays starts{lax::full({}, static_cast<std::int32_t>(low))};
      while (static_cast<int>(starts.size()) < results[i].rank())
        starts.push_back(lax::full({}, std::int32_t{0}));
      rows = lax::dynamic_update_slice({results[i], where_}, {rows, where_}, {starts, where_},
                                       {.allow_negative_indices = false});
    }
    results[i] = rows;
  }
  return results;
}

}  // namespace

std::optional<Arrays> counted_loop(const Closed& cond, const Closed& body, const Values& init, Where where) {
  const auto count = count_of(*cond.program, *body.program, init);
  if (!count) return {};
  if (count->length == 0) {
    Arrays same;
    for (const Value& v : init) same.push_back(v.array);
    return same;
  }
  return Loop(body, init, *count, where).run();
}

}  // namespace baton::stablehlo
