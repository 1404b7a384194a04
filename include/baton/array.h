#pragma once
// array: one class for all arrays, dense and row-major, with value semantics.
// Copies share memory; nothing that shares memory is ever written, so sharing cannot be seen.
#include <complex>
#include <cstring>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "baton/function_ref.h"
#include "baton/type.h"
#include "baton/where.h"

namespace baton {

struct Node;  // a buffer, a variable of a trace, or the memory of a donation
class Indexed;
struct Index;

namespace detail {
void retain(Node*) noexcept;
void release(Node*) noexcept;
template <class... I>
concept few_indices = sizeof...(I) > 0 && sizeof...(I) <= 4 &&
                      (std::is_convertible_v<const I&, Index> && ...);
}  // namespace detail

class Array {
 public:
  /// The empty array: no type, no data. It stands for "nothing here": a donated leaf, a gradient that is not
  /// there.
  Array() = default;
  /// A scalar of the dtype of T.
  template <Element T>
  Array(T value, Where where = Where::here()) : Array(Type{dtype_of<T>, {}}, &value, where) {}
  /// A vector, or with a shape an array in row-major order: `Array({1.f, 2.f, 3.f, 4.f}, {2, 2})`.
  template <Element T>
  explicit Array(std::initializer_list<T> values, Where where = Where::here())
      : Array(std::span<const T>(values.begin(), values.size()), {static_cast<std::int64_t>(values.size())},
              where) {}
  template <Element T>
  Array(std::initializer_list<T> values, Shape shape, Where where = Where::here())
      : Array(std::span<const T>(values.begin(), values.size()), std::move(shape), where) {}
  /// A matrix, row by row: `Array({{1.f, 2.f}, {3.f, 4.f}})`.
  template <Element T>
  explicit Array(std::initializer_list<std::initializer_list<T>> rows, Where where = Where::here()) {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>
        values;  // bool: no vector of bits
    const std::size_t columns = rows.size() ? rows.begin()->size() : 0;
    for (const std::initializer_list<T>& row : rows) {
      require_row(row.size(), columns, where);
      values.insert(values.end(), row.begin(), row.end());
    }
    const Shape shape = {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns)};
    *this = Array(Type{dtype_of<T>, shape}, values.data(), where);
  }
  template <Element T>
  requires(!std::is_same_v<T, bool>)
      Array(const std::vector<T>& values, Shape shape, Where where = Where::here())
      : Array(std::span<const T>(values), std::move(shape), where) {}
  template <Element T>
  Array(std::span<const T> values, Shape shape, Where where = Where::here())
      : Array(checked({dtype_of<T>, std::move(shape)}, values.size(), where), values.data(), where) {}
  /// Copies `type.bytes()` bytes, dense and row-major, from `data`.
  Array(const Type& type, const void* data, Where where = Where::here());

  Array(const Array& other) noexcept : node_(other.node_) {
    if (node_) detail::retain(node_);
  }
  Array(Array&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Array& operator=(const Array& other) noexcept {
    if (other.node_) detail::retain(other.node_);
    if (node_) detail::release(node_);
    node_ = other.node_;
    return *this;
  }
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      if (node_) detail::release(node_);
      node_ = std::exchange(other.node_, nullptr);
    }
    return *this;
  }
  ~Array() {
    if (node_) detail::release(node_);
  }

  /// Copies from memory with any strides, in bytes, negative ones too: element i is at data +
  /// sum(i[k]*strides[k]).
  static Array copy(const Type& type, const void* data, std::span<const std::int64_t> strides,
                    Where where = Where::here());
  /// Takes over dense, row-major memory; `deleter(data, context)` runs when the last array that uses it dies.
  static Array adopt(const Type& type, void* data, void (*deleter)(void* data, void* context),
                     void* context = nullptr, Where where = Where::here());
  /// Uses dense, row-major memory that must outlive every array made from it. It is never written and never
  /// donated.
  static Array borrow(const Type& type, const void* data, Where where = Where::here());

  bool empty() const { return !valid(); }  // nothing here; a zero-size array is not empty
  const Type& type() const;                // errors on the empty array
  const Shape& shape() const { return type().shape; }
  Dtype dtype() const { return type().dtype; }
  int rank() const { return type().rank(); }
  std::int64_t size() const { return type().size(); }
  std::int64_t dim(int axis) const;  // extent of an axis, counted from the end if negative
  bool traced() const;               // a value of a function that is being traced: it has a type but no data

  /// The one element, as T. Errors if there are more, if T would lose information, or inside a trace.
  template <Element T = float>
  T item(Where where = Where::here()) const {
    T value;
    item_into(dtype_of<T>, &value, where);
    return value;
  }
  /// The elements as T, which must be the array's dtype. The span keeps the memory alive through `owner`.
  template <Element T>
  struct Read {
    std::span<const T> values;
    const T& operator[](std::size_t i) const { return values[i]; }
    auto begin() const { return values.begin(); }
    auto end() const { return values.end(); }
    std::size_t size() const { return values.size(); }
    const T* data() const { return values.data(); }
    std::vector<T> vector() const { return {values.begin(), values.end()}; }
    Node* keep = nullptr;
    Read(std::span<const T> v, Node* n) : values(v), keep(n) { detail::retain(keep); }
    Read(const Read& o) : Read(o.values, o.keep) {}
    Read& operator=(const Read&) = delete;
    ~Read() { detail::release(keep); }
  };
  template <Element T>
  Read<T> read(Where where = Where::here()) const {
    const void* data = data_as(dtype_of<T>, where);
    return Read<T>({static_cast<const T*>(data), static_cast<std::size_t>(size())}, node_);
  }
  /// Refills an array that has this one owner, in place; if others share it, it gets memory of its own first.
  template <Element T>
  void write(std::span<const T> values, Where where = Where::here()) {
    write_from(dtype_of<T>, values.data(), values.size(), where);
  }
  template <Element T>
  void write(const std::vector<T>& values, Where where = Where::here()) {
    write(std::span<const T>(values), where);
  }
  /// Dense, row-major bytes of a concrete array.
  const void* data(Where where = Where::here()) const;

  /// Indexing as in JAX: integers, `range`, `all`, `newaxis`, `ellipsis`, integer arrays. Reads, or
  /// `.set/.add/...`.
  Indexed at(const Index&, Where where = Where::here()) const;
  Indexed at(const Index&, const Index&, Where where = Where::here()) const;
  Indexed at(const Index&, const Index&, const Index&, Where where = Where::here()) const;
  Indexed at(const Index&, const Index&, const Index&, const Index&, Where where = Where::here()) const;
  /// For more indices; errors of these have no line of their own.
  template <class... I>
  requires(!detail::few_indices<I...>) Indexed at(const I&... indices)
  const;

  Node* node() const { return node_; }  // for Baton's own rooms
  static Array from_node(Node* node) {  // takes over one reference
    Array a;
    a.node_ = node;
    return a;
  }

 private:
  static void require_row(std::size_t found, std::size_t first, Where where);
  static Type checked(Type type, std::size_t found, Where where);
  bool valid() const;
  void item_into(Dtype dtype, void* out, Where where) const;
  const void* data_as(Dtype dtype, Where where) const;
  void write_from(Dtype dtype, const void* data, std::size_t count, Where where);

  Node* node_ = nullptr;
};
using Arrays = std::vector<Array>;

