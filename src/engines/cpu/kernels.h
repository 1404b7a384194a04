#pragma once
// kernels: the makers of kernels, one for each kind. A maker returns nothing for an equation that it does not
// know how to run.
#include "engines/cpu/kernel.h"

namespace baton::cpu {

/// The reference's own evaluation, for what has no maker.
std::unique_ptr<Kernel> evaluated_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_add_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_max_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_min_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_mul_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> scatter_sub_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> reduce_kernel(const Making&);
/// Running combinations by F.
template <class F>
std::unique_ptr<Kernel> cumulative_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> fft_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> sort_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> sort_by_kernel(const Making&);
std::unique_ptr<Kernel> top_k_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> slice_update_kernel(const ProgramData&, const Equation&);
/// Bytes that lie in the Program.
std::unique_ptr<Kernel> constant_kernel(const ProgramData&, const Equation&);
// By LAPACK (linalg/).
std::unique_ptr<Kernel> cholesky_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> eigh_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> lu_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> qr_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> svd_kernel(const ProgramData&, const Equation&);
std::unique_ptr<Kernel> triangular_solve_kernel(const ProgramData&, const Equation&);
// Plans inside a Plan.
std::unique_ptr<Kernel> cond_kernel(const Making&);
std::unique_ptr<Kernel> scan_kernel(const Making&);
std::unique_ptr<Kernel> while_kernel(const Making&);

}  // namespace baton::cpu
