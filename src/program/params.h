#pragma once
// params: the static parameters of an equation, as a struct whose fields are listed once.
// Printing, parsing, comparing, hashing and copying come from the list, for every primitive.
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "baton/error.h"
#include "baton/program.h"
#include "baton/type.h"

namespace baton {

/// Visits the fields of a Params struct by kind. One implementation each: print, parse, hash.
class FieldVisitor {
 public:
  virtual void integer(std::string_view name, std::int64_t& value) = 0;
  virtual void integers(std::string_view name, std::vector<std::int64_t>& values) = 0;
  virtual void real(std::string_view name, double& value) = 0;
  virtual void boolean(std::string_view name, bool& value) = 0;
  virtual void text(std::string_view name, std::string& value) = 0;
  virtual void texts(std::string_view name, std::vector<std::string>& values) = 0;
  virtual void enumeration(std::string_view name, int& value, std::span<const std::string_view> names) = 0;
  virtual void dtype(std::string_view name, Dtype& value) = 0;
  virtual void type(std::string_view name, Type& value) = 0;
  virtual void program(std::string_view name, Program& value) = 0;
  virtual void programs(std::string_view name, std::vector<Program>& values) = 0;
  virtual void bytes(std::string_view name, std::string& value) = 0;  // raw data, printed in hex

 protected:
  ~FieldVisitor() = default;
};

/// A visitor that looks at some kinds of fields only.
class FieldVisitorOfSome : public FieldVisitor {
 public:
  void integer(std::string_view, std::int64_t&) override {}
  void integers(std::string_view, std::vector<std::int64_t>&) override {}
  void real(std::string_view, double&) override {}
  void boolean(std::string_view, bool&) override {}
  void text(std::string_view, std::string&) override {}
  void texts(std::string_view, std::vector<std::string>&) override {}
  void enumeration(std::string_view, int&, std::span<const std::string_view>) override {}
  void dtype(std::string_view, Dtype&) override {}
  void type(std::string_view, Type&) override {}
  void program(std::string_view, Program&) override {}
  void programs(std::string_view, std::vector<Program>&) override {}
  void bytes(std::string_view, std::string&) override {}

 protected:
  ~FieldVisitorOfSome() = default;
};

/// Raw data in a Params struct, apart from text.
struct Bytes {
  std::string data;
};

/// An enum with names, for Params: specialise `enum_names<E>` with an array of its names in order.
template <class E>
inline constexpr std::span<const std::string_view> enum_names = {};

namespace detail {
inline void visit_field(FieldVisitor& v, std::string_view n, std::int64_t& x) { v.integer(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, std::vector<std::int64_t>& x) {
  v.integers(n, x);
}
inline void visit_field(FieldVisitor& v, std::string_view n, double& x) { v.real(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, bool& x) { v.boolean(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, std::string& x) { v.text(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, std::vector<std::string>& x) { v.texts(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, Dtype& x) { v.dtype(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, Type& x) { v.type(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, Program& x) { v.program(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, std::vector<Program>& x) { v.programs(n, x); }
inline void visit_field(FieldVisitor& v, std::string_view n, Bytes& x) { v.bytes(n, x.data); }
inline void visit_field(FieldVisitor& v, std::string_view n, int& x) {
  std::int64_t wide = x;
  v.integer(n, wide);
  if (wide != static_cast<int>(wide))
    throw UsageError(std::string(n) + ": " + std::to_string(wide) + " is out of range.");
  if (wide != x)
    x = static_cast<int>(wide);  // a visitor that only reads must write nothing: threads share it
}
template <class E>
requires std::is_enum_v<E>
void visit_field(FieldVisitor& v, std::string_view n, E& x) {
  const int before = static_cast<int>(x);
  int i = before;
  v.enumeration(n, i, enum_names<E>);
  if (i != before) x = static_cast<E>(i);
}
}  // namespace detail

/// Lists the fields of a Params struct: `struct Slice { Shape start, limit, strides; BATON_FIELDS(start,
/// limit, strides) };`
#define BATON_FIELDS(...) \
  void fields([[maybe_unused]] ::baton::FieldVisitor& v_) { BATON_FIELDS_EACH(__VA_ARGS__) }
#define BATON_FIELDS_EACH(...) __VA_OPT__(BATON_F1(__VA_ARGS__))
#define BATON_FV(n) ::baton::detail::visit_field(v_, #n, n);
#define BATON_F1(a, ...) BATON_FV(a) __VA_OPT__(BATON_F2(__VA_ARGS__))
#define BATON_F2(a, ...) BATON_FV(a) __VA_OPT__(BATON_F3(__VA_ARGS__))
#define BATON_F3(a, ...) BATON_FV(a) __VA_OPT__(BATON_F4(__VA_ARGS__))
#define BATON_F4(a, ...) BATON_FV(a) __VA_OPT__(BATON_F5(__VA_ARGS__))
#define BATON_F5(a, ...) BATON_FV(a) __VA_OPT__(BATON_F6(__VA_ARGS__))
#define BATON_F6(a, ...) BATON_FV(a) __VA_OPT__(BATON_F7(__VA_ARGS__))
#define BATON_F7(a, ...) BATON_FV(a) __VA_OPT__(BATON_F8(__VA_ARGS__))
#define BATON_F8(a, ...) BATON_FV(a) __VA_OPT__(BATON_F9(__VA_ARGS__))
#define BATON_F9(a, ...) BATON_FV(a) __VA_OPT__(BATON_F10(__VA_ARGS__))
#define BATON_F10(a, ...) BATON_FV(a) __VA_OPT__(BATON_F11(__VA_ARGS__))
#define BATON_F11(a, ...) BATON_FV(a) __VA_OPT__(BATON_F12(__VA_ARGS__))
#define BATON_F12(a) BATON_FV(a)

/// A primitive without parameters.
struct None {
  BATON_FIELDS()
};

/// Any Params struct, immutable and shared.
class Params {
 public:
  Params() : Params(None{}) {}
  template <class T>
  requires(requires(T& t, FieldVisitor& v) { t.fields(v); } && !std::same_as<T, Params>) Params(T value)
      : held_(std::make_shared<T>(std::move(value))), ops_(&ops_of<T>) {}

  template <class T>
  bool is() const {
    return ops_ == &ops_of<T>;
  }
  template <class T>
  const T& as() const {
    return *static_cast<const T*>(held_.get());
  }
  /// Shows the fields to a visitor that only reads.
  void visit(FieldVisitor& v) const { ops_->fields(const_cast<void*>(held_.get()), v); }
  /// A copy whose fields the visitor has changed.
  Params with(FieldVisitor& v) const {
    Params copy = *this;
    copy.held_ = ops_->clone(held_.get());
    ops_->fields(const_cast<void*>(copy.held_.get()), v);
    return copy;
  }

 private:
  struct Ops {
    void (*fields)(void*, FieldVisitor&);
    std::shared_ptr<const void> (*clone)(const void*);
  };
  template <class T>
  static constexpr Ops ops_of = {[](void* p, FieldVisitor& v) { static_cast<T*>(p)->fields(v); },
                                 [](const void* p) -> std::shared_ptr<const void> {
                                   return std::make_shared<T>(*static_cast<const T*>(p));
                                 }};
  std::shared_ptr<const void> held_;
  const Ops* ops_;
};

/// The Programs that it holds.
std::vector<Program> programs_of(const Params&);
std::string show(const Params&);  // {permutation=[1,0]}, or nothing for None

}  // namespace baton
