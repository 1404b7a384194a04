// array: the members of Array and Operand.
#include "baton/array.h"

#include <cmath>
#include <cstring>

#include "base/counters.h"
#include "base/element.h"
#include "base/text.h"
#include "trace/check_shape.h"
#include "trace/trace.h"

namespace baton {
namespace {

/// Inside a function of ours the user's call of it is the line, whoever asked.
std::string called_from(Where where) { return called_at(Frame::blame(where)); }

[[noreturn]] void no_value(const Array& a, std::string_view who, Where where) {
  const Node* n = a.node();
  if (!n)
    throw EmptyOperand(std::string(who) +
                       ": the array is empty: it was never set, or its value was moved away." +
                       called_from(where));
  if (n->kind == Node::Kind::donated)
    throw UsageError(std::string(who) + ": the array " + donated_text(*n) + called_from(where) +
                     donated_cure);
  const std::string asked =
      std::string(who) + ": the value of a traced array " + show(n->type) + " was asked for. ";
  const std::string name = "`" + n->trace->name + "`";
  if (!n->trace->where.known() && n->trace->name == "abstract")
    throw UsageError(asked + "It has a type and no value: it comes from abstract or eval_shape." +
                     called_from(where));
  if (!n->trace->trace)
    throw UsageError(asked + "It was made at " + show(n->where) + " while " + name +
                     " was traced, and has escaped: that trace has ended." + called_from(where) +
                     "\n  Return the value from " + name + " instead of keeping it in a variable outside.");
  throw UsageError(
      asked + "While " + name + " is traced (at " + show(n->trace->where) +
      ") arrays have types but no values." + called_from(where) +
      "\n  Use `cond` or `where` to choose by value, `host_function` to call C++ with values, or return "
      "the array and read it outside.");
}

void require_data(const Type& type, const void* data, std::string_view who, Where where) {
  if (type.bytes() && !data)
    throw UsageError(std::string(who) + ": the values of " + show(type) +
                     " are required, found a null pointer." + called_from(where));
}

/// Memory of others must be there, aligned as its elements are read, and hold truth values as C++ does.
void check_memory(const Type& type, const void* data, std::string_view who, Where where) {
  const std::size_t alignment = size_of(real_of(type.dtype));
  require_data(type, data, who, where);
  if (type.size() && reinterpret_cast<std::uintptr_t>(data) % alignment)
    throw UsageError(std::string(who) + ": memory for " + show(type) + " must be aligned to " +
                     std::to_string(alignment) + " bytes, found another address." + called_from(where) +
                     "\n  Use Array::copy, which takes any memory.");
  if (type.dtype != Dtype::boolean) return;
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::int64_t i = 0; i < type.size(); ++i)
    if (bytes[i] > 1)
      throw UsageError(std::string(who) + ": the elements of " + show(type) + " must be 0 or 1, found " +
                       std::to_string(bytes[i]) + " at " + std::to_string(i) + "." + called_from(where) +
                       "\n  Use Array::copy, which takes any memory.");
}

/// Whether every value of `from` is a value of `to`.
bool widens(Dtype from, Dtype to) {
  if (from == to || from == Dtype::boolean) return true;
  if (is_complex(from)) return to == Dtype::c128 || (to == Dtype::c64 && from == Dtype::c64);
  if (is_complex(to)) return widens(from, real_of(to));
  if (is_real_floating(from)) return is_real_floating(to) && size_of(to) > size_of(from);
  if (!is_integer(to)) {
    if (is_real_floating(to))
      return size_of(from) * 8 <= (to == f64 ? 53u : to == f32 ? 24u : to == f16 ? 11u : 8u);
    return false;
  }
  if (is_unsigned(from))
    return size_of(to) > size_of(from) || (is_unsigned(to) && size_of(to) >= size_of(from));
  return is_signed(to) && size_of(to) >= size_of(from);
}

std::string cpp_name(Dtype d) {
  static constexpr const char* names[] = {"bool",
                                          "int8_t",
                                          "int16_t",
                                          "int",
                                          "int64_t",
                                          "uint8_t",
                                          "uint16_t",
                                          "uint32_t",
                                          "uint64_t",
                                          "float16",
                                          "bfloat16",
                                          "float",
                                          "double",
                                          "std::complex<float>",
                                          "std::complex<double>"};
  return names[static_cast<int>(d)];
}

}  // namespace

void check_shape(const Type& type, std::string_view who, Where where) {
  if (const std::string fault = fault_of_extents(type); !fault.empty())
    throw UsageError(std::string(who) + ": " + fault + "." + called_from(where));
}

void Array::require_row(std::size_t found, std::size_t first, Where where) {
  if (found != first)
    throw UsageError("Array: every row must have as many values as the first, " + std::to_string(first) +
                     ", found " + std::to_string(found) + "." + called_from(where));
}

