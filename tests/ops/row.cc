// row: enumerates examples and dtypes, draws inputs, compares results.
#include "row.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <set>

#include "base/element.h"
#include "base/text.h"
#include "baton/error.h"
#include "engines/reference/reference.h"
#include "trace/trace.h"

namespace baton::testing {
namespace {

/// Params with other text in the Programs that they hold, and other extents in their lists.
class Change final : public FieldVisitorOfSome {
 public:
  explicit Change(FunctionRef<std::string(std::string)> text) : text_(text) {}
  Change(FunctionRef<std::string(std::string)> text, std::int64_t from, std::int64_t to)
      : text_(text), from_(from), to_(to) {}
  void integers(std::string_view, std::vector<std::int64_t>& list) override {
    std::replace(list.begin(), list.end(), from_, to_);
  }
  void integer(std::string_view, std::int64_t& x) override {
    if (x == from_) x = to_;
  }
  void program(std::string_view, Program& p) override { p = Program::parse(text_(p.text())); }
  void programs(std::string_view, std::vector<Program>& list) override {
    for (Program& p : list) p = Program::parse(text_(p.text()));
  }

 private:
  FunctionRef<std::string(std::string)> text_;
  std::int64_t from_ = -1, to_ = -1;
};

/// The text with one dtype replaced by another.
std::string with_dtype(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    const bool whole =
        at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));  // not the f16 of bf16
    if (whole) text.replace(at, from.size(), to);
  }
  return text;
}
/// The text with an extent of its types replaced: f32[2,3] -> f32[0,3].
std::string with_extent(const std::string& text, std::int64_t from, std::int64_t to) {
  std::string out, number;
  bool type = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') type = i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1]));
    if (type && std::isdigit(static_cast<unsigned char>(c))) {
      number += c;
      continue;
    }
    out += number == std::to_string(from) ? std::to_string(to) : number;
    number.clear();
    if (c == ']') type = false;
    out += c;
  }
  return out;
}

std::string describe(const Primitive& p, const Types& inputs, const Params& params) {
  std::string s = std::string(p.name) + " " + show(params) + " of";
  for (const Type& t : inputs) s += " " + show(t);
  return s;
}

/// The row with `from` replaced by `to`, if the type rule accepts it.
bool retyped(const Row& row, Dtype from, Dtype to, std::vector<Variant>& out) {
  Variant v{row.example.inputs, {}, row.example.params, {}};
  bool any = from == to;
  for (Type& t : v.inputs)
    if (t.dtype == from) t.dtype = to, any = true;
  if (!any) return false;
  try {
    if (from != to) {
      auto text = [&](std::string t) { return with_dtype(std::move(t), name_of(from), name_of(to)); };
      Change change{text};
      v.params = v.params.with(change);
    }
    v.outputs = row.primitive->type(v.inputs, v.params);
  } catch (const Error&) {
    if (from == to) throw;  // the row itself must be right
    return false;
  }
  v.label = describe(*row.primitive, v.inputs, v.params);
  out.push_back(std::move(v));
  return true;
}

bool has(const Row& row, Dtype d) {
  return std::any_of(row.example.inputs.begin(), row.example.inputs.end(),
                     [&](const Type& t) { return t.dtype == d; });
}

std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

std::string Row::name() const { return std::string(primitive->name) + "__" + std::to_string(index) + edge; }

void PrintTo(const Row& row, std::ostream* out) { *out << row.name(); }

bool wanted(std::string_view primitive) {
  static const char* const only = std::getenv("BATON_ONLY");
  return !only || primitive == only;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> list;
    for (const Primitive* p : all_primitives()) {
      if (!wanted(p->name)) continue;
      int index = 0;
      for (const Example& e : p->examples) list.push_back({p, e, index++});
      if (p->program_examples)
        for (const Example& e : p->program_examples()) list.push_back({p, e, index++});
    }
    return list;
  }();
  return all;
}

