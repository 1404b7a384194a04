// row: enumerates examples and dtypes, draws inputs, compares results.
#include "row.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>

#include "base/element.h"
#include "base/text.h"
#include "baton/error.h"
#include "engines/reference/reference.h"
#include "trace/trace.h"

namespace baton::testing {
namespace {

/// Params with another dtype in the text of the Programs that they hold.
class Retype final : public FieldVisitor {
 public:
  Retype(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}
  bool found = false;

  void integer(std::string_view, std::int64_t&) override {}
  void integers(std::string_view, std::vector<std::int64_t>&) override {}
  void real(std::string_view, double&) override {}
  void boolean(std::string_view, bool&) override {}
  void text(std::string_view, std::string&) override {}
  void texts(std::string_view, std::vector<std::string>&) override {}
  void enumeration(std::string_view, int&, std::span<const std::string_view>) override {}
  void dtype(std::string_view, Dtype&) override {}
  void type(std::string_view, Type&) override {}
  void bytes(std::string_view, std::string&) override {}
  void program(std::string_view, Program& p) override { change(p); }
  void programs(std::string_view, std::vector<Program>& list) override {
    for (Program& p : list) change(p);
  }

 private:
  void change(Program& p) {
    found = true;
    if (from_.empty()) return;
    std::string text = p.text();
    for (std::size_t at = 0; (at = text.find(from_, at)) != std::string::npos; at += to_.size()) {
      const bool whole =
          at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));  // not the f16 of bf16
      if (whole) text.replace(at, from_.size(), to_);
    }
    p = Program::parse(text);
  }
  std::string from_, to_;
};

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
      Retype retype{std::string(name_of(from)), std::string(name_of(to))};
      v.params = v.params.with(retype);
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

std::string Row::name() const { return std::string(primitive->name) + "__" + std::to_string(index); }

void PrintTo(const Row& row, std::ostream* out) { *out << row.name(); }

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> list;
    for (const Primitive* p : all_primitives()) {
      int index = 0;
      for (const Example& e : p->examples) list.push_back({p, e, index++});
      if (p->program_examples)
        for (const Example& e : p->program_examples()) list.push_back({p, e, index++});
    }
    return list;
  }();
  return all;
}

std::vector<Variant> variants(const Row& row) {
  std::vector<Variant> list;
  retyped(row, f32, f32, list);
  if (has(row, f32)) {
    for (Dtype to : {f16, bf16, f64, c64, c128, s32, u8, s64, boolean}) retyped(row, f32, to, list);
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
  return reference::run(reference::prepare(program), inputs, {});
}

bool same_bits(const Array& a, const Array& b) {
  return a.type() == b.type() &&
         (a.type().bytes() == 0 || std::memcmp(a.data(), b.data(), a.type().bytes()) == 0);
}

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
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!near(x[i].real(), y[i].real()) || !near(x[i].imag(), y[i].imag()))
      return "element " + std::to_string(i) + ": found (" + show_real(static_cast<double>(x[i].real())) +
             "," + show_real(static_cast<double>(x[i].imag())) + "), wanted (" +
             show_real(static_cast<double>(y[i].real())) + "," + show_real(static_cast<double>(y[i].imag())) +
             ")";
  return "";
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

bool holds_programs(const Params& params) {
  Retype look{"", ""};
  params.visit(look);
  return look.found;
}

bool differentiable(const Row& row, const Types& types, std::size_t input) {
  const auto& fixed = row.example.fixed;
  return is_inexact(types[input].dtype) &&
         std::find(fixed.begin(), fixed.end(), static_cast<int>(input)) == fixed.end();
}

}  // namespace baton::testing
