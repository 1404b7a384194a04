// constant: no step: what reads a constant reads the bytes of the Program.
#include "ops/constant.h"

#include <cstring>

#include "engines/cpu/kernels.h"

namespace baton::cpu {
namespace {

class Constant final : public Kernel {
 public:
  explicit Constant(const Equation& e) : params_(e.params) {}
  bool in_place(std::size_t, std::size_t) const override { return false; }
  const void* bytes() const override { return data().data(); }
  void run(void* const*, void* const* out, void*, Workers&) const override {
    if (!data().empty()) std::memcpy(out[0], data().data(), data().size());
  }

 private:
  const std::string& data() const { return params_.as<ops::Constant>().bytes.data; }
  const Params params_;
};

}  // namespace

std::unique_ptr<Kernel> constant_kernel(const ProgramData&, const Equation& e) {
  return std::make_unique<Constant>(e);
}

}  // namespace baton::cpu
