// builder: from equations in order to an immutable, canonical Program with its hash.
// finish() walks backwards to find what is used, then renumbers: inputs, literals by first use, results in
// order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/element.h"
#include "base/hash.h"
#include "base/text.h"
#include "program/primitive.h"

namespace baton {
namespace {

/// Feeds the fields of a Params struct to a hasher, with their names and kinds.
class HashFields final : public FieldVisitor {
 public:
  explicit HashFields(Hasher& h) : h_(h) {}
  void integer(std::string_view n, std::int64_t& x) override { h_.text(n).integer(x); }
  void integers(std::string_view n, std::vector<std::int64_t>& x) override {
    h_.text(n).integer(static_cast<std::int64_t>(x.size()));
    for (std::int64_t i : x) h_.integer(i);
  }
  void real(std::string_view n, double& x) override {
    const double value =
        std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x;  // the text knows one NaN
    h_.text(n).bytes(&value, sizeof value);
  }
  void boolean(std::string_view n, bool& x) override { h_.text(n).integer(x); }
  void text(std::string_view n, std::string& x) override { h_.text(n).text(x); }
  void texts(std::string_view n, std::vector<std::string>& x) override {
    h_.text(n).integer(static_cast<std::int64_t>(x.size()));
    for (const std::string& s : x) h_.text(s);
  }
  void enumeration(std::string_view n, int& x, std::span<const std::string_view> names) override {
    h_.text(n).text(names[static_cast<std::size_t>(x)]);
  }
  void dtype(std::string_view n, Dtype& x) override { h_.text(n).integer(static_cast<int>(x)); }
  void type(std::string_view n, Type& x) override { h_.text(n).text(show(x)); }
  void program(std::string_view n, Program& x) override { h_.text(n).hash(x.hash()); }
  void programs(std::string_view n, std::vector<Program>& x) override {
    h_.text(n).integer(static_cast<std::int64_t>(x.size()));
    for (const Program& p : x) h_.hash(p.hash());
  }
  void bytes(std::string_view n, std::string& x) override { h_.text(n).text(x); }

