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
  const std::size_t rounded = bytes <= 64 ? 64 : (bytes + 63) / 64 * 64;
  if (rounded < bytes)
    throw DeviceError("baton: an array of more bytes than can be addressed was asked for.");
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

namespace {
/// Marks concrete arrays that a function made while it was traced, by Array::copy and its like.
const std::shared_ptr<TraceInfo>& made_inside() {
  static const auto mark = std::make_shared<TraceInfo>("made inside", Where{}, nullptr);
  return mark;
}
}  // namespace
bool made_inside_a_trace(const Array& a) { return a.node()->trace == made_inside(); }

Array concrete(const Type& type, Buffer* buffer) {
  auto* n = new Node;
  if (Trace::current()) n->trace = made_inside();
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
Array share(const Array& a, const Type& type) { return concrete(type, retain(a.node()->buffer)); }
bool sole_owner(const Array& a) {
  const Node* n = a.node();
  return n && n->kind == Node::Kind::concrete && n->refs.load(std::memory_order_acquire) == 1 &&
         n->buffer->refs.load(std::memory_order_acquire) == 1 && !n->buffer->borrowed;
}

}  // namespace baton
