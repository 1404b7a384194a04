// loop_kernel: loops are kept by the content of their Program, the last used first, as long as they fit the
// bound. Those that are not compiled yet keep their code, and whoever needs them fast compiles them.
#include "engines/cpu/loop_kernel.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/recently_used.h"
#include "engines/cpu/code/compile.h"
#include "engines/cpu/code/interpreter.h"
#include "engines/cpu/loop_writer.h"
#include "engines/cpu/pool.h"

namespace baton::cpu {
namespace {

constexpr double work_of_a_part = 20000;  // instructions that are worth another thread
constexpr std::size_t bound = std::size_t{32} << 20;
constexpr double worth_compiling = 2e6;  // instructions that are interpreted in about the time of a compile

/// Loops and, once compiled, their function.
struct Known {
  Loops loops;
  Compiled compiled;
  std::atomic<Function> function = nullptr;
  std::atomic<double> interpreted = 0;  // instructions so far
  std::size_t bytes = 0;
};
using KnownPtr = std::shared_ptr<Known>;

struct Cache {
  std::mutex mutex;
  RecentlyUsed<KnownPtr> entries{bound};
};
Cache& cache() {
  static Cache& instance = *new Cache;  // never destroyed: other statics may run Programs at exit
  return instance;
}

KnownPtr find(const Hash& content) {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  const KnownPtr* known = c.entries.find(content);
  return known ? *known : nullptr;
}

void keep(const Hash& content, const KnownPtr& made) {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  if (!c.entries.find(content))
    c.entries.keep(content, made, made->bytes);  // unless another thread was first
}

/// Makes machine code of all that have none. Their code stays where another thread may be interpreting it.
void compile_all(std::span<const KnownPtr> all) {
  static std::mutex& one_at_a_time = *new std::mutex;
  std::lock_guard lock(one_at_a_time);
  std::vector<KnownPtr> missing;
  std::vector<Code> codes;  // no two alike: what does not know its extents serves arrays of several
  std::vector<std::size_t> code_of;
  for (const KnownPtr& c : all) {
    if (c->function) continue;
    const auto known = std::find(codes.begin(), codes.end(), c->loops.code);
    missing.push_back(c), code_of.push_back(static_cast<std::size_t>(known - codes.begin()));
    if (known == codes.end()) codes.push_back(c->loops.code);
  }
  if (missing.empty()) return;
  Pool workers(default_threads());
  const std::vector<Compiled> compiled = compile(codes, workers);
  for (std::size_t i = 0; i < missing.size(); ++i)
    missing[i]->compiled = compiled[code_of[i]], missing[i]->function = compiled[code_of[i]].function;
}

class LoopKernel final : public Kernel {
 public:
  explicit LoopKernel(KnownPtr compiled) : compiled_(std::move(compiled)) {}

  bool in_place(std::size_t operand, std::size_t result) const override {
    return compiled_->loops.in_place[operand][result];
  }
  void run(void* const* pointers, void* const*, void*, Workers& workers) const override {
    const Loops& l = compiled_->loops;
    const double work = l.work * static_cast<double>(l.range);
    Function function = compiled_->function;
    if (!function) {
      if (compiled_->interpreted.fetch_add(work) + work < worth_compiling)
        return interpret(l.code, pointers, 0, l.range);
      compile_all({&compiled_, 1});
      function = compiled_->function;
    }
    const auto parts =
        static_cast<std::int64_t>(std::min<double>(workers.count(), std::max(1.0, work / work_of_a_part)));
    if (parts == 1) return function(pointers, 0, l.range);
    const std::int64_t each = ((l.range + parts - 1) / parts + l.grain - 1) / l.grain * l.grain;
    workers.run((l.range + each - 1) / each, [&](std::int64_t part) {
      function(pointers, part * each, std::min(l.range, (part + 1) * each));
    });
  }

 private:
  KnownPtr compiled_;
};

}  // namespace

struct LoopCompiler::Pending {
  Hash content;
  KnownPtr compiled;
  bool known;  // to other Programs, which may be running it
};
LoopCompiler::LoopCompiler(Compile when) : when_(when) {}
LoopCompiler::~LoopCompiler() = default;

std::unique_ptr<Kernel> LoopCompiler::add(const Program& program) {
  const Hash content = program.hash();
  const auto same = [&](const Pending& p) { return p.content == content; };
  const auto it = std::find_if(pending_.begin(), pending_.end(), same);
  KnownPtr compiled = it == pending_.end() ? find(content) : it->compiled;
  const bool known = compiled != nullptr;
  if (!known) {
    std::optional<Loops> loops = write_loops(*program);
    if (!loops) return nullptr;
    compiled = std::make_shared<Known>();
    compiled->loops = std::move(*loops);
  }
  if (it == pending_.end() && (!known || (when_ == Compile::at_once && !compiled->function)))
    pending_.push_back({content, compiled, known});
  return std::make_unique<LoopKernel>(std::move(compiled));
}

void LoopCompiler::finish() {
  if (when_ == Compile::at_once) {
    std::vector<KnownPtr> all;
    for (const Pending& p : pending_) all.push_back(p.compiled);
    compile_all(all);
  }
  for (const Pending& p : pending_) {
    if (p.known) continue;
    Known& c = *p.compiled;
    if (when_ == Compile::at_once) c.loops.code = {};
    c.bytes = sizeof c + c.loops.code.values.size() * sizeof(Instruction);
    if (c.compiled.memory) c.bytes += c.compiled.memory->bytes() / pending_.size();
    keep(p.content, p.compiled);
  }
  pending_.clear();
}

void clear_compiled() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  c.entries.clear();
}

}  // namespace baton::cpu
