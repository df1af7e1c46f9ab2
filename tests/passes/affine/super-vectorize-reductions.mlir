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

// -----

// A sum that begins with 0.0 is never -0.0. One that begins with an unknown number, maybe -0.0, must not be changed by the lanes.
// CHECK-LABEL: func.func @sums_of_floats
//  CHECK-SAME:   %{{.*}}: memref<64xf32>, %[[INIT:.*]]: f32
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
//       CHECK:   affine.for %{{.*}} iter_args(%{{.*}} = %[[ZERO]]) -> (vector<8xf32>)
//       CHECK:   %[[S:.*]] = vector.reduction <add>
func.func @sums_of_floats(%a: memref<64xf32>, %init: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> (f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %n = arith.addf %acc, %x : f32
    affine.yield %n : f32
  }
  %s = affine.for %i = 0 to 64 iter_args(%acc = %init) -> (f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %n = arith.addf %acc, %x : f32
    affine.yield %n : f32
  }
  // CHECK: %[[T:.*]] = arith.addf %{{.*}}, %[[INIT]]
  // CHECK: return %[[S]], %[[T]]
  return %r, %s : f32, f32
}

// -----

// CHECK-DAG:   #[[ENDS:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2)>
// CHECK-DAG:   #[[LEFT:.*]] = affine_map<(d0)[s0] -> (-d0 + s0)>
// CHECK-LABEL: func.func @two_ends
//       CHECK:   %[[END:.*]] = affine.min #[[ENDS]](
//       CHECK:   %[[N:.*]] = affine.apply #[[LEFT]](%{{.*}})[%[[END]]]
//       CHECK:   vector.create_mask %[[N]] : vector<8xi1>
func.func @two_ends(%a: memref<64xi32>, %m: index, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to min affine_map<(d0, d1) -> (d0, d1 * 2)>(%m, %n) iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<64xi32>
    %s = arith.addi %acc, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}
