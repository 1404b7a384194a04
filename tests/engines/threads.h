#pragma once
// threads: Workers for tests, and one kernel run between guards.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "engines/cpu/kernel.h"
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

/// The result of the Program's one equation by the kernel. Neither the result nor scratch may be overrun.
inline Array run_kernel(const cpu::Kernel& kernel, const Program& program, const Arrays& inputs,
                        cpu::Workers& workers) {
  const Type& type = program->type(program->outputs[0]);
  constexpr std::size_t guard = 64;
  constexpr unsigned char filling = 0xa5;
  const auto guarded = [&](std::size_t bytes) {
    return std::vector<unsigned char>(bytes + 2 * guard, filling);
  };
  std::vector<unsigned char> result = guarded(type.bytes()),
                             scratch = guarded(static_cast<std::size_t>(kernel.scratch()));
  std::vector<void*> in;
  for (const Array& a : inputs) in.push_back(data_of(a));
  void* out = result.data() + guard;
  kernel.run(in.data(), &out, scratch.data() + guard, workers);
  for (const auto* memory : {&result, &scratch})
    for (std::size_t i = 0; i < guard; ++i)
      EXPECT_TRUE((*memory)[i] == filling && (*memory)[memory->size() - 1 - i] == filling) << "guard " << i;
  Array array = uninitialized(type);
  if (type.bytes()) std::memcpy(data_of(array), out, type.bytes());
  return array;
}

/// The same bits by the caller's thread alone and by 2, 3 and 4.
inline void expect_same_bits_by_any_workers(const cpu::Kernel& kernel, const Program& program,
                                            const Arrays& inputs) {
  cpu::Alone alone;
  const Array one = run_kernel(kernel, program, inputs, alone);
  for (int count : {2, 3, 4}) {
    Threads threads(count);
    EXPECT_TRUE(same_bits(run_kernel(kernel, program, inputs, threads), one)) << count;
  }
}

}  // namespace baton::testing
