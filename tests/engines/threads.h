#pragma once
// threads: Workers for tests, and one kernel run between guards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#include "engines/cpu/loop_kernel.h"
#include "ops/row.h"
#include "trace/node.h"
#include "trace/trace.h"

namespace baton::testing {

/// This many threads; the parts are dealt out in turn.
class Threads final : public cpu::Workers {
 public:
  explicit Threads(int count) : count_(count) {}
  int count() const override { return count_; }
  void run(std::int64_t parts, FunctionRef<void(std::int64_t)> part) override {
    std::vector<std::thread> threads;
    for (int t = 0; t < count_; ++t)
      threads.emplace_back([&, t] {
        for (std::int64_t i = t; i < parts; i += count_) part(i);
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int count_;
};

/// One run of what has been compiled, by so many threads.
inline Arrays run_by(int threads, const ExecutablePtr& executable, const Arrays& inputs) {
  Arrays given = inputs, results(executable->result_count());
  executable->run(*executable->workspace(threads), given, results);
  return results;
}

/// The results of the Program's one equation by the kernel. Neither results nor scratch may be overrun.
inline Arrays run_kernel_results(const cpu::Kernel& kernel, const Program& program, const Arrays& inputs,
                                 cpu::Workers& workers) {
  constexpr unsigned char filling = 0xa5;
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  // A line, the memory, and as much as is left of its last line and another one.
  struct Guarded {
    explicit Guarded(std::size_t size) : bytes(size), lines(size / sizeof(Line) + 3) {
      std::memset(lines.data(), filling, lines.size() * sizeof(Line));
    }
    unsigned char* data() { return lines[1].bytes; }
    bool whole() const {
      const unsigned char* all = lines[0].bytes;
      const auto filled = [](unsigned char byte) { return byte == filling; };
      return std::all_of(all, all + sizeof(Line), filled) &&
             std::all_of(all + sizeof(Line) + bytes, all + lines.size() * sizeof(Line), filled);
    }
    std::size_t bytes;
    std::vector<Line> lines;
  };
  Guarded scratch(static_cast<std::size_t>(kernel.scratch()));
  std::vector<Guarded> memories;
  for (Var v : program->outputs) memories.emplace_back(program->type(v).bytes());
  std::vector<void*> pointers;
  for (const Array& a : inputs) pointers.push_back(data_of(a));
  for (Guarded& memory : memories) pointers.push_back(memory.data());
  kernel.run(pointers.data(), pointers.data() + inputs.size(), scratch.data(), workers);
  EXPECT_TRUE(scratch.whole());
  Arrays results;
  for (std::size_t k = 0; k < memories.size(); ++k) {
    EXPECT_TRUE(memories[k].whole()) << "result " << k;
    const Type& type = program->type(program->outputs[k]);
    results.push_back(uninitialized(type));
    if (type.bytes()) std::memcpy(data_of(results.back()), memories[k].data(), type.bytes());
  }
  return results;
}
inline Array run_kernel(const cpu::Kernel& kernel, const Program& program, const Arrays& inputs,
                        cpu::Workers& workers) {
  return run_kernel_results(kernel, program, inputs, workers)[0];
}

/// Results that may lie where an operand lies have the same bits there.
inline void expect_same_bits_in_place(const cpu::Kernel& kernel, const Arrays& inputs, const Arrays& want,
                                      cpu::Workers& workers) {
  std::vector<char> scratch(static_cast<std::size_t>(kernel.scratch()) + 64);
  void* aligned = scratch.data();
  std::size_t room = scratch.size();
  std::align(64, static_cast<std::size_t>(kernel.scratch()), aligned, room);
  for (std::size_t operand = 0; operand < inputs.size(); ++operand)
    for (std::size_t result = 0; result < want.size(); ++result) {
      if (inputs[operand].type().bytes() != want[result].type().bytes()) continue;
      if (!kernel.in_place(operand, result)) continue;
      Arrays there;
      std::vector<void*> pointers;
      for (const Array& a : inputs) pointers.push_back(data_of(a));
      for (const Array& a : want) there.push_back(uninitialized(a.type()));
      for (const Array& a : there) pointers.push_back(data_of(a));
      if (want[result].type().bytes())
        std::memcpy(data_of(there[result]), data_of(inputs[operand]), want[result].type().bytes());
      pointers[operand] = data_of(there[result]);
      kernel.run(pointers.data(), pointers.data() + inputs.size(), aligned, workers);
      EXPECT_TRUE(same_bits(there[result], want[result])) << "operand " << operand << ", result " << result;
    }
}

/// The same bits by the caller's thread alone and by 2, 3 and 4, and in place.
inline void expect_same_bits_by_any_workers(const cpu::Kernel& kernel, const Program& program,
                                            const Arrays& inputs) {
  cpu::Alone alone;
  const Arrays one = run_kernel_results(kernel, program, inputs, alone);
  for (int count : {2, 3, 4}) {
    Threads threads(count);
    const Arrays found = run_kernel_results(kernel, program, inputs, threads);
    for (std::size_t k = 0; k < one.size(); ++k)
      EXPECT_TRUE(same_bits(found[k], one[k])) << "result " << k << " by " << count;
    expect_same_bits_in_place(kernel, inputs, one, threads);
  }
}

/// The kernel of the Program's one equation, which must not be the reference's evaluation.
inline std::unique_ptr<cpu::Kernel> own_kernel_of(const Program& program) {
  cpu::LoopCompiler loops(cpu::Compile::at_once, 1);
  std::unique_ptr<cpu::Kernel> kernel = cpu::kernel_for({*program, program->equations[0], loops});
  loops.finish();
  EXPECT_TRUE(kernel->evaluated().empty()) << program;
  return kernel;
}

/// The bits of the reference, by any number of workers.
inline void expect_bits_of_the_reference(const Program& program, const Arrays& operands) {
  const std::unique_ptr<cpu::Kernel> kernel = own_kernel_of(program);
  cpu::Alone alone;
  const Arrays found = run_kernel_results(*kernel, program, operands, alone), want = run(program, operands);
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_TRUE(same_bits(found[k], want[k])) << k;
  expect_same_bits_by_any_workers(*kernel, program, operands);
}

}  // namespace baton::testing
