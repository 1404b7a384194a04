// collectives: processes that interpreter.run_parallel walks together.
module @all_gather {
  func.func @f(%x: tensor<1x2xi32>) -> tensor<2x2xi32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi32>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : (tensor<1x2xi32>, tensor<1x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
    check.expect_eq_const %0#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    check.expect_eq_const %0#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    func.return
  }
}
// -----
// Two groups of one replica each, over both partitions.
module @all_reduce {
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
    %0:4 = "interpreter.run_parallel"(%a, %b, %b, %b) {programs = [[@f, @f], [@f, @f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %0#0, dense<[31, 42]> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[31, 42]> : tensor<2xi32>
    check.expect_eq_const %0#2, dense<[60, 80]> : tensor<2xi32>
    check.expect_eq_const %0#3, dense<[60, 80]> : tensor<2xi32>
    func.return
  }
}
// -----
module @all_to_all {
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %0#0, dense<[1, 3]> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[2, 4]> : tensor<2xi32>
    func.return
  }
}
// -----
// The first of a group gives; who is in no group gets zeros.
module @collective_broadcast {
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %0:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@f], [@f], [@f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %0#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[5, 6]> : tensor<2xi32>
    check.expect_eq_const %0#2, dense<[5, 6]> : tensor<2xi32>
    func.return
  }
}
// -----
module @collective_permute {
  func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %0:3 = "interpreter.run_parallel"(%a, %b, %b) {programs = [[@f], [@f], [@f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %0#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %0#2, dense<[3, 4]> : tensor<2xi32>
    func.return
  }
}
// -----
module @reductions {
  func.func @scattered(%x: tensor<2xi32>) -> tensor<1xi32> {
    %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<1xi32>
    return %0 : tensor<1xi32>
  }
  func.func @rooted(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 20]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@scattered], [@scattered]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
    check.expect_eq_const %0#0, dense<[3]> : tensor<1xi32>
    check.expect_eq_const %0#1, dense<[20]> : tensor<1xi32>
    %1:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@rooted], [@rooted]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %1#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %1#1, dense<[3, 80]> : tensor<2xi32>
    func.return
  }
}
// -----
module @ids {
  func.func @f() -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    return %0, %1 : tensor<ui32>, tensor<ui32>
  }
  func.func @main() {
    %0:4 = "interpreter.run_parallel"() {programs = [[@f, @f]]} : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %0#0, dense<0> : tensor<ui32>
    check.expect_eq_const %0#1, dense<0> : tensor<ui32>
    check.expect_eq_const %0#2, dense<0> : tensor<ui32>
    check.expect_eq_const %0#3, dense<1> : tensor<ui32>
    func.return
  }
}
// -----
// What one sends, the other receives; what is fed comes from functions, in their order.
module @messages {
  func.func @give(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @take(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<i32>) {
    %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%1#0, %1#1) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    return %0#0, %1#0 : tensor<2xi32>, tensor<i32>
  }
  func.func @fed() -> tensor<i32> {
    %0 = stablehlo.constant dense<7> : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %t = stablehlo.after_all : !stablehlo.token
    %0:3 = "interpreter.run_parallel"(%t, %x, %t) {infeed = [@fed], programs = [[@take], [@give]]} : (!stablehlo.token, tensor<2xi32>, !stablehlo.token) -> (tensor<2xi32>, tensor<i32>, !stablehlo.token)
    check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<7> : tensor<i32>
    func.return
  }
}
