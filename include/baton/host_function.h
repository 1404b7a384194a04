#pragma once
// host_function: C++ code with values, called from inside compiled functions.
#include "baton/array.h"

namespace baton {

/// An operand or result of a host function: memory of the running Program, without a copy.
class HostArray {
 public:
  HostArray(const Type& type, void* data) : type_(&type), data_(data) {}
  const Type& type() const { return *type_; }
  /// The elements as T, which must be the array's dtype. Write only to results.
  template <Element T>
  std::span<T> as() const {
    require(dtype_of<T>);
    return {static_cast<T*>(data_), static_cast<std::size_t>(type_->size())};
  }

 private:
  void require(Dtype) const;  // throws a UsageError
  const Type* type_;
  void* data_;
};

enum class HostKind {
  pure,  // results depend on operands alone: may be dropped, merged, repeated
  io,    // runs once for each call, in order; an error under vmap and differentiation
};
struct HostOptions {
  HostKind kind = HostKind::pure;
  std::string name = {};  // for messages
};

namespace core {
struct HostCallable {
  virtual ~HostCallable() = default;
  virtual void call(std::span<const HostArray> in, std::span<const HostArray> out) = 0;
};
Arrays host_function(HostCallable* owned, const Types& results, const Operands& operands,
                     const HostOptions& options);
}  // namespace core

/// Calls f(operands, results), where results have these types and f fills them. Inside a trace the call
/// becomes part of the Program; f itself is an argument of it, so a fresh f compiles nothing. f has no
/// derivative: wrap the call in a function with custom_vjp or custom_jvp to give it one. f must be callable
/// from the thread that runs the Program.
template <class F>
Arrays host_function(F f, const Types& results, Operands operands, const HostOptions& options = {}) {
  static_assert(std::is_invocable_v<F&, std::span<const HostArray>, std::span<const HostArray>>,
                "baton::host_function: the function must take (std::span<const HostArray> operands, "
                "std::span<const HostArray> results)");
  struct Held final : core::HostCallable {
    explicit Held(F f) : f_(std::move(f)) {}
    void call(std::span<const HostArray> in, std::span<const HostArray> out) override { f_(in, out); }
    F f_;
  };
  return core::host_function(new Held(std::move(f)), results, operands, options);
}

/// Prints "label: value" to standard output whenever the Program runs here, and gives back x.
Array host_print(Operand x, std::string label);

}  // namespace baton
