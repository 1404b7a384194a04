// loop_kernel: loops are kept by the content of their Program, the last used first, as long as they fit the
// bound.
#include "engines/cpu/loop_kernel.h"

#include <algorithm>
#include <mutex>

#include "base/recently_used.h"
#include "engines/cpu/code/machine.h"
#include "engines/cpu/loop_writer.h"
#include "engines/cpu/pool.h"

namespace baton::cpu {
namespace {

constexpr double work_of_a_part = 20000;  // instructions that are worth another thread
constexpr std::size_t bound = std::size_t{32} << 20;

/// Loops and, once compiled, their function.
struct Compiled {
  Loops loops;
  std::shared_ptr<const Machine> machine;
  Function function = nullptr;
  std::size_t bytes = 0;
};
using CompiledPtr = std::shared_ptr<Compiled>;

struct Cache {
  std::mutex mutex;
  RecentlyUsed<CompiledPtr> entries{bound};
};
Cache& cache() {
  static Cache& instance = *new Cache;  // never destroyed: other statics may run Programs at exit
  return instance;
}

CompiledPtr find(const Hash& content) {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  const CompiledPtr* known = c.entries.find(content);
  return known ? *known : nullptr;
}

void keep(const Hash& content, const CompiledPtr& made) {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  if (!c.entries.find(content))
    c.entries.keep(content, made, made->bytes);  // unless another thread was first
}

class LoopKernel final : public Kernel {
 public:
  explicit LoopKernel(CompiledPtr compiled) : compiled_(std::move(compiled)) {}

  bool in_place(std::size_t operand, std::size_t result) const override {
    return compiled_->loops.in_place[operand][result];
  }
  void run(void* const* pointers, void* const*, void*, Workers& workers) const override {
    const Loops& l = compiled_->loops;
    const double parts_worth = l.work * static_cast<double>(l.range) / work_of_a_part;
    const auto parts =
        static_cast<std::int64_t>(std::min<double>(workers.count(), std::max(1.0, parts_worth)));
    if (parts == 1) return compiled_->function(pointers, 0, l.range);
    const std::int64_t each = ((l.range + parts - 1) / parts + l.grain - 1) / l.grain * l.grain;
    workers.run((l.range + each - 1) / each, [&](std::int64_t part) {
      compiled_->function(pointers, part * each, std::min(l.range, (part + 1) * each));
    });
  }

 private:
  CompiledPtr compiled_;
};

}  // namespace

struct LoopCompiler::Pending {
  Hash content;
  CompiledPtr compiled;
};
LoopCompiler::LoopCompiler() = default;
LoopCompiler::~LoopCompiler() = default;

std::unique_ptr<Kernel> LoopCompiler::add(const Program& program) {
  const Hash content = program.hash();
  CompiledPtr compiled = find(content);
  const auto same = [&](const Pending& p) { return p.content == content; };
  if (const auto it = std::find_if(pending_.begin(), pending_.end(), same); !compiled && it != pending_.end())
    compiled = it->compiled;
  if (!compiled) {
    std::optional<Loops> loops = write_loops(*program);
    if (!loops) return nullptr;
    compiled = std::make_shared<Compiled>();
    compiled->loops = std::move(*loops);
    pending_.push_back({content, compiled});
  }
  return std::make_unique<LoopKernel>(std::move(compiled));
}

void LoopCompiler::finish() {
  if (pending_.empty()) return;
  std::vector<Code> codes;  // no two alike: what does not know its extents serves arrays of several
  std::vector<std::size_t> code_of;
  for (const Pending& p : pending_) {
    Code code = std::move(p.compiled->loops.code);
    p.compiled->loops.code = {};
    const auto known = std::find(codes.begin(), codes.end(), code);
    code_of.push_back(static_cast<std::size_t>(known - codes.begin()));
    if (known == codes.end()) codes.push_back(std::move(code));
  }
  Pool workers(default_threads());
  const std::shared_ptr<const Machine> machine = compile(codes, workers);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Compiled& c = *pending_[i].compiled;
    c.machine = machine, c.function = machine->function(code_of[i]);
    c.bytes = sizeof c + machine->bytes() / pending_.size();
    keep(pending_[i].content, pending_[i].compiled);
  }
  pending_.clear();
}

void clear_compiled() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  c.entries.clear();
}

}  // namespace baton::cpu
