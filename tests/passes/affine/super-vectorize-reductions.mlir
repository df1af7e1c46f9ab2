// RUN: dl-opt %s --affine-super-vectorize='virtual-vector-size=8 vectorize-reductions=true' --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-super-vectorize=virtual-vector-size=8 --split-input-file | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: vector.

// CHECK-LABEL: func.func @product
//       CHECK:   %[[ONE:.*]] = arith.constant dense<1> : vector<8xi32>
//       CHECK:   %[[P:.*]] = affine.for {{.*}} step 8 iter_args(%[[ACC:.*]] = %[[ONE]]) -> (vector<8xi32>) {
//       CHECK:     %[[V:.*]] = vector.transfer_read
//       CHECK:     %[[N:.*]] = arith.muli %[[ACC]], %[[V]] : vector<8xi32>
//       CHECK:     affine.yield %[[N]]
//       CHECK:   vector.reduction <mul>, %[[P]] : vector<8xi32> into i32
//   CHECK-NOT:   arith.muli
//       CHECK:   return
func.func @product(%a: memref<64xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %r = affine.for %i = 0 to 64 iter_args(%acc = %one) -> (i32) {
    %x = affine.load %a[%i] : memref<64xi32>
    %n = arith.muli %acc, %x : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// -----

// CHECK-LABEL: func.func @initial_value
//  CHECK-SAME:   %[[INIT:[^:]*]]: i32
//       CHECK:   %[[R:.*]] = vector.reduction <add>
//       CHECK:   arith.addi %[[R]], %[[INIT]] : i32
func.func @initial_value(%a: memref<64xi32>, %init: i32) -> i32 {
  %r = affine.for %i = 0 to 64 iter_args(%acc = %init) -> (i32) {
    %x = affine.load %a[%i] : memref<64xi32>
    %n = arith.addi %x, %acc : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// -----

// Lanes past the end change nothing.
// CHECK-LABEL: func.func @part_of_a_vector
//       CHECK:   %[[NONE:.*]] = arith.constant dense<2147483647> : vector<8xi32>
//       CHECK:   affine.for %[[I:.*]] = 0 to 60 step 8
//       CHECK:     %[[M:.*]] = vector.create_mask
//       CHECK:     %[[V:.*]] = vector.transfer_read
//       CHECK:     %[[W:.*]] = arith.select %[[M]], %[[V]], %[[NONE]]
//       CHECK:     arith.minsi %{{.*}}, %[[W]] : vector<8xi32>
//       CHECK:   vector.reduction <minsi>
func.func @part_of_a_vector(%a: memref<64xi32>) -> i32 {
  %most = arith.constant 2147483647 : i32
  %r = affine.for %i = 0 to 60 iter_args(%acc = %most) -> (i32) {
    %x = affine.load %a[%i] : memref<64xi32>
    %n = arith.minsi %acc, %x : i32
    affine.yield %n : i32
  }
  return %r : i32
}

// -----

// What the loop carries is used for something else, too.
// CHECK-LABEL: func.func @partial_sums
//   CHECK-NOT:   vector.
//       CHECK:   return
func.func @partial_sums(%a: memref<64xi32>, %b: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<64xi32>
    %n = arith.addi %acc, %x : i32
    affine.store %acc, %b[%i] : memref<64xi32>
    affine.yield %n : i32
  }
  return %r : i32
}
