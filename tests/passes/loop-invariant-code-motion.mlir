// RUN: dl-opt %s --loop-invariant-code-motion --allow-unregistered-dialect | FileCheck %s

// All the way out of the nest, in the order of the dependences.
// CHECK-LABEL: func.func @nest
//  CHECK-SAME:   (%[[LB:.*]]: index, %[[UB:.*]]: index, %[[STEP:.*]]: index, %[[A:.*]]: index)
//  CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[A]], %[[A]]
//  CHECK-NEXT:   %[[PRODUCT:.*]] = arith.muli %[[SUM]], %[[A]]
//  CHECK-NEXT:   scf.for %[[I:.*]] = %[[LB]]
//  CHECK-NEXT:     %[[OUTER:.*]] = arith.addi %[[I]], %[[PRODUCT]]
//  CHECK-NEXT:     scf.for %[[J:.*]] = %[[LB]]
//  CHECK-NEXT:       %[[INNER:.*]] = arith.addi %[[J]], %[[OUTER]]
//  CHECK-NEXT:       "foo.use"(%[[INNER]])
func.func @nest(%lb: index, %ub: index, %step: index, %a: index) {
  scf.for %i = %lb to %ub step %step {
    scf.for %j = %lb to %ub step %step {
      %sum = arith.addi %a, %a : index
      %product = arith.muli %sum, %a : index
      %outer = arith.addi %i, %product : index
      %inner = arith.addi %j, %outer : index
      "foo.use"(%inner) : (index) -> ()
      scf.yield
    }
  }
  return
}

// Not what may trap (the loop may run zero times), nor what has effects.
// CHECK-LABEL: func.func @stays
//  CHECK-NEXT:   scf.for
//  CHECK-NEXT:     arith.divsi
//  CHECK-NEXT:     "foo.effect"
func.func @stays(%lb: index, %ub: index, %step: index, %a: index, %b: index) {
  scf.for %i = %lb to %ub step %step {
    %q = arith.divsi %a, %b : index
    %e = "foo.effect"(%q) : (index) -> index
    scf.yield
  }
  return
}

// A division by a constant that is neither 0 nor -1 does no harm, and neither does the size of a dimension that is there.
// CHECK-LABEL: func.func @harmless
//       CHECK:   arith.divsi
//  CHECK-NEXT:   arith.divui
//  CHECK-NEXT:   arith.ceildivsi
//  CHECK-NEXT:   arith.divui %{{.*}} : vector<2xi32>
//  CHECK-NEXT:   tensor.dim
//  CHECK-NEXT:   memref.dim
//  CHECK-NEXT:   scf.for
func.func @harmless(%n: index, %a: i32, %v: vector<2xi32>, %t: tensor<?xf32>, %m: memref<?xf32>) {
  %five = arith.constant 5 : i32
  %both = arith.constant dense<[3, 4]> : vector<2xi32>
  %c0 = arith.constant 0 : index
  scf.for %i = %n to %n step %n {
    %0 = arith.divsi %a, %five : i32
    %1 = arith.divui %a, %five : i32
    %2 = arith.ceildivsi %a, %five : i32
    %3 = arith.divui %v, %both : vector<2xi32>
    %4 = tensor.dim %t, %c0 : tensor<?xf32>
    %5 = memref.dim %m, %c0 : memref<?xf32>
    "foo.use"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, vector<2xi32>, index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @harmful
//       CHECK:   scf.for
//       CHECK:     arith.divsi
//       CHECK:     arith.divui
//       CHECK:     arith.divui %{{.*}} : vector<2xi32>
//       CHECK:     tensor.dim
//       CHECK:     memref.dim
func.func @harmful(%n: index, %a: i32, %v: vector<2xi32>, %t: tensor<?xf32>, %m: memref<?xf32>) {
  %minus = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %both = arith.constant dense<[3, 0]> : vector<2xi32>
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %n {
    %0 = arith.divsi %a, %minus : i32
    %1 = arith.divui %a, %zero : i32
    %2 = arith.divui %v, %both : vector<2xi32>
    %3 = tensor.dim %t, %n : tensor<?xf32>
    %4 = memref.dim %m, %c1 : memref<?xf32>
    "foo.use"(%0, %1, %2, %3, %4) : (i32, i32, vector<2xi32>, index, index) -> ()
  }
  return
}

// A loop that is the same in each iteration leaves, if it has no effect and comes to its end: with a step that is not known it may not.
// CHECK-LABEL: func.func @loops
//       CHECK:   %[[X:.*]] = scf.for
//       CHECK:   %[[Y:.*]] = affine.for
//       CHECK:   scf.for
//       CHECK:     %[[Z:.*]] = scf.for
//       CHECK:     "foo.use"(%[[X]], %[[Y]], %[[Z]])
func.func @loops(%n: index, %a: i32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %n {
    %x = scf.for %j = %n to %n step %c1 iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      scf.yield %w : i32
    }
    %y = affine.for %j = 0 to %n iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      affine.yield %w : i32
    }
    %z = scf.for %j = %n to %n step %n iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      scf.yield %w : i32
    }
    "foo.use"(%x, %y, %z) : (i32, i32, i32) -> ()
  }
  return
}

