// loop_kernel: loops are found by the content of their Program, and machine code by the code that it was made
// of, as long as an executable holds them. Loops that are not compiled yet keep their code, and whoever needs
// them fast compiles them.
#include "engines/cpu/loop_kernel.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/living.h"
#include "engines/cpu/code/code_hash.h"
#include "engines/cpu/code/compile.h"
#include "engines/cpu/code/interpreter.h"
#include "engines/cpu/loop_writer.h"
#include "engines/cpu/pool.h"

namespace baton::cpu {
namespace {

constexpr double worth_compiling = 2e6;  // instructions that are interpreted in about the time of a compile

/// Loops and, once compiled, their function.
struct Kept {
  explicit Kept(Loops l) : loops(std::move(l)), code_hash(hash_of(loops.code)) {}
  /// Counts what it takes, now that it changes no more for long.
  void count() { held.set(sizeof *this + bytes_of(loops.code)); }

  Loops loops;
  const Hash code_hash;
  std::shared_ptr<const Compiled> compiled;  // guarded by the lock of compile_all, as long as there is none
  std::atomic<Function> function = nullptr;
  std::atomic<double> interpreted = 0;  // instructions so far
  HeldBytes held;
};
using KeptPtr = std::shared_ptr<Kept>;

/// What lives, for all Programs to share.
struct Shared {
  Living<Kept> loops;              // by the content of their Program, which knows its extents
  Living<const Compiled> machine;  // by code, which may serve arrays of any size
};
Shared& shared() {
  static Shared& instance = *new Shared;  // never destroyed: other statics may run Programs at exit
  return instance;
}

/// Takes what was compiled from equal code. Under the lock of compile_all, or before others see the loops.
bool take_compiled(Kept& k, std::shared_ptr<const Compiled> compiled) {
  if (!compiled) return false;
  k.function = compiled->function;
  k.compiled = std::move(compiled);
  return true;
}

std::mutex& one_at_a_time() {
  static std::mutex& instance = *new std::mutex;
  return instance;
}

/// Makes machine code of all that have none. Their code stays where another thread may be interpreting it.
void compile_all(std::span<const KeptPtr> all, const std::lock_guard<std::mutex>&) {
  std::vector<Kept*> missing;
  std::vector<Code> codes;  // no two alike
  std::vector<std::size_t> code_of;
  for (const KeptPtr& k : all) {
    if (k->function || take_compiled(*k, shared().machine.find(k->code_hash))) continue;
    const auto alike = [&](const Kept* m) { return m->code_hash == k->code_hash; };
    const auto known = std::find_if(missing.begin(), missing.end(), alike);
    code_of.push_back(known == missing.end() ? codes.size()
                                             : code_of[static_cast<std::size_t>(known - missing.begin())]);
    if (known == missing.end()) codes.push_back(k->loops.code);
    missing.push_back(k.get());
  }
  if (missing.empty()) return;
  Pool workers(default_threads());
  std::vector<std::shared_ptr<const Compiled>> made;
  for (Compiled& c : compile(codes, workers)) made.push_back(std::make_shared<const Compiled>(std::move(c)));
  for (std::size_t i = 0; i < missing.size(); ++i) {
    shared().machine.show(missing[i]->code_hash, made[code_of[i]]);
    take_compiled(*missing[i], made[code_of[i]]);
  }
}

class LoopKernel final : public Kernel {
 public:
  explicit LoopKernel(KeptPtr kept) : kept_(std::move(kept)) {}

  bool in_place(std::size_t operand, std::size_t result) const override {
    return kept_->loops.in_place[operand][result];
  }
  void run(void* const* pointers, void* const*, void*, Workers& workers) const override {
    const Loops& l = kept_->loops;
    const double work = l.work * static_cast<double>(l.range);
    Function function = kept_->function;
    if (!function) {
      // Nobody waits while another thread compiles what may be a whole network.
      const bool worth = kept_->interpreted.fetch_add(work) + work >= worth_compiling;
      if (!worth || !one_at_a_time().try_lock()) return interpret(l.code, pointers, 0, l.range);
      try {
        compile_all({&kept_, 1}, std::lock_guard(one_at_a_time(), std::adopt_lock));
      } catch (const DeviceError&) {  // steps before this one may have written over their operands
        return interpret(l.code, pointers, 0, l.range);
      }
      function = kept_->function;
    }
    const auto parts =
        static_cast<std::int64_t>(std::min<double>(workers.count(), std::max(1.0, work / worth_a_thread)));
    if (parts == 1) return function(pointers, 0, l.range);
    const std::int64_t each = ((l.range + parts - 1) / parts + l.grain - 1) / l.grain * l.grain;
    workers.run((l.range + each - 1) / each, [&](std::int64_t part) {
      function(pointers, part * each, std::min(l.range, (part + 1) * each));
    });
  }

 private:
  KeptPtr kept_;
};

}  // namespace

struct LoopCompiler::Pending {
  Hash content;
  KeptPtr kept;
  bool known;  // to other Programs, which may be running it
};
LoopCompiler::LoopCompiler(Compile when, int threads) : when_(when), threads_(threads) {}
LoopCompiler::~LoopCompiler() = default;

std::unique_ptr<Kernel> LoopCompiler::add(const Program& program) {
  const Hash content = program.hash();
  const auto same = [&](const Pending& p) { return p.content == content; };
  const auto it = std::find_if(pending_.begin(), pending_.end(), same);
  KeptPtr kept = it == pending_.end() ? shared().loops.find(content) : it->kept;
  const bool known = kept != nullptr;
  if (!known) {
    std::optional<Loops> loops = write_loops(*program);
    if (!loops) return nullptr;
    kept = std::make_shared<Kept>(std::move(*loops));
    take_compiled(*kept, shared().machine.find(kept->code_hash));
  }
  if (it == pending_.end() && (!known || (when_ == Compile::at_once && !kept->function)))
    pending_.push_back({content, kept, known});
  return std::make_unique<LoopKernel>(std::move(kept));
}

void LoopCompiler::finish() {
  if (when_ == Compile::at_once) {
    std::vector<KeptPtr> all;
    for (const Pending& p : pending_) all.push_back(p.kept);
    compile_all(all, std::lock_guard(one_at_a_time()));
  }
  for (const Pending& p : pending_) {
    if (p.known) continue;
    if (p.kept->function) p.kept->loops.code = {};
    p.kept->count();
    shared().loops.show(p.content, p.kept);
  }
  pending_.clear();
}

void forget_compiled() {
  shared().loops.clear();
  shared().machine.clear();
}

}  // namespace baton::cpu
