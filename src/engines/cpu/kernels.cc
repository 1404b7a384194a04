// kernels: which kernel runs an equation. Whoever writes a kernel adds a row here; all else is evaluated.
#include "engines/cpu/kernels.h"

#include <algorithm>

#include "engines/cpu/convolution.h"
#include "engines/cpu/loop_kernel.h"
#include "engines/cpu/slice_update.h"
#include "engines/cpu/strided_product.h"
#include "ops/combiner.h"
#include "ops/cond.h"
#include "ops/constant.h"
#include "ops/convolution.h"
#include "ops/cumulative.h"
#include "ops/dot_general.h"
#include "ops/elementwise.h"
#include "ops/fft.h"
#include "ops/matrix.h"
#include "ops/order.h"
#include "ops/scan.h"
#include "ops/scatter.h"
#include "ops/while.h"

namespace baton::cpu {
namespace {

struct Maker {
  const Primitive* primitive;
  std::unique_ptr<Kernel> (*make)(const Making&);
};
/// Of a kernel that holds no Program.
template <std::unique_ptr<Kernel> (*make)(const ProgramData&, const Equation&)>
std::unique_ptr<Kernel> plain(const Making& m) {
  return make(m.program, m.equation);
}
std::unique_ptr<Kernel> product(const Making& m) {
  return product_kernel(m.program, m.equation, m.loops.threads());
}
constexpr Maker makers[] = {
    {&ops::cholesky, plain<cholesky_kernel>},
    {&ops::cond, cond_kernel},
    {&ops::constant, plain<constant_kernel>},
    {&ops::conv_general_dilated, plain<convolution_kernel>},
    {&ops::cumlogsumexp, plain<cumulative_kernel<ops::LogSumExp>>},
    {&ops::cummax, plain<cumulative_kernel<ops::Larger>>},
    {&ops::cummin, plain<cumulative_kernel<ops::Smaller>>},
    {&ops::cumprod, plain<cumulative_kernel<ops::Product>>},
    {&ops::cumsum, plain<cumulative_kernel<ops::Sum>>},
    {&ops::dot_general, product},
    {&ops::eigh, plain<eigh_kernel>},
    {&ops::fft, plain<fft_kernel>},
    {&ops::lu, plain<lu_kernel>},
    {&ops::qr, plain<qr_kernel>},
    {&ops::reduce, reduce_kernel},
    {&ops::scan, scan_kernel},
    {&ops::scatter, plain<scatter_kernel>},
    {&ops::scatter_add, plain<scatter_add_kernel>},
    {&ops::scatter_max, plain<scatter_max_kernel>},
    {&ops::scatter_min, plain<scatter_min_kernel>},
    {&ops::scatter_mul, plain<scatter_mul_kernel>},
    {&ops::scatter_sub, plain<scatter_sub_kernel>},
    {&ops::sort, plain<sort_kernel>},
    {&ops::sort_by, sort_by_kernel},
    {&ops::svd, plain<svd_kernel>},
    {&ops::top_k, plain<top_k_kernel>},
    {&ops::triangular_solve, plain<triangular_solve_kernel>},
    {&slice_update, plain<slice_update_kernel>},
    {&ops::dynamic_update_slice, plain<slice_update_kernel>},
    {&strided_product, product},
    {&ops::while_, while_kernel},
};

/// All results are without elements.
class NothingToDo final : public Kernel {
 public:
  bool in_place(std::size_t, std::size_t) const override { return false; }
  void run(void* const*, void* const*, void*, Workers&) const override {}
};

}  // namespace

std::unique_ptr<Kernel> kernel_for(const Making& m) {
  const ProgramData& p = m.program;
  const Equation& e = m.equation;
  const auto nothing = [&](Var v) { return p.type(v).size() == 0; };
  if (std::all_of(e.outputs.begin(), e.outputs.end(), nothing) && effects_of(e) == Effects::none)
    return std::make_unique<NothingToDo>();
  for (const Maker& maker : makers)
    if (maker.primitive == e.primitive)
      if (std::unique_ptr<Kernel> kernel = maker.make(m)) return kernel;
  return evaluated_kernel(p, e);
}

}  // namespace baton::cpu