// Divisions by what is known not to be zero, nor -1 where that overflows.
// CHECK-LABEL: func.func @divisors
//       CHECK:   arith.divui %{{.*}}, %[[NOT_ZERO:.*]] : i8
//       CHECK:   arith.divsi %{{.*}}, %[[POSITIVE:.*]] : i8
//       CHECK:   llvm.udiv
//       CHECK:   llvm.sdiv
//       CHECK:   scf.for
//  CHECK-NEXT:     arith.divsi %{{.*}}, %[[NOT_ZERO]] : i8
//  CHECK-NEXT:     llvm.sdiv %{{.*}}, %[[NOT_ZERO]] : i8
//  CHECK-NEXT:     "foo.use"
func.func @divisors(%n: index, %a: i8) {
  %not_zero = test.with_bounds {umin = 1 : i8, umax = 255 : i8, smin = -128 : i8, smax = 127 : i8} : i8
  %positive = test.with_bounds {umin = 1 : i8, umax = 127 : i8, smin = 1 : i8, smax = 127 : i8} : i8
  scf.for %i = %n to %n step %n {
    %0 = arith.divui %a, %not_zero : i8
    %1 = arith.divsi %a, %positive : i8
    %2 = arith.divsi %a, %not_zero : i8
    %3 = llvm.udiv %a, %not_zero : i8
    %4 = llvm.sdiv %a, %positive : i8
    %5 = llvm.sdiv %a, %not_zero : i8
    "foo.use"(%0, %1, %2, %3, %4, %5) : (i8, i8, i8, i8, i8, i8) -> ()
  }
  return
}

// What is computed of tensors, if it has a meaning whatever they are.
// CHECK-LABEL: func.func @tensors
//       CHECK:   linalg.matmul
//       CHECK:   linalg.pack %{{.*}} padding_value
//       CHECK:   linalg.unpack %{{.*}} : tensor<2x4xf32> -> tensor<8xf32>
//       CHECK:   scf.for
//  CHECK-NEXT:     linalg.pack
//  CHECK-NEXT:     linalg.unpack
//  CHECK-NEXT:     linalg.map { arith.divsi }
//  CHECK-NEXT:     "foo.use"
func.func @tensors(%n: index, %m: tensor<4x4xf32>, %t: tensor<?xf32>, %p: tensor<?x?xf32>, %s: tensor<2x4xf32>,
                   %u: tensor<8xf32>, %i: tensor<4xi32>, %z: f32) {
  scf.for %k = %n to %n step %n {
    %0 = linalg.matmul ins(%m, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.pack %t padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%n] into %p : tensor<?xf32> -> tensor<?x?xf32>
    %2 = linalg.unpack %s inner_dims_pos = [0] inner_tiles = [4] into %u : tensor<2x4xf32> -> tensor<8xf32>
    %3 = linalg.pack %t inner_dims_pos = [0] inner_tiles = [%n] into %p : tensor<?xf32> -> tensor<?x?xf32>
    %4 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [%n] into %t : tensor<?x?xf32> -> tensor<?xf32>
    %5 = linalg.map ins(%i, %i : tensor<4xi32>, tensor<4xi32>) outs(%i : tensor<4xi32>) (%a: i32, %b: i32, %c: i32) {
      %q = arith.divsi %a, %b : i32
      linalg.yield %q : i32
    }
    "foo.use"(%0, %1, %2, %3, %4, %5) : (tensor<4x4xf32>, tensor<?x?xf32>, tensor<8xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<4xi32>) -> ()
  }
  return
}

// Transfers of tensors, not of buffers.
// CHECK-LABEL: func.func @transfers
//       CHECK:   vector.transfer_read %{{.*}} : tensor<?xf32>, vector<4xf32>
//       CHECK:   vector.transfer_write %{{.*}} {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
//       CHECK:   scf.for
//  CHECK-NEXT:     vector.transfer_read %{{.*}} : memref<?xf32>, vector<4xf32>
//  CHECK-NEXT:     "foo.use"
func.func @transfers(%n: index, %t: tensor<?xf32>, %s: tensor<8xf32>, %b: memref<?xf32>, %v: vector<4xf32>, %z: f32) {
  %c4 = arith.constant 4 : index
  scf.for %k = %n to %n step %n {
    %0 = vector.transfer_read %t[%n], %z : tensor<?xf32>, vector<4xf32>
    %1 = vector.transfer_write %v, %s[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    %2 = vector.transfer_read %b[%n], %z : memref<?xf32>, vector<4xf32>
    "foo.use"(%0, %1, %2) : (vector<4xf32>, tensor<8xf32>, vector<4xf32>) -> ()
  }
  return
}

// Not those that have no meaning where an index is out of bounds; mlir-opt 22 moves them, too.
// CHECK-LABEL: func.func @transfers_in_bounds
//       CHECK:   scf.for
//  CHECK-NEXT:     vector.transfer_read %{{.*}} {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
//  CHECK-NEXT:     vector.transfer_read %{{.*}} : tensor<?x?xf32>, vector<4xf32>
//  CHECK-NEXT:     "foo.use"
func.func @transfers_in_bounds(%n: index, %t: tensor<?xf32>, %p: tensor<?x?xf32>, %z: f32) {
  scf.for %k = %n to %n step %n {
    %0 = vector.transfer_read %t[%n], %z {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
    %1 = vector.transfer_read %p[%n, %n], %z : tensor<?x?xf32>, vector<4xf32>
    "foo.use"(%0, %1) : (vector<4xf32>, vector<4xf32>) -> ()
  }
  return
}