/// As NumPy prints: nested brackets, long axes elided.
std::string show(const Array&);
std::ostream& operator<<(std::ostream&, const Array&);

/// An argument of an operation: an array or a number, and the line of the call.
/// A number takes the dtype of its partner; alone, an int is s32 and a floating number f32.
class Operand {
 public:
  Operand(const Array& array, Where where = Where::here()) : array_(&array), where_(where) {}
  /// What holds an array, such as a Stat.
  template <class T>
  requires requires(const T& holder) { holder.operator const Array&(); }
  Operand(const T& holder, Where where = Where::here()) : Operand(static_cast<const Array&>(holder), where) {}
  template <class T>
  requires(std::is_arithmetic_v<T>) Operand(T value, Where where = Where::here()) : where_(where) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::boolean, integer_ = value;
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = Kind::integer, integer_ = static_cast<std::int64_t>(value);
      above_s64_ = std::is_unsigned_v<T> && integer_ < 0;
    } else {
      kind_ = Kind::real, real_ = static_cast<double>(value);
    }
  }
  template <class T>
  Operand(std::complex<T> value, Where where = Where::here())
      : real_(value.real()), imag_(value.imag()), kind_(Kind::complex), where_(where) {}

  enum class Kind : std::uint8_t { array, boolean, integer, real, complex };
  Kind kind() const { return kind_; }
  bool is_array() const { return kind_ == Kind::array; }
  Where where() const { return where_; }
  /// The number, if this is an integer that was written as one (and s64 holds it).
  std::optional<std::int64_t> integer() const {
    return kind_ == Kind::integer && !above_s64_ ? std::optional<std::int64_t>(integer_) : std::nullopt;
  }
  /// The array itself, or a scalar array of the number's own dtype.
  Array array() const;
  /// The array itself, or the number as a scalar of this dtype (errors where the value would be lost).
  Array array(Dtype like) const;
  /// The dtype of this operand beside arrays of `partner`: a number takes its partner's, unless of a higher
  /// kind.
  Dtype dtype_beside(Dtype partner) const;
  Dtype dtype() const;

 private:
  const Array* array_ = nullptr;
  std::int64_t integer_ = 0;
  double real_ = 0, imag_ = 0;
  Kind kind_ = Kind::array;
  bool above_s64_ = false;  // an unsigned number whose bits integer_ holds
  Where where_;
};

/// Several operands of one operation, with the line of the call: `concatenate({a, b}, 0)`.
class Operands {
 public:
  Operands(std::initializer_list<Operand> list, Where where = Where::here());
  Operands(Arrays arrays, Where where = Where::here()) : arrays_(std::move(arrays)), where_(where) {}
  const Arrays& arrays() const { return arrays_; }
  std::size_t size() const { return arrays_.size(); }
  Where where() const { return where_; }

 private:
  Arrays arrays_;
  Where where_;
};

}  // namespace baton