Type Array::checked(Type type, std::size_t found, Where where) {
  check_shape(type, "Array", where);
  if (static_cast<std::size_t>(type.size()) != found)
    throw UsageError("Array: the shape " + show(type.shape) + " has " + std::to_string(type.size()) +
                     " elements, found " + std::to_string(found) + " values." + called_from(where));
  return type;
}

Array::Array(const Type& type, const void* data, Where where) {
  check_shape(type, "Array", where);
  require_data(type, data, "Array", where);
  std::string truths;  // any byte but 0 is true; in arrays it is 1
  if (type.dtype == Dtype::boolean) {
    if (type.bytes()) truths.assign(static_cast<const char*>(data), type.bytes());
    for (char& c : truths) c = c != 0;
    data = truths.data();
  }
  if (Trace* trace = Trace::current()) {  // built inside a trace: a constant of the Program
    if (type.shape.empty()) {
      Literal l{type.dtype};
      std::memcpy(l.bytes, data, size_of(type.dtype));
      *this = trace->literal(l);
    } else {
      *this = constant(type, data, where);
    }
    return;
  }
  *this = uninitialized(type);
  if (type.bytes()) std::memcpy(data_of(*this), data, type.bytes());
}

Array Array::copy(const Type& type, const void* data, std::span<const std::int64_t> strides, Where where) {
  check_shape(type, "Array::copy", where);
  if (strides.size() != type.shape.size())
    throw UsageError("Array::copy: one stride for each axis is required; the shape " + show(type.shape) +
                     " has " + std::to_string(type.rank()) + " axes, found " +
                     std::to_string(strides.size()) + " strides." + called_from(where));
  require_data(type, data, "Array::copy", where);
  Array out = uninitialized(type);
  const std::size_t width = size_of(type.dtype);
  char* to = static_cast<char*>(data_of(out));
  std::vector<std::int64_t> index(type.shape.size());
  for (std::int64_t i = 0, n = type.size(); i < n; ++i, to += width) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < index.size(); ++k) offset += index[k] * strides[k];
    std::memcpy(to, static_cast<const char*>(data) + offset, width);
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < type.shape[k]) break;
      index[k] = 0;
    }
  }
  return type.dtype == Dtype::boolean ? Array(type, data_of(out), where) : out;  // which knows what is true
}

Array Array::adopt(const Type& type, void* data, void (*deleter)(void*, void*), void* context, Where where) {
  check_shape(type, "Array::adopt", where);
  check_memory(type, data, "Array::adopt", where);
  auto* b = new Buffer;
  b->data = data;
  b->bytes = type.bytes();
  b->ours = false;
  b->deleter = deleter;
  b->context = context;
  return concrete(type, b);
}

Array Array::borrow(const Type& type, const void* data, Where where) {
  check_shape(type, "Array::borrow", where);
  check_memory(type, data, "Array::borrow", where);
  auto* b = new Buffer;
  b->data = const_cast<void*>(data);
  b->bytes = type.bytes();
  b->ours = false;
  b->borrowed = true;
  return concrete(type, b);
}

bool Array::valid() const { return node_ && node_->kind != Node::Kind::donated; }
bool Array::traced() const { return node_ && node_->kind == Node::Kind::traced; }

const Type& Array::type() const {
  if (!valid()) no_value(*this, "Array::type", {});
  return node_->type;
}

std::int64_t Array::dim(int axis) const {
  const int r = rank();
  if (axis < -r || axis >= r)
    throw UsageError("Array::dim: axis " + std::to_string(axis) + " is out of range for " + show(type()) +
                     "." + called_from({}));
  return shape()[static_cast<std::size_t>(axis < 0 ? axis + r : axis)];
}

void Array::item_into(Dtype dtype, void* out, Where where) const {
  if (!node_ || node_->kind != Node::Kind::concrete) no_value(*this, "item", where);
  if (size() != 1)
    throw UsageError("item: an array of one element is required, found " + show(type()) + "." +
                     called_from(where) + "\n  Index it first, or use read<T>().");
  if (!widens(this->dtype(), dtype))
    throw UsageError("item<" + cpp_name(dtype) + ">: would narrow " + show(type()) + "." +
                     called_from(where) + "\n  Use item<" + cpp_name(this->dtype()) +
                     ">(), or convert the array with astype.");
  with_type(this->dtype(), [&]<class From>(Tag<From>) {
    const From x = *static_cast<const From*>(node_->buffer->data);
    with_type(dtype, [&]<class To>(Tag<To>) { *static_cast<To*>(out) = convert_element<To>(x); });
  });
}

const void* Array::data(Where where) const {
  if (!node_ || node_->kind != Node::Kind::concrete) no_value(*this, "data", where);
  return node_->buffer->data;
}

const void* Array::data_as(Dtype dtype, Where where) const {
  if (!node_ || node_->kind != Node::Kind::concrete) no_value(*this, "read", where);
  if (this->dtype() != dtype)
    throw UsageError("read<" + cpp_name(dtype) + ">: the array is " + show(type()) + "." +
                     called_from(where) + "\n  Use read<" + cpp_name(this->dtype()) +
                     ">(), or convert the array with astype.");
  return node_->buffer->data;
}

