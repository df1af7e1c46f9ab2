// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(tensor-schedule))' --split-input-file | FileCheck %s

// Two branches, each of which makes a large tensor of 4096 bytes and one of 4 from it. First both large ones were there, and one result; now one
// large one and two results are at most.
// CHECK-LABEL: func.func @branches
//       CHECK:   %[[A:.*]] = linalg.fill {{.*}} -> tensor<1024xf32>
//       CHECK:   %[[SUM_A:.*]] = linalg.dot ins(%[[A]], %[[A]]
//       CHECK:   %[[B:.*]] = linalg.fill {{.*}} -> tensor<1024xf32>
//       CHECK:   %[[SUM_B:.*]] = linalg.dot ins(%[[B]], %[[B]]
//       CHECK:   return %[[SUM_A]], %[[SUM_B]]
func.func @branches(%x: f32, %y: f32) -> (tensor<f32>, tensor<f32>) {
  %large = tensor.empty() : tensor<1024xf32>
  %also_large = tensor.empty() : tensor<1024xf32>
  %small = tensor.empty() : tensor<f32>
  %also_small = tensor.empty() : tensor<f32>
  %a = linalg.fill ins(%x : f32) outs(%large : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.fill ins(%y : f32) outs(%also_large : tensor<1024xf32>) -> tensor<1024xf32>
  %sum_a = linalg.dot ins(%a, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%small : tensor<f32>) -> tensor<f32>
  %sum_b = linalg.dot ins(%b, %b : tensor<1024xf32>, tensor<1024xf32>) outs(%also_small : tensor<f32>) -> tensor<f32>
  return %sum_a, %sum_b : tensor<f32>, tensor<f32>
}

// -----

// A chain that is written in place needs the same in any order, so it keeps the one that it has.
// CHECK-LABEL: func.func @in_place
//  CHECK-NEXT:   tensor.empty
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   linalg.fill
//  CHECK-NEXT:   linalg.add
func.func @in_place(%t: tensor<1024xf32>) -> tensor<1024xf32> {
  %init = tensor.empty() : tensor<1024xf32>
  %zero = arith.constant 0.0 : f32
  %a = linalg.fill ins(%zero : f32) outs(%init : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.add ins(%t, %t : tensor<1024xf32>, tensor<1024xf32>) outs(%a : tensor<1024xf32>) -> tensor<1024xf32>
  return %b : tensor<1024xf32>
}

// -----

// What has effects stays in order, even where another one would need less.
// CHECK-LABEL: func.func @effects
//       CHECK:   "test.make"() {name = "a"}
//       CHECK:   "test.make"() {name = "b"}
//       CHECK:   "test.take"(%{{.*}}) {name = "a"}
//       CHECK:   "test.take"(%{{.*}}) {name = "b"}
func.func @effects() {
  %a = "test.make"() {name = "a"} : () -> tensor<1024xf32>
  %b = "test.make"() {name = "b"} : () -> tensor<1024xf32>
  "test.take"(%a) {name = "a"} : (tensor<1024xf32>) -> ()
  "test.take"(%b) {name = "b"} : (tensor<1024xf32>) -> ()
  return
}

// -----

// What may fail does not pass what may not return.
// CHECK-LABEL: func.func @division
//       CHECK:   "test.might_not_return"
//       CHECK:   arith.divsi
func.func @division(%t: tensor<1024xi32>, %u: tensor<1024xi32>) -> tensor<1024xi32> {
  %a = arith.addi %t, %t : tensor<1024xi32>
  "test.might_not_return"() : () -> ()
  %b = arith.divsi %t, %u : tensor<1024xi32>
  %c = arith.addi %a, %b : tensor<1024xi32>
  return %c : tensor<1024xi32>
}

// -----

// A slice lies in its source: that is alive as long as the slice is used, so 4096 bytes are needed beside 8, in any order.
// CHECK-LABEL: func.func @slices
func.func @slices(%x: f32) -> tensor<2xf32> {
  %a = tensor.splat %x : tensor<1024xf32>
  %slice = tensor.extract_slice %a[0] [2] [1] : tensor<1024xf32> to tensor<2xf32>
  %r = arith.negf %slice : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// What is needed inside of a loop counts where the loop stands: 4096 bytes of the tensor inside, and 4000 of the one around it while that is alive.
// CHECK-LABEL: func.func @inside
//       CHECK:   tensor.splat %{{.*}} : tensor<1000xf32>
//  CHECK-NEXT:   tensor.extract
func.func @inside(%x: f32, %i: index, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %around = tensor.splat %x : tensor<1000xf32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %x) -> f32 {
    %in = tensor.splat %acc : tensor<1024xf32>
    %e = tensor.extract %in[%k] : tensor<1024xf32>
    scf.yield %e : f32
  }
  %e = tensor.extract %around[%i] : tensor<1000xf32>
  %r = arith.addf %sum, %e : f32
  return %r : f32
}

// -----

// Tensors that other blocks use stay to the end of theirs.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%x: f32, %y: f32) -> tensor<1024xf32> {
  %a = tensor.splat %x : tensor<1024xf32>
  %b = tensor.splat %y : tensor<1024xf32>
  cf.br ^next
^next:
  %c = arith.addf %a, %b : tensor<1024xf32>
  return %c : tensor<1024xf32>
}

// -----

// Dynamic extents are taken as 128, or as the option says.
// CHECK-LABEL: func.func @dynamic
//       CHECK:   tensor.splat %{{.*}} : tensor<100xf32>
//  CHECK-NEXT:   tensor.extract %{{.*}} : tensor<100xf32>
func.func @dynamic(%x: f32, %i: index, %n: index) -> f32 {
  %small = tensor.splat %x : tensor<100xf32>
  %large = tensor.splat %x[%n, %n] : tensor<?x?xf32>
  %e = tensor.extract %large[%i, %i] : tensor<?x?xf32>
  %f = tensor.extract %small[%i] : tensor<100xf32>
  %r = arith.addf %e, %f : f32
  return %r : f32
}
