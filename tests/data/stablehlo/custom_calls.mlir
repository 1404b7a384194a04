// custom_calls: marks of sharding and layout, and factorisations by LAPACK.
func.func @marks() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @LayoutConstraint(%2) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  %4 = stablehlo.custom_call @annotate_device_placement(%3) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %4, dense<[1.0, 2.0]> : tensor<2xf32>
  func.return
}

// A = V diag(w) V^H with w = (1, 3).
func.func @hermitian() {
  %a = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 1.0)], [(0.0, -1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %0:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xf64>, tensor<i32>)
  check.expect_almost_eq_const %0#1, dense<[1.0, 3.0]> : tensor<2xf64>
  check.expect_eq_const %0#2, dense<0> : tensor<i32>
  %w = stablehlo.convert %0#1 : (tensor<2xf64>) -> tensor<2xcomplex<f64>>
  %ww = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %vw = stablehlo.multiply %0#0, %ww : tensor<2x2xcomplex<f64>>
  %av = stablehlo.dot_general %a, %0#0, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq %av, %vw : tensor<2x2xcomplex<f64>>
  func.return
}

// Q R is the matrix again.
func.func @complex_qr() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (2.0, 0.0)], [(0.0, -1.0), (3.0, 1.0)]]> : tensor<2x2xcomplex<f64>>
  %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>)
  %q = stablehlo.custom_call @lapack_zungqr_ffi(%0#0, %0#1) : (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %row = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %column = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %upper = stablehlo.compare LE, %row, %column : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x2xcomplex<f64>>
  %r = stablehlo.select %upper, %0#0, %zero : tensor<2x2xi1>, tensor<2x2xcomplex<f64>>
  %qr = stablehlo.dot_general %q, %r, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq %qr, %a : tensor<2x2xcomplex<f64>>
  func.return
}

func.func @real_factors() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %l:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %l#0, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf64>
  %u:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %u#0, dense<[[2.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[4.0], [6.0]]> : tensor<2x1xf64>
  %x = stablehlo.custom_call @lapack_dtrsm_ffi(%l#0, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %x, dense<[[2.0], [2.0]]> : tensor<2x1xf64>
  %f:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%b) : (tensor<2x1xf64>) -> (tensor<2x1xf64>, tensor<1xi32>, tensor<i32>)
  check.expect_eq_const %f#1, dense<2> : tensor<1xi32>
  check.expect_almost_eq_const %f#0, dense<[[6.0], [0.6666666666666666]]> : tensor<2x1xf64>
  %e:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<i32>)
  check.expect_almost_eq_const %e#1, dense<[2.438447187191170, 6.561552812808830]> : tensor<2xf64>
  %s:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%b) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>, tensor<2x1xf64>, tensor<1x1xf64>, tensor<i32>)
  check.expect_almost_eq_const %s#1, dense<7.211102550927978> : tensor<1xf64>
  %h:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%b) : (tensor<2x1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>)
  %q = stablehlo.custom_call @lapack_dorgqr_ffi(%h#0, %h#1) : (tensor<2x1xf64>, tensor<1xf64>) -> tensor<2x1xf64>
  %norm = stablehlo.abs %q : tensor<2x1xf64>
  check.expect_almost_eq_const %norm, dense<[[0.5547001962252291], [0.8320502943378437]]> : tensor<2x1xf64>
  func.return
}

func.func @generic_factors() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_almost_eq_const %l, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0], [6.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %x, dense<2.0> : tensor<2x1xf32>
  func.return
}

// The bits that jax.lax.rng_bit_generator gives for the key (1, 2).
func.func @rng_bit_generator() {
  %key = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[43444564, 2150618427, 3979645651, 3745730563]> : tensor<4xui32>
  func.return
}