namespace {
/// Adds the row if the type rule accepts it and no other has the same inputs and Params.
void add_edge(Row row, const Example& original, std::set<std::string>& seen, std::vector<Row>& list) {
  const Example& e = row.example;
  try {
    if (!seen.insert(describe(*row.primitive, e.inputs, e.params)).second) return;
    result_types(*row.primitive, e.inputs, e.params);
  } catch (const Error&) {
    return;
  }
  // Values that were chosen for a shape, and promises about indices, hold no longer for another one.
  const std::string params = show(e.params);
  // Nor have some factors of every matrix a derivative.
  bool chosen = row.primitive->name == "qr" || params.find("full_matrices=true") != std::string::npos ||
                params.find("promise_in_bounds") != std::string::npos ||
                params.find("unique_indices=true") != std::string::npos;
  for (std::size_t k = 0; k < e.inputs.size(); ++k) {
    const std::int64_t before = original.inputs[k].size(), now = e.inputs[k].size();
    const bool given = (k < e.values.size() && !e.values[k].empty()) || before == 0;
    chosen = chosen || (given && now > 0 && now != before);
  }
  row.example.order = chosen ? 0 : std::min(e.order, 1);
  row.edge = "_edge" + std::to_string(list.size());
  list.push_back(std::move(row));
}
}  // namespace

const std::vector<Row>& edge_rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> list;
    for (const Row& row : rows()) {
      std::set<std::string> seen = {describe(*row.primitive, row.example.inputs, row.example.params)};
      std::set<std::int64_t> extents;
      for (const Type& t : row.example.inputs) extents.insert(t.shape.begin(), t.shape.end());
      for (std::int64_t to : {0, 1}) {
        for (std::size_t k = 0; k < row.example.inputs.size(); ++k)
          for (std::size_t axis = 0; axis < row.example.inputs[k].shape.size(); ++axis) {
            Row one = row;
            one.example.inputs[k].shape[axis] = to;
            add_edge(std::move(one), row.example, seen, list);
          }
        for (std::int64_t from : extents) {
          Row alike = row;
          for (Type& t : alike.example.inputs) std::replace(t.shape.begin(), t.shape.end(), from, to);
          Row whole = alike;
          add_edge(std::move(alike), row.example, seen, list);
          auto text = [&](const std::string& t) { return with_extent(t, from, to); };
          Change change{text, from, to};
          try {
            whole.example.params = row.example.params.with(change);
          } catch (const Error&) {
            continue;
          }
          add_edge(std::move(whole), row.example, seen, list);
        }
      }
    }
    return list;
  }();
  return all;
}

std::vector<Variant> variants(const Row& row) {
  std::vector<Variant> list;
  retyped(row, f32, f32, list);
  if (!row.edge.empty()) return list;
  if (has(row, f32)) {
    for (Dtype to : {f16, bf16, f64, c64, c128, s8, s16, s32, s64, u8, u16, u32, u64, boolean})
      retyped(row, f32, to, list);
    if (has(row, s32))  // of indices and counts
      for (Dtype to : {s8, s64, u8, u32, u64}) retyped(row, s32, to, list);
  } else if (has(row, c64)) {
    retyped(row, c64, c128, list);
  } else if (has(row, s32)) {
    for (Dtype to : {s8, s16, s64, u8, u16, u32, u64, boolean}) retyped(row, s32, to, list);
  }
  return list;
}

std::vector<Variant> precise_variants(const Row& row) {
  std::vector<Variant> list;
  if (has(row, f32)) {
    if (!retyped(row, f32, f64, list)) retyped(row, f32, f32, list);
    retyped(row, f32, c128, list);
  } else if (has(row, c64)) {
    if (!retyped(row, c64, c128, list)) retyped(row, c64, c64, list);
  } else {
    retyped(row, f32, f32, list);
  }
  return list;
}

Random::Random(std::string_view seed) : state_(1469598103934665603u) {
  for (char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
}
std::uint64_t Random::bits() { return mixed(state_ ^ mixed(count_++)); }
double Random::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}

