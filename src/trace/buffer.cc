// buffer: memory of arrays, and what an Array points to.
#include <algorithm>
#include <memory>

#include "base/cache_line.h"
#include "base/counters.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/trace.h"

namespace baton {
namespace {

/// Small memory that a thread has freed and will soon take again, as the loss of a step: no call of the
/// system's allocator for it. Each thread has its own, so nobody waits.
class Spares {
 public:
  static constexpr std::size_t line = cache_line, largest = 2048;
  Buffer* take_buffer(std::size_t bytes) { return take(buffers_[bytes / line - 1]); }
  bool keep(Buffer* b) { return b->bytes <= largest && keep(buffers_[b->bytes / line - 1], b); }
  Node* take_node() { return take(nodes_); }
  bool keep(Node* n) { return keep(nodes_, n); }

  Spares() = default;
  ~Spares() {
    of_thread = nullptr;
    for (auto& list : buffers_)
      while (Buffer* b = take(list)) free_memory(b->data, b->bytes), delete b;
    while (Node* n = take(nodes_)) delete n;
  }
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;

  /// Those of this thread; nullptr when the thread is about to end, and where tools look for memory that is
  /// used after it was freed.
  static Spares* here() {
#if !defined(__SANITIZE_ADDRESS__)
    if (!begun) {
      begun = true;
      thread_local Spares mine;
      of_thread = &mine;
    }
#endif
    return of_thread;
  }

 private:
  template <class T, std::size_t n>
  struct List {
    T* items[n];
    std::size_t size = 0;
  };
  template <class T, std::size_t n>
  static T* take(List<T, n>& list) {
    return list.size ? list.items[--list.size] : nullptr;
  }
  template <class T, std::size_t n>
  static bool keep(List<T, n>& list, T* item) {
    if (list.size == n) return false;
    list.items[list.size++] = item;
    return true;
  }

  List<Buffer, 16> buffers_[largest / line];
  List<Node, 256> nodes_;
  [[maybe_unused]] static thread_local bool
      begun;  // these two have no destructor, so they can be asked at any time
  static thread_local Spares* of_thread;
};
thread_local bool Spares::begun = false;
thread_local Spares* Spares::of_thread = nullptr;

Node* new_node(Node::Kind kind, const Type& type) {
  Spares* spares = Spares::here();
  Node* n = spares ? spares->take_node() : nullptr;
  if (n)
    n->refs.store(1, std::memory_order_relaxed);
  else
    n = new Node;
  n->kind = kind;
  n->type = type;
  return n;
}

}  // namespace

Buffer* allocate(std::size_t bytes) {
  const std::size_t rounded = buffer_bytes(bytes);  // no shape has so many that it wraps
  Spares* spares = rounded <= Spares::largest ? Spares::here() : nullptr;
  Buffer* b = spares ? spares->take_buffer(rounded) : nullptr;
  if (b) {
    b->refs.store(1, std::memory_order_relaxed);
  } else {
    auto made = std::make_unique<Buffer>();
    made->data = take_memory(rounded);
    if (!made->data)
      throw DeviceError("baton: no memory for a buffer of " + bytes_text(static_cast<std::int64_t>(bytes)) +
                        ".");
    made->bytes = rounded;
    b = made.release();
    count().allocations.fetch_add(1, std::memory_order_relaxed);
  }
  count_live(static_cast<std::int64_t>(rounded));
  return b;
}

void release(Buffer* b) noexcept {
  if (b->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (b->ours) {
    count_live(-static_cast<std::int64_t>(b->bytes));
    if (Spares* spares = Spares::here(); spares && spares->keep(b)) return;
    free_memory(b->data, b->bytes);
  } else if (b->deleter) {
    b->deleter(b->data, b->context);
  }
  delete b;
}

namespace detail {
void retain(Node* n) noexcept { n->refs.fetch_add(1, std::memory_order_relaxed); }
void release(Node* n) noexcept {
  if (n->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (n->buffer) baton::release(std::exchange(n->buffer, nullptr));
  n->trace.reset();
  if (Spares* spares = Spares::here(); spares && spares->keep(n)) return;
  delete n;
}
}  // namespace detail

bool made_inside(const Array& a, const TraceInfo& trace) {
  for (const TraceInfo* t = a.node()->trace.get(); t; t = t->outer.get())
    if (t == &trace) return true;
  return false;
}
bool made_in_a_live_trace(const Array& a) {
  for (const TraceInfo* t = a.node()->trace.get(); t; t = t->outer.get())
    if (t->trace) return true;
  return false;
}

Array concrete(const Type& type, Buffer* buffer) {
  Node* n = new_node(Node::Kind::concrete, type);
  if (const Trace* trace = Trace::current()) n->trace = trace->shared_info();
  n->buffer = buffer;
  return Array::from_node(n);
}
Array uninitialized(const Type& type) { return concrete(type, allocate(type.bytes())); }
Array donated_at(const Type& type, Where where) {
  Node* n = new_node(Node::Kind::donated, type);
  n->where = where;
  return Array::from_node(n);
}
std::string donated_text(const Node& n) {
  return "is empty: it was donated at " + show(n.where) + " and not replaced.";
}
Array share(const Array& a, const Type& type) { return concrete(type, retain(a.node()->buffer)); }
bool sole_owner(const Array& a) {
  const Node* n = a.node();
  return n && n->kind == Node::Kind::concrete && n->refs.load(std::memory_order_acquire) == 1 &&
         n->buffer->refs.load(std::memory_order_acquire) == 1 && !n->buffer->borrowed;
}

}  // namespace baton
