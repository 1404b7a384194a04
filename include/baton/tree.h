#pragma once
// tree: any struct of arrays as a flat list of named leaves. The one reflective header.
// Aggregates need nothing; other classes list their fields with BATON_TREE(...). Trees may hold arrays,
// numbers, enums, strings, other trees, and std vector, array, pair, tuple, optional and map<string, T> of
// them.
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baton/array.h"
#include "baton/detail_fields.h"

namespace baton {

/// What a leaf is to training. A plain Array is trainable; an Array of integers or bool is `integer` whatever
/// it says.
enum class Role : std::uint8_t { trainable, statistic, metric, seed, integer, slot };

/// An array with another role: `Stat mean;` is carried and saved, and not differentiated.
template <Role role>
struct Leaf {
  Array value;
  operator const Array&() const { return value; }
  Leaf& operator=(Array a) {
    value = std::move(a);
    return *this;
  }
};
using Stat = Leaf<Role::statistic>;
using Metric = Leaf<Role::metric>;
using Seed = Leaf<Role::seed>;
using Slot = Leaf<Role::slot>;

/// Receives every leaf, depth first. Implemented in compiled code; never a template.
class LeafVisitor {
 public:
  virtual void array(Array&, Role) = 0;
  /// A number, enum or string: a constant of the Program. Sizes of containers come as constants too.
  virtual void constant(std::string_view bytes, std::string_view kind) = 0;
  virtual void enter(std::string_view name) = 0;
  virtual void enter(std::size_t index) = 0;
  virtual void leave() = 0;