 private:
  Hasher& h_;
};

void hash_type(Hasher& h, const Type& t) {
  h.integer(static_cast<int>(t.dtype)).integer(t.rank());
  for (std::int64_t extent : t.shape) h.integer(extent);
}

Hash hash_of(const ProgramData& p) {
  Hasher h;
  h.text("baton program 1").integer(p.input_count).integer(static_cast<std::int64_t>(p.literals.size()));
  for (int i = 0; i < p.input_count; ++i) hash_type(h, p.types[static_cast<std::size_t>(i)]);
  for (const Literal& l : p.literals) h.integer(static_cast<int>(l.dtype)).bytes(l.bytes, sizeof l.bytes);
  h.integer(static_cast<std::int64_t>(p.equations.size()));
  for (const Equation& e : p.equations) {
    h.text(e.primitive->name);
    HashFields fields(h);
    e.params.visit(fields);
    h.integer(static_cast<std::int64_t>(e.inputs.size()));
    for (Var v : e.inputs) h.integer(v);
    h.integer(static_cast<std::int64_t>(e.outputs.size()));
    for (Var v : e.outputs) hash_type(h, p.type(v));
  }
  h.integer(static_cast<std::int64_t>(p.outputs.size()));
  for (Var v : p.outputs) h.integer(v);
  return h.finish();
}

/// Of the fields of a Params struct, about.
class CountBytes final : public FieldVisitorOfSome {
 public:
  std::size_t total = 0;
  void integers(std::string_view, std::vector<std::int64_t>& x) override { total += x.size() * sizeof x[0]; }
  void text(std::string_view, std::string& x) override { total += x.size(); }
  void texts(std::string_view, std::vector<std::string>& x) override {
    for (const std::string& s : x) total += sizeof(std::string) + s.size();
  }
  void type(std::string_view, Type& x) override { total += x.shape.size() * sizeof x.shape[0]; }
  void program(std::string_view, Program& x) override { total += x->bytes; }
  void programs(std::string_view, std::vector<Program>& x) override {
    for (const Program& p : x) total += p->bytes;
  }
  void bytes(std::string_view, std::string& x) override { total += x.size(); }
};

std::size_t bytes_of(const ProgramData& p) {
  std::size_t n = sizeof p + p.literals.size() * sizeof(Literal) + p.outputs.size() * sizeof(Var);
  for (const Type& t : p.types) n += sizeof t + t.shape.size() * sizeof(std::int64_t);
  for (const Equation& e : p.equations) {
    n += sizeof e + (e.inputs.size() + e.outputs.size()) * sizeof(Var) + 64;  // 64: about a Params struct
    CountBytes fields;
    e.params.visit(fields);
    n += fields.total;
  }
  return n;
}

}  // namespace

Effects effects_of(const Equation& e) {
  Effects strongest = e.primitive->effects ? e.primitive->effects(e.params) : Effects::none;
  for (const Program& p : programs_of(e.params)) strongest = std::max(strongest, p->effects);
  return strongest;
}

Hash hash(const Primitive& primitive, const Params& params, std::span<const Type> inputs) {
  Hasher h;
  h.text(primitive.name);
  HashFields fields(h);
  params.visit(fields);
  for (const Type& t : inputs) hash_type(h, t);
  return h.finish();
}

Var Builder::input(const Type& type) {
  const Var v = static_cast<Var>(types_.size());
  types_.push_back(type);
  kinds_.push_back(Kind::input);
  index_.push_back(static_cast<int>(inputs_.size()));
  inputs_.push_back(v);
  return v;
}

Var Builder::literal(const Literal& literal) {
  std::string content(reinterpret_cast<const char*>(literal.bytes), sizeof literal.bytes);
  content += static_cast<char>(literal.dtype);
  const auto [at, added] = literal_vars_.try_emplace(std::move(content), static_cast<Var>(types_.size()));
  const Var v = at->second;
  if (!added) return v;
  types_.push_back({literal.dtype, {}});
  kinds_.push_back(Kind::literal);
  index_.push_back(static_cast<int>(literals_.size()));
  literals_.push_back(literal);
  return v;
}

std::vector<Var> Builder::equation(const Primitive& primitive, Params params, std::vector<Var> inputs,
                                   const Types& outputs, int number) {
  Equation e{&primitive, std::move(params), std::move(inputs), {}, number};
  for (const Type& type : outputs) {
    e.outputs.push_back(static_cast<Var>(types_.size()));
    types_.push_back(type);
    kinds_.push_back(Kind::result);
    index_.push_back(-1);
  }
  std::vector<Var> results = e.outputs;
  equations_.push_back(std::move(e));
  return results;
}

Program Builder::finish(const std::vector<Var>& outputs) const {
  std::vector<bool> used(types_.size());
  for (Var v : outputs) used[static_cast<std::size_t>(v)] = true;
  std::vector<bool> kept(equations_.size());
  Effects strongest = Effects::none;
  for (std::size_t i = equations_.size(); i-- > 0;) {
    const Equation& e = equations_[i];
    const Effects effects = effects_of(e);
    strongest = std::max(strongest, effects);  // what has some is kept
    bool keep = effects != Effects::none;
    for (Var v : e.outputs) keep = keep || used[static_cast<std::size_t>(v)];
    kept[i] = keep;
    if (keep)
      for (Var v : e.inputs) used[static_cast<std::size_t>(v)] = true;
  }
  auto data = std::make_shared<ProgramData>();
  data->input_count = static_cast<int>(inputs_.size());
  std::vector<Var> renamed(types_.size(), -1);
  for (Var v : inputs_) {
    renamed[static_cast<std::size_t>(v)] = static_cast<Var>(data->types.size());
    data->types.push_back(type(v));
  }
  auto number_literal = [&](Var v) {
    const auto i = static_cast<std::size_t>(v);
    if (kinds_[i] != Kind::literal || renamed[i] >= 0) return;
    renamed[i] = static_cast<Var>(data->types.size());
    data->types.push_back(types_[i]);
    data->literals.push_back(literals_[static_cast<std::size_t>(index_[i])]);
  };
  for (std::size_t i = 0; i < equations_.size(); ++i)
    if (kept[i])
      for (Var v : equations_[i].inputs) number_literal(v);
  for (Var v : outputs) number_literal(v);
  auto rename = [&](std::vector<Var>& vars) {
    for (Var& v : vars) v = renamed[static_cast<std::size_t>(v)];
  };
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    if (!kept[i]) continue;
    Equation e = equations_[i];
    for (Var v : e.outputs) {
      renamed[static_cast<std::size_t>(v)] = static_cast<Var>(data->types.size());
      data->types.push_back(type(v));
    }
    rename(e.inputs);
    rename(e.outputs);
    data->equations.push_back(std::move(e));
  }
  data->effects = strongest;
  data->outputs = outputs;
  rename(data->outputs);
  data->types.shrink_to_fit();  // a Program may live long, in caches
  data->equations.shrink_to_fit();
  data->literals.shrink_to_fit();
  data->hash = hash_of(*data);
  data->bytes = bytes_of(*data);
  return Program(std::move(data));
}

Literal make_literal(Dtype dtype, double real, double imag) {
  Literal l{dtype};
  auto put = [&](auto value) { std::memcpy(l.bytes, &value, sizeof value); };
  switch (dtype) {
    case f16:
      put(to_half<float16>(real));
      break;
    case bf16:
      put(to_half<bfloat16>(real));
      break;
    case f32:
      put(static_cast<float>(real));
      break;
    case f64:
      put(real);
      break;
    case c64:
      put(std::complex<float>(static_cast<float>(real), static_cast<float>(imag)));
      break;
    case c128:
      put(std::complex<double>(real, imag));
      break;
    default:
      return make_integer_literal(dtype, convert_element<std::int64_t>(real));
  }
  return l;
}

Literal make_integer_literal(Dtype dtype, std::int64_t value) {
  Literal l{dtype};
  if (is_inexact(dtype)) {
    with_type(dtype, [&]<class T>(Tag<T>) {
      const T x = convert_element<T>(value);  // rounded once
      std::memcpy(l.bytes, &x, sizeof x);
    });
    return l;
  }
  if (dtype == boolean) value = value != 0;
  std::memcpy(l.bytes, &value, size_of(dtype));  // little-endian: the low bytes
  return l;
}

// ---- Program: the value
// -------------------------------------------------------------------------------------------

Program::Program() {
  static const Program none = Builder().finish({});
  data_ = none.data_;
}
Types Program::inputs() const { return {data_->types.begin(), data_->types.begin() + data_->input_count}; }
Types Program::outputs() const {
  Types types;
  for (Var v : data_->outputs) types.push_back(data_->type(v));
  return types;
}
const Hash& Program::hash() const { return data_->hash; }
std::size_t Program::equation_count() const { return data_->equations.size(); }

}  // namespace baton
