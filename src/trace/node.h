#pragma once
// node: what an Array points to: a buffer, a variable of a trace, or the memory of a donation.
#include <atomic>
#include <memory>

#include "baton/array.h"
#include "program/program.h"

namespace baton {

/// Memory, counted by its owners. Made by `allocate`, `adopt` or `borrow`.
struct Buffer {
  std::atomic<int> refs{1};
  void* data = nullptr;
  std::size_t bytes = 0;
  bool ours =
      true;  // taken by `allocate`, in whole cache lines; or adopted, of any size, and freed by `deleter`
  bool borrowed = false;  // never written, never donated
  void (*deleter)(void* data, void* context) = nullptr;
  void* context = nullptr;
};
Buffer* allocate(std::size_t bytes);  // aligned to 64, rounded up to 64; throws DeviceError
void release(Buffer*) noexcept;
inline Buffer* retain(Buffer* b) {
  b->refs.fetch_add(1, std::memory_order_relaxed);
  return b;
}

struct TraceInfo;

struct Node {
  enum class Kind : unsigned char { concrete, traced, donated };
  std::atomic<int> refs{1};
  Kind kind = Kind::concrete;
  Type type;
  Buffer* buffer = nullptr;          // concrete
  std::shared_ptr<TraceInfo> trace;  // traced; concrete: that in which it was made, if any
  Var var = -1;                      // traced
  Where where;                       // traced: the line that made it; donated: the line that took it
};

/// A concrete array over this buffer; takes over one reference to it.
Array concrete(const Type&, Buffer*);
/// A concrete array with memory of its own, not yet filled.
Array uninitialized(const Type&);
/// What a moved-from leaf becomes.
Array donated_at(const Type&, Where);
/// The end of a sentence about one: "is empty: it was donated at train.cc:41 and not replaced."
std::string donated_text(const Node&);
inline constexpr const char* donated_cure =
    "\n  Go on with what that call returned, or give the state to `update`, which puts it back.";
/// Another shape over the same buffer; the number of elements must be equal.
Array share(const Array&, const Type&);
/// Whether a concrete array was made while this trace lived, by Array::copy and its like.
bool made_inside(const Array&, const TraceInfo&);
/// Whether it was made in a trace that has not ended.
bool made_in_a_live_trace(const Array&);
/// Whether this handle is the only owner of its memory and the memory is ours to reuse.
bool sole_owner(const Array&);
inline void* data_of(const Array& a) { return a.node()->buffer->data; }

}  // namespace baton