void Array::write_from(Dtype dtype, const void* data, std::size_t count_, Where where) {
  if (!node_ || node_->kind != Node::Kind::concrete) no_value(*this, "write", where);
  if (this->dtype() != dtype || static_cast<std::size_t>(size()) != count_)
    throw UsageError("write: values of " + show(type()) + " are required, found " + std::to_string(count_) +
                     " of " + std::string(name_of(dtype)) + "." + called_from(where));
  if (sole_owner(*this)) {
    if (count_) std::memmove(node_->buffer->data, data, type().bytes());
    return;
  }
  Array fresh = uninitialized(type());
  if (count_) std::memcpy(data_of(fresh), data, type().bytes());  // `data` may lie in the old memory
  count().copies.fetch_add(1, std::memory_order_relaxed);
  *this = std::move(fresh);
}

// ---- Operand
// ------------------------------------------------------------------------------------------------------

namespace {
Array scalar(const Literal& l, Where where) { return Array({l.dtype, {}}, l.bytes, where); }

bool is_value_of(Dtype integer, double x) {
  const int bits = static_cast<int>(size_of(integer)) * 8;
  const double high = std::ldexp(1.0, is_signed(integer) ? bits - 1 : bits);  // the first one beyond
  return x == std::trunc(x) && x < high && x >= (is_signed(integer) ? -high : 0.0);
}
}  // namespace

Dtype Operand::dtype() const {
  switch (kind_) {
    case Kind::array:
      return array_->dtype();
    case Kind::boolean:
      return Dtype::boolean;
    case Kind::integer:
      return s32;
    case Kind::real:
      return f32;
    case Kind::complex:
      return c64;
  }
  return f32;
}

Dtype Operand::dtype_beside(Dtype partner) const {
  switch (kind_) {
    case Kind::array:
      return promote(array_->dtype(), partner);
    case Kind::boolean:
      return partner;
    case Kind::integer:
      return partner == Dtype::boolean ? s32 : partner;
    case Kind::real:
      return is_inexact(partner) ? partner : f32;
    case Kind::complex:
      return is_complex(partner) ? partner : partner == f64 ? c128 : c64;
  }
  return partner;
}

Array Operand::array() const {
  if (kind_ == Kind::array) return *array_;
  if (above_s64_) return array(u64);
  if (kind_ == Kind::integer && (integer_ > 2147483647 || integer_ < -2147483647 - 1)) return array(s64);
  return array(dtype());
}

Array Operand::array(Dtype like) const {
  if (kind_ == Kind::array) return *array_;
  if (kind_ == Kind::boolean || kind_ == Kind::integer) {
    if (is_integer(like)) {
      const int bits = static_cast<int>(size_of(like)) * 8;
      const bool fits = above_s64_ ? like == u64
                        : is_signed(like)
                            ? bits == 64 || (integer_ >= -(std::int64_t{1} << (bits - 1)) &&
                                             integer_ < (std::int64_t{1} << (bits - 1)))
                            : integer_ >= 0 && (bits == 64 || integer_ < (std::int64_t{1} << bits));
      if (!fits && (above_s64_ || integer_ != -1))  // -1 is used as "all bits" with unsigned types
        throw UsageError(
            "the number " +
            (above_s64_ ? std::to_string(static_cast<std::uint64_t>(integer_)) : std::to_string(integer_)) +
            " is not a value of " + std::string(name_of(like)) + ", the dtype of the array beside it." +
            called_from(where_));
    }
    if (above_s64_ && is_inexact(like))
      return scalar(make_literal(like, static_cast<double>(static_cast<std::uint64_t>(integer_))), where_);
    return scalar(make_integer_literal(like, integer_), where_);
  }
  if (like == Dtype::boolean) return scalar(make_integer_literal(like, real_ != 0 || imag_ != 0), where_);
  if ((imag_ != 0 && !is_complex(like)) || (is_integer(like) && !is_value_of(like, real_)))
    throw UsageError("the number " + show(make_literal(kind_ == Kind::complex ? c128 : f64, real_, imag_)) +
                     " is not a value of " + std::string(name_of(like)) +
                     ", the dtype of the array beside it." + called_from(where_) +
                     "\n  Convert the array with astype, or write a number of its dtype.");
  return scalar(make_literal(like, real_, imag_), where_);
}

Operands::Operands(std::initializer_list<Operand> list, Where where) : where_(where) {
  bool any = false;
  Dtype like = f32;
  for (const Operand& o : list)
    if (o.is_array() && !o.array().empty()) like = any ? promote(like, o.dtype()) : o.dtype(), any = true;
  for (const Operand& o : list)
    arrays_.push_back(o.is_array() || !any ? o.array() : o.array(o.dtype_beside(like)));
}

}  // namespace baton
