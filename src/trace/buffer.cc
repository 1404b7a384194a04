// buffer: memory of arrays, and what an Array points to.
#include <cstdlib>

#include "base/counters.h"
#include "base/text.h"
#include "trace/trace.h"

namespace baton {
namespace {

void count_live(std::int64_t bytes) {
  AtomicCounters& c = count();
  const std::int64_t now = c.live_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t peak = c.peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !c.peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

}  // namespace

Buffer* allocate(std::size_t bytes) {
  const std::size_t rounded =
      bytes <= 64 ? 64 : (bytes + 63) / 64 * 64;  // no shape has so many that it wraps
  void* data = std::aligned_alloc(64, rounded);
  if (!data)
    throw DeviceError("baton: no memory for a buffer of " + bytes_text(static_cast<std::int64_t>(bytes)) +
                      ".");
  auto* b = new Buffer;
  b->data = data;
  b->bytes = rounded;
  count().allocations.fetch_add(1, std::memory_order_relaxed);
  count_live(static_cast<std::int64_t>(rounded));
  return b;
}

void release(Buffer* b) noexcept {
  if (b->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (b->ours) {
    std::free(b->data);
    count_live(-static_cast<std::int64_t>(b->bytes));
  } else if (b->deleter) {
    b->deleter(b->data, b->context);
  }
  delete b;
}

namespace detail {
void retain(Node* n) noexcept { n->refs.fetch_add(1, std::memory_order_relaxed); }
void release(Node* n) noexcept {
  if (n->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (n->buffer) baton::release(n->buffer);
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
  auto* n = new Node;
  if (const Trace* trace = Trace::current()) n->trace = trace->shared_info();
  n->type = type;
  n->buffer = buffer;
  return Array::from_node(n);
}
Array uninitialized(const Type& type) { return concrete(type, allocate(type.bytes())); }
Array donated_at(const Type& type, Where where) {
  auto* n = new Node;
  n->kind = Node::Kind::donated;
  n->type = type;
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
