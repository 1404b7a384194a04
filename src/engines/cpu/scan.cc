// scan: the body's Plan, run once for each element. Slices of the arrays that are scanned are read where they
// lie, and results are written into their rows.
#include "ops/scan.h"

#include "engines/cpu/kernels.h"
#include "engines/cpu/nested.h"

namespace baton::cpu {
namespace {

std::vector<int> take_of(const ops::Scan& p, const ops::ScanLayout& at) {
  std::vector<int> take(static_cast<std::size_t>(p.body->input_count), -1);
  for (std::size_t k = 0; k < at.carry; ++k) take[at.consts + k] = static_cast<int>(k);
  return take;
}

class ScanKernel final : public Kernel {
 public:
  ScanKernel(const ops::Scan& p, LoopCompiler& loops)
      : length_(p.length),
        reverse_(p.reverse),
        at_(p),
        body_(p.body, take_of(p, at_), loops),
        carries_(body_, at_.consts, at_.carry) {
    const ProgramData& b = body_.program();
    Mask in(static_cast<std::size_t>(b.input_count)), out(b.outputs.size());
    for (std::size_t i = at_.consts + at_.carry; i < in.size(); ++i) {
      in[i] = true;
      x_bytes_.push_back(static_cast<std::int64_t>(b.types[i].bytes()));
    }
    for (std::size_t k = at_.carry; k < out.size(); ++k) {
      out[k] = true;
      y_bytes_.push_back(static_cast<std::int64_t>(b.type(b.outputs[k]).bytes()));
    }
    carries_.mark(in, out);
    moving_ = body_.slots_of(in, out);
  }
  std::int64_t scratch() const override { return carries_.scratch() + body_.scratch(); }
  bool in_place(std::size_t operand, std::size_t result) const override {
    return result < at_.carry && operand == at_.consts + result && !carries_.turns(result);
  }
  bool may_fail() const override { return body_.may_fail(); }
  Names evaluated() const override { return body_.evaluated(); }
  std::vector<PlannedValue> held() const override { return body_.held(); }

  void run(void* const* in, void* const* out, void* scratch, Workers& workers) const override {
    void** const table = body_.table(static_cast<char*>(scratch) + carries_.scratch());
    void** const from = body_.inputs(table);
    void** const to = body_.results(table);
    for (std::size_t i = 0; i < at_.consts; ++i) from[i] = in[i];
    for (std::size_t k = 0; k < at_.carry; ++k) {
      const void* init = in[at_.consts + k];
      if (length_ == 0 || !carries_.turns(k)) copy_bytes(out[k], init, carries_.bytes(k));
      from[at_.consts + k] = to[k] = out[k];
    }
    for (std::int64_t step = 0; step < length_; ++step) {
      const std::int64_t i = reverse_ ? length_ - 1 - step : step;
      for (std::size_t k = 0; k < at_.carry; ++k) {
        if (!carries_.turns(k)) continue;
        from[at_.consts + k] = step == 0 ? in[at_.consts + k] : to[k];
        to[k] =
            (length_ - 1 - step) % 2 ? carries_.second(k, scratch) : out[k];  // the last one lies in `out`
      }
      for (std::size_t x = 0; x < x_bytes_.size(); ++x) {
        const std::size_t operand = at_.consts + at_.carry + x;
        from[operand] = static_cast<char*>(in[operand]) + i * x_bytes_[x];
      }
      for (std::size_t y = 0; y < y_bytes_.size(); ++y)
        to[at_.carry + y] = static_cast<char*>(out[at_.carry + y]) + i * y_bytes_[y];
      if (step == 0)
        body_.place(table);
      else
        body_.place(table, moving_);
      body_.run(table, workers);
    }
  }

 private:
  const std::int64_t length_;
  const bool reverse_;
  const ops::ScanLayout at_;
  const Nested body_;
  const Carries carries_;
  std::vector<std::int64_t> x_bytes_, y_bytes_;  // of one element
  std::vector<int> moving_;
};

}  // namespace

std::unique_ptr<Kernel> scan_kernel(const Making& m) {
  return std::make_unique<ScanKernel>(m.equation.params.as<ops::Scan>(), m.loops);
}

}  // namespace baton::cpu
