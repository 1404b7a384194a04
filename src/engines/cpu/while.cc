// while: the Plans of the condition and the body on the same carries.
#include "ops/while.h"

#include "base/cache_line.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/nested.h"

namespace baton::cpu {
namespace {

std::vector<int> take_of(const ops::While& p, const ops::WhileLayout& at) {
  std::vector<int> take(static_cast<std::size_t>(p.body->input_count), -1);
  for (std::size_t k = 0; at.body + k < take.size(); ++k) take[at.body + k] = static_cast<int>(k);
  return take;
}

class WhileKernel final : public Kernel {
 public:
  WhileKernel(const ops::While& p, LoopCompiler& loops)
      : at_(p),
        cond_(p.cond, {}, loops),
        body_(p.body, take_of(p, at_), loops),
        carries_(body_, at_.body, p.body->outputs.size()) {
    Mask in(static_cast<std::size_t>(p.body->input_count)), out(carries_.size());
    carries_.mark(in, out);
    moving_body_ = body_.slots_of(in, out);
    Mask cond_in(static_cast<std::size_t>(p.cond->input_count));
    for (std::size_t k = 0; k < carries_.size(); ++k) cond_in[at_.cond + k] = carries_.turns(k);
    moving_cond_ = cond_.slots_of(cond_in, {false});
  }
  std::int64_t scratch() const override { return plans_at() + cond_.scratch() + body_.scratch(); }
  bool in_place(std::size_t operand, std::size_t result) const override {
    return operand == at_.cond + at_.body + result && !carries_.turns(result);
  }
  bool may_fail() const override { return cond_.may_fail() || body_.may_fail(); }
  Names evaluated() const override {
    Names all = cond_.evaluated();
    all.insert(all.end(), body_.evaluated().begin(), body_.evaluated().end());
    return all;
  }
  std::vector<PlannedValue> held() const override {
    std::vector<PlannedValue> all = cond_.held();
    for (PlannedValue& v : body_.held()) all.push_back(std::move(v));
    return all;
  }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    char* const memory = static_cast<char*>(scratch);
    void** const cond = cond_.table(memory + plans_at());
    void** const body = body_.table(memory + plans_at() + cond_.scratch());
    bool* const go = reinterpret_cast<bool*>(memory + carries_.scratch());
    cond_.results(cond)[0] = go;
    for (std::size_t i = 0; i < at_.cond; ++i) cond_.inputs(cond)[i] = in[i];
    for (std::size_t i = 0; i < at_.body; ++i) body_.inputs(body)[i] = in[at_.cond + i];
    for (std::size_t k = 0; k < carries_.size(); ++k) {
      copy_bytes(out[k], in[at_.cond + at_.body + k], carries_.bytes(k));
      cond_.inputs(cond)[at_.cond + k] = body_.inputs(body)[at_.body + k] = out[k];
      body_.results(body)[k] = carries_.turns(k) ? carries_.second(k, scratch) : out[k];
    }
    cond_.place(cond);
    body_.place(body);
    while (true) {
      cond_.run(cond, workers);
      if (!*go) break;
      body_.run(body, workers);
      for (std::size_t k = 0; k < carries_.size(); ++k) {
        if (!carries_.turns(k)) continue;
        std::swap(body_.inputs(body)[at_.body + k], body_.results(body)[k]);
        cond_.inputs(cond)[at_.cond + k] = body_.inputs(body)[at_.body + k];
      }
      cond_.place(cond, moving_cond_);
      body_.place(body, moving_body_);
    }
    for (std::size_t k = 0; k < carries_.size(); ++k)
      copy_bytes(out[k], body_.inputs(body)[at_.body + k], carries_.bytes(k));
  }

 private:
  /// Behind the second memories, and a cache line for the result of the condition.
  std::int64_t plans_at() const { return carries_.scratch() + static_cast<std::int64_t>(cache_line); }

  const ops::WhileLayout at_;
  const Nested cond_, body_;
  const Carries carries_;
  std::vector<int> moving_cond_, moving_body_;
};

}  // namespace

std::unique_ptr<Kernel> while_kernel(const Making& m) {
  return std::make_unique<WhileKernel>(m.equation.params.as<ops::While>(), m.loops);
}

}  // namespace baton::cpu
