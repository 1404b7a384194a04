// memo: keeps the result of each transform by content, so that a Program that is met again is not transformed
// again. A recently-used list bounded in bytes; results are handed out by copy, so forgetting one hurts
// nobody.
#include <any>
#include <mutex>

#include "base/recently_used.h"
#include "transforms/transforms.h"

namespace baton {
namespace {

constexpr std::size_t bound = std::size_t{64} << 20;  // bytes

std::size_t bytes_of(const JvpProgram& made) { return made.program->bytes; }
std::size_t bytes_of(const PartialProgram& made) { return made.known->bytes + made.unknown->bytes; }
std::size_t bytes_of(const TransposeProgram& made) { return made.program->bytes; }
std::size_t bytes_of(const BatchProgram& made) { return made.program->bytes; }

class Key {
 public:
  Key(std::string_view transform, const Program& p) { hasher_.text(transform).hash(p.hash()); }
  Key& mask(const Mask& m) {
    hasher_.integer(static_cast<std::int64_t>(m.size()));
    for (bool b : m) hasher_.integer(b);
    return *this;
  }
  Key& integer(std::int64_t i) {
    hasher_.integer(i);
    return *this;
  }
  Key& text(std::string_view s) {
    hasher_.text(s);
    return *this;
  }
  Hash finish() const { return hasher_.finish(); }

 private:
  Hasher hasher_;
};

class Memo final : public Transformer {
 public:
  JvpProgram jvp(const Program& p, const Mask& in, const Mask& instantiate) override {
    return kept<JvpProgram>(Key("jvp", p).mask(in).mask(instantiate),
                            [&] { return baton::jvp(p, in, instantiate); });
  }
  PartialProgram partial(const Program& p, const Mask& unknown, const Mask& instantiate,
                         const SavePolicy& policy) override {
    Key key = Key("partial", p).mask(unknown).mask(instantiate).integer(static_cast<int>(policy.save));
    for (const std::string& name : policy.names) key.text(name);
    return kept<PartialProgram>(key, [&] { return baton::partial(p, unknown, instantiate, policy); });
  }
  TransposeProgram transpose(const Program& p, const Mask& linear, const Mask& cotangents,
                             const Mask& instantiate) override {
    return kept<TransposeProgram>(Key("transpose", p).mask(linear).mask(cotangents).mask(instantiate),
                                  [&] { return baton::transpose(p, linear, cotangents, instantiate); });
  }
  BatchProgram batch(const Program& p, const BatchAxis& axis, const Mask& in,
                     const Mask& instantiate) override {
    return kept<BatchProgram>(Key("batch", p).mask(in).mask(instantiate).integer(axis.size).text(axis.name),
                              [&] { return baton::batch(p, axis, in, instantiate); });
  }
  void clear() {
    std::lock_guard lock(mutex_);
    entries_.clear();
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  template <class T, class Make>
  T kept(const Key& key, Make make) {
    const Hash hash = key.finish();
    {
      std::lock_guard lock(mutex_);
      if (const std::any* known = entries_.find(hash)) return std::any_cast<const T&>(*known);
    }
    T made = make();  // not under the lock: transforms call each other
    std::lock_guard lock(mutex_);
    if (entries_.find(hash)) return made;  // another thread was first
    entries_.keep(hash, made, bytes_of(made));
    while (entries_.bytes() > bound && entries_.size() > 1) entries_.take_oldest();
    return made;
  }

  std::mutex mutex_;
  RecentlyUsed<std::any> entries_;
};

Memo& memo() {
  static Memo& instance = *new Memo;  // outlives every static that may still trace at exit
  return instance;
}

}  // namespace

Transformer& transformer() { return memo(); }
void clear_transforms() { memo().clear(); }
std::size_t transform_count() { return memo().size(); }

}  // namespace baton