Array from_elements(const Type& type, const std::vector<std::complex<long double>>& values) {
  std::vector<unsigned char> bytes(std::max<std::size_t>(type.bytes(), 1));
  with_type(type.dtype, [&]<class T>(Tag<T>) {
    T* out = reinterpret_cast<T*>(bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::complex<double> narrow(static_cast<double>(values[i].real()),
                                        static_cast<double>(values[i].imag()));
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        out[i] =
            static_cast<T>(static_cast<std::int64_t>(values[i].real()));  // wraps, as a negative for unsigned
      else
        out[i] = convert_element<T>(narrow);
    }
  });
  return Array(type, bytes.data());
}

std::vector<std::complex<long double>> elements(const Array& a) {
  std::vector<std::complex<long double>> values;
  with_type(a.dtype(), [&]<class T>(Tag<T>) {
    for (const T& x : a.read<T>()) {
      if constexpr (is_complex_v<T>)
        values.emplace_back(x.real(), x.imag());
      else if constexpr (is_half_v<T>)
        values.emplace_back(static_cast<float>(x));
      else
        values.emplace_back(static_cast<long double>(x));
    }
  });
  return values;
}

Arrays draw(const Row& row, const Types& types, Random& random) {
  const Example& e = row.example;
  Arrays arrays;
  for (std::size_t k = 0; k < types.size(); ++k) {
    const Type& type = types[k];
    const auto n = static_cast<std::size_t>(type.size());
    std::vector<std::complex<long double>> values;
    const bool given = k < e.values.size() && !e.values[k].empty();
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);
    for (std::size_t i = 0; i < n; ++i) {
      if (given) {
        values.emplace_back(e.values[k][i % e.values[k].size()]);
      } else if (type.dtype == boolean) {
        values.emplace_back(random.bits() & 1);
      } else if (is_inexact(type.dtype)) {
        // Distinct values lie in cells of their own, away from the cells' ends.
        const double low = e.distinct ? e.low + (e.high - e.low) * (static_cast<double>(order[i]) + 0.25) /
                                                    static_cast<double>(n)
                                      : e.low;
        const double high = e.distinct ? low + (e.high - e.low) * 0.5 / static_cast<double>(n) : e.high;
        const double imag = is_complex(type.dtype) ? random.uniform(e.low, e.high) : 0;
        values.emplace_back(random.uniform(low, high), imag);
      } else {
        const double x = e.distinct ? std::floor(e.low) + static_cast<double>(order[i])
                                    : std::floor(random.uniform(e.low, e.high + 1));
        values.emplace_back(x);
      }
    }
    arrays.push_back(from_elements(type, values));
  }
  return arrays;
}

Array draw_direction(const Type& type, Random& random) {
  std::vector<std::complex<long double>> values;
  for (std::int64_t i = 0; i < type.size(); ++i) {
    const double real = random.uniform(-1, 1);
    values.emplace_back(real, is_complex(type.dtype) ? random.uniform(-1, 1) : 0);
  }
  return from_elements(type, values);
}

Array specials(const Type& type, Random& random) {
  std::vector<unsigned char> bytes(std::max<std::size_t>(type.bytes(), 1));
  with_type(type.dtype, [&]<class T>(Tag<T>) {
    T* out = reinterpret_cast<T*>(bytes.data());
    for (std::int64_t i = 0; i < type.size(); ++i) {
      if constexpr (std::is_integral_v<T>) {
        const T choices[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), static_cast<T>(-1),
                             T(0), T(1)};
        out[i] = choices[random.bits() % 5];
      } else {
        const double d[] = {NAN, INFINITY, -INFINITY, -0.0, 1e300, 5e-324, -1e-40, -3e38, 0.5, -7.5};
        if constexpr (is_complex_v<T>)
          out[i] = convert_element<T>(std::complex<double>(d[random.bits() % 10], d[random.bits() % 10]));
        else
          out[i] = convert_element<T>(d[random.bits() % 10]);
      }
    }
  });
  return Array(type, bytes.data());
}

Program program_of(const Primitive& p, const Types& inputs, const Params& params) {
  return make_program("row", inputs, [&](const Arrays& in) { return bind(p, in, params, {}); });
}

Arrays run(const Program& program, const Arrays& inputs) {
  return reference::compile(program, {})->run(inputs);
}