 protected:
  ~LeafVisitor() = default;
};

namespace detail {
template <class T>
struct Fake {
  T value;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wundefined-var-template"
#pragma GCC diagnostic ignored "-Wundefined-internal"
template <class T>
extern const Fake<T> fake;
template <class P>
struct Ref {
  P p;
};
template <class P>
Ref(P) -> Ref<P>;
template <auto P>
consteval auto name_in_signature() {  // the field's name as the compiler prints it
  std::string_view s = __PRETTY_FUNCTION__;
  s = s.substr(0, s.find_last_of(']'));
  while (!s.empty() && (s.back() == '}' || s.back() == ')' || s.back() == ' ')) s.remove_suffix(1);
  return s.substr(s.find_last_of(":.>& ") + 1);
}
template <class T, std::size_t I>
constexpr std::string_view field_name = name_in_signature<Ref{&std::get<I>(tie(fake<T>.value))}>();
#pragma GCC diagnostic pop

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class T>
inline constexpr bool is_bits = false;
template <class A>
inline constexpr bool is_bits<std::vector<bool, A>> = true;
template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T, class C, class A>
inline constexpr bool is_map<std::map<std::string, T, C, A>> = true;
template <class T>
inline constexpr bool is_leaf = false;
template <Role r>
inline constexpr bool is_leaf<Leaf<r>> = true;
template <class T>
struct leaf_role;
template <Role r>
struct leaf_role<Leaf<r>> {
  static constexpr Role value = r;
};
template <class>
inline constexpr bool no = false;

struct FieldProbe {
  template <class T>
  void operator()(std::string_view, T&) const {}
};
template <class T>
concept Named = requires(T& t) {
  T::baton_fields(t, FieldProbe{});
};

/// Converts to every base class of T: the first value in the braces of an aggregate that has one is for that.
template <class T>
struct AnyBase {
  template <class B>
  requires(std::is_base_of_v<B, T> && !std::is_same_v<B, T>) operator B() const;
};
template <class T>
inline constexpr bool has_base = requires {
  T{AnyBase<T>{}};
};

/// Whether `visit` has something to say of this type, which may still hold what is no tree.
template <class T>
inline constexpr bool is_tree = std::is_same_v<T, Array> || is_leaf<T> || std::is_arithmetic_v<T> ||
                                std::is_enum_v<T> || std::is_same_v<T, std::string> || is_vector<T> ||
                                is_std_array<T> || is_map<T> || is_optional<T> || is_tuple<T> || Named<T> ||
                                (std::is_class_v<T> && (std::is_empty_v<T> || std::is_aggregate_v<T>));
/// The compiler prints the field's name and type with this function's.
template <auto field, class Type>
void not_a_tree() {
  static_assert(
      no<Type>,
      "baton: this field is not a tree. Make it an aggregate of arrays, or list the other fields of "
      "its struct with BATON_TREE(...)");
}
template <class T, std::size_t I, class Field, class Child>
void visit_field(Field& field, Child& child) {
  if constexpr (is_tree<Field>)
    child(field_name<T, I>, field);
  else
    not_a_tree<Ref{&std::get<I>(tie(fake<T>.value))}, Field>();
}

inline void visit_size(std::size_t n, LeafVisitor& v) {
  v.constant({reinterpret_cast<const char*>(&n), sizeof n}, "size");
}
}  // namespace detail

/// Visits the leaves of `x` depth first. The one template that a new kind of container must be added to.
template <class T>
void visit(T& x, LeafVisitor& v) {
  auto child = [&](auto name, auto& y) {
    v.enter(name);
    visit(y, v);
    v.leave();
  };
  if constexpr (std::is_same_v<T, Array>) {
    v.array(x, Role::trainable);
  } else if constexpr (detail::is_leaf<T>) {
    v.array(x.value, detail::leaf_role<T>::value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    static_assert(!std::is_same_v<T, long double>,
                  "baton: a tree cannot hold a long double, some of whose bytes have no meaning. Use double");
    v.constant({reinterpret_cast<const char*>(&x), sizeof x}, std::is_floating_point_v<T> ? "real"
                                                              : std::is_same_v<T, bool>   ? "bool"
                                                                                          : "integer");
  } else if constexpr (std::is_same_v<T, std::string>) {
    v.constant(x, "text");
  } else if constexpr (detail::is_bits<T>) {
    static_assert(detail::no<T>,
                  "baton: a tree cannot hold a std::vector<bool>, which has no bools to point to. Use "
                  "std::array<bool, n>, or an Array of bool");
  } else if constexpr (detail::is_vector<T> || detail::is_std_array<T>) {
    if constexpr (detail::is_vector<T>) detail::visit_size(x.size(), v);
    std::size_t i = 0;
    for (auto& y : x) child(i++, y);
  } else if constexpr (detail::is_map<T>) {
    detail::visit_size(x.size(), v);
    for (auto& [name, y] : x) {
      v.constant(name, "key");
      child(std::string_view(name), y);
    }
  } else if constexpr (detail::is_optional<T>) {
    detail::visit_size(x ? 1 : 0, v);
    if (x) visit(*x, v);
  } else if constexpr (detail::is_tuple<T>) {
    std::apply(
        [&](auto&... y) {
          [[maybe_unused]] std::size_t i = 0;
          (child(i++, y), ...);
        },
        x);
  } else if constexpr (detail::Named<T>) {
    T::baton_fields(x, child);
  } else if constexpr (std::is_empty_v<T>) {
  } else if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>) {
    if constexpr (detail::has_base<T>) {
      static_assert(detail::no<T>,
                    "baton: a struct with base classes is no tree by itself. List its fields, and those of "
                    "its bases, with BATON_TREE(...)");
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto t = detail::tie(x);
        (detail::visit_field<T, I>(std::get<I>(t), child), ...);
      }
      (std::make_index_sequence<detail::count<T>()>{});
    }
  } else {
    static_assert(detail::no<T>,
                  "baton: this type is not a tree. Make it an aggregate of arrays, or list its fields with "
                  "BATON_TREE(...)");
  }
}

#define BATON_E(...) BATON_E1(BATON_E1(BATON_E1(BATON_E1(__VA_ARGS__))))
#define BATON_E1(...) BATON_E2(BATON_E2(BATON_E2(BATON_E2(__VA_ARGS__))))
#define BATON_E2(...) BATON_E3(BATON_E3(BATON_E3(BATON_E3(__VA_ARGS__))))
#define BATON_E3(...) __VA_ARGS__
#define BATON_P ()
#define BATON_EACH(m, ...) __VA_OPT__(BATON_E(BATON_EACH_ONE(m, __VA_ARGS__)))
#define BATON_EACH_ONE(m, a, ...) m(a) __VA_OPT__(BATON_AGAIN BATON_P(m, __VA_ARGS__))
#define BATON_AGAIN() BATON_EACH_ONE
#define BATON_FIELD(n) f_(std::string_view(#n), self_.n);
/// For classes that are not aggregates, and for faster builds: `BATON_TREE(weight, bias)` inside the class.
#define BATON_TREE(...)                             \
  template <class Self_, class F_>                  \
  static void baton_fields(Self_& self_, F_&& f_) { \
    BATON_EACH(BATON_FIELD, __VA_ARGS__)            \
  }

// ---- trees in compiled code
// ---------------------------------------------------------------------------------------

namespace core {
using VisitFn = void (*)(void* tree, LeafVisitor&);
/// A tree without its type.
struct TreeRef {
  void* object = nullptr;
  VisitFn visit = nullptr;
};
Arrays flatten(TreeRef);
void assign(TreeRef, std::span<const Array> leaves, Where = {});  // as many as flatten gives
std::vector<std::string> paths(TreeRef, std::string_view root);
std::vector<Role> roles(TreeRef);  // integers by dtype
std::size_t leaf_count(TreeRef);
/// A copy of a concrete leaf in memory of its own; others as they are.
Array deep_copy(const Array&);
void copy_into(TreeRef destination, TreeRef source, Where);
[[noreturn]] void structure_error(const char* who, const std::string& message, Where);
void require_same_structure(const char* who, TreeRef, TreeRef, Where);
}  // namespace core

namespace detail {
template <class T>
[[gnu::cold]] void visit_erased(void* p, LeafVisitor& v) {
  visit(*static_cast<T*>(p), v);
}
template <class T>
core::TreeRef tree_ref(const T& t) {  // the visitor that is used with it decides whether it writes
  return {const_cast<T*>(&t), &visit_erased<T>};
}
template <class T>
[[gnu::cold]] T with_leaves(T t, std::span<const Array> leaves, Where where = {}) {
  core::assign(tree_ref(t), leaves, where);
  return t;
}
/// The tree with empty leaves: its structure and constants alone.
template <class T>
[[gnu::cold]] T emptied(T t) {
  const Arrays none(core::leaf_count(tree_ref(t)));
  return detail::with_leaves(std::move(t), none);
}
}  // namespace detail

/// The array leaves of a tree, depth first.
template <class T>
Arrays leaves(const T& tree) {
  return core::flatten(detail::tree_ref(tree));
}
/// The paths of the leaves, as in `model.hidden[2].weight`.
template <class T>
std::vector<std::string> leaf_paths(const T& tree) {
  return core::paths(detail::tree_ref(tree), "");
}
template <class T>
std::vector<Role> leaf_roles(const T& tree) {
  return core::roles(detail::tree_ref(tree));
}
/// The tree with other leaves, as many as it has.
template <class T>
T with_leaves(T tree, std::span<const Array> new_leaves, Where where = Where::here()) {
  return detail::with_leaves(std::move(tree), new_leaves, where);
}
namespace detail {
template <class F, class T, class... Rest>
T tree_map(F&& f, T t, Where where, const Rest&... rest) {
  static_assert((std::is_same_v<T, Rest> && ...), "baton::tree_map: all trees must have the same type");
  (core::require_same_structure("tree_map", tree_ref(t), tree_ref(rest), where), ...);
  Arrays first = leaves(t);
  const Arrays others[] = {leaves(rest)..., Arrays{}};
  for (std::size_t i = 0; i < first.size(); ++i) [&]<std::size_t... I>(std::index_sequence<I...>) {
      if (!first[i].empty() && (!others[I][i].empty() && ...)) first[i] = f(first[i], others[I][i]...);
    }
  (std::index_sequence_for<Rest...>{});
  return detail::with_leaves(std::move(t), first, where);
}
}  // namespace detail
/// f of each leaf, and of the leaves of further trees at the same place; leaves that are empty in any tree
/// are kept from the first. All trees have one type.
template <class F, class T>
T tree_map(F&& f, T t, Where where = Where::here()) {
  return detail::tree_map(f, std::move(t), where);
}
template <class F, class T, class U>
T tree_map(F&& f, T t, const U& u, Where where = Where::here()) {
  return detail::tree_map(f, std::move(t), where, u);
}
template <class F, class T, class U, class V>
T tree_map(F&& f, T t, const U& u, const V& v, Where where = Where::here()) {
  return detail::tree_map(f, std::move(t), where, u, v);
}
template <class F, class T, class U, class V, class W, class... More>  // its errors have no line of their own
T tree_map(F&& f, T t, const U& u, const V& v, const W& w, const More&... more) {
  return detail::tree_map(f, std::move(t), Where{}, u, v, w, more...);
}
/// A copy whose leaves share nothing with the tree's.
template <class T>
T clone(T tree) {
  Arrays all = leaves(tree);
  for (Array& a : all) a = core::deep_copy(a);
  return detail::with_leaves(std::move(tree), all);
}
/// Fills the arrays of an existing tree with the values of another, in place where it is the only owner of
/// its memory: a learner publishes weights while another thread that holds a copy predicts. Structures and
/// types must be equal.
template <class T>
void copy_into(T& destination, const T& source, Where where = Where::here()) {
  core::copy_into(detail::tree_ref(destination), detail::tree_ref(source), where);
}

}  // namespace baton