bool same_bits(const Array& a, const Array& b) {
  return a.type() == b.type() &&
         (a.type().bytes() == 0 || std::memcmp(a.data(), b.data(), a.type().bytes()) == 0);
}

namespace {
std::string first_difference(const std::vector<std::complex<long double>>& found,
                             const std::vector<std::complex<long double>>& wanted,
                             FunctionRef<bool(long double, long double)> same) {
  auto text = [](std::complex<long double> z) {
    return "(" + show_real(static_cast<double>(z.real())) + "," + show_real(static_cast<double>(z.imag())) +
           ")";
  };
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!same(found[i].real(), wanted[i].real()) || !same(found[i].imag(), wanted[i].imag()))
      return "element " + std::to_string(i) + ": found " + text(found[i]) + ", wanted " + text(wanted[i]);
  return "";
}
}  // namespace

std::string difference(const Array& found, const Array& wanted, double slack) {
  if (found.type() != wanted.type()) return "found " + show(found.type()) + ", wanted " + show(wanted.type());
  const Dtype d = real_of(wanted.dtype());
  const double unit = d == f16 ? 0x1p-10 : d == bf16 ? 0x1p-7 : d == f32 ? 0x1p-23 : d == f64 ? 0x1p-52 : 0;
  const auto x = elements(found), y = elements(wanted);
  long double scale = 0;
  for (const auto& v : y)
    for (long double part : {v.real(), v.imag()})
      if (std::isfinite(part)) scale = std::max(scale, std::fabs(part));
  auto near = [&](long double a, long double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(a - b) <= slack * unit * std::max(scale, std::fabs(b));
  };
  return first_difference(x, y, near);
}

std::string difference_of_bits(const Array& found, const Array& wanted) {
  if (found.type() != wanted.type()) return "found " + show(found.type()) + ", wanted " + show(wanted.type());
  return first_difference(elements(found), elements(wanted), [](long double a, long double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
  });
}

Array stack(const Arrays& lanes, int axis) {
  const Type& lane = lanes[0].type();
  Type type = lane;
  type.shape.insert(type.shape.begin() + axis, static_cast<std::int64_t>(lanes.size()));
  std::size_t outer = 1;
  for (int k = 0; k < axis; ++k) outer *= static_cast<std::size_t>(lane.shape[static_cast<std::size_t>(k)]);
  const std::size_t chunk = outer ? lane.bytes() / outer : 0;
  std::vector<char> bytes(type.bytes() + 1);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t l = 0; l < lanes.size(); ++l)
      if (chunk)
        std::memcpy(&bytes[(o * lanes.size() + l) * chunk],
                    static_cast<const char*>(lanes[l].data()) + o * chunk, chunk);
  return Array(type, bytes.data());
}

Arrays unstack(const Array& a, int axis) {
  Type lane = a.type();
  const auto count = static_cast<std::size_t>(lane.shape[static_cast<std::size_t>(axis)]);
  lane.shape.erase(lane.shape.begin() + axis);
  std::size_t outer = 1;
  for (int k = 0; k < axis; ++k) outer *= static_cast<std::size_t>(lane.shape[static_cast<std::size_t>(k)]);
  const std::size_t chunk = outer ? lane.bytes() / outer : 0;
  Arrays lanes;
  for (std::size_t l = 0; l < count; ++l) {
    std::vector<char> bytes(lane.bytes() + 1);
    for (std::size_t o = 0; o < outer; ++o)
      if (chunk)
        std::memcpy(&bytes[o * chunk], static_cast<const char*>(a.data()) + (o * count + l) * chunk, chunk);
    lanes.push_back(Array(lane, bytes.data()));
  }
  return lanes;
}

bool may_loop_for_ever(const Primitive& p, const Params& params) {
  return p.name == "while" || show(params).find(" = while ") != std::string::npos;
}

bool differentiable(const Row& row, const Types& types, std::size_t input) {
  const auto& fixed = row.example.fixed;
  return is_inexact(types[input].dtype) &&
         std::find(fixed.begin(), fixed.end(), static_cast<int>(input)) == fixed.end();
}

}  // namespace baton::testing
