// RUN: dl-opt %s --scf-for-loop-canonicalization --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tiles_are_whole
func.func @tiles_are_whole(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  // CHECK:      scf.for %[[I:.*]] =
  // CHECK-NEXT:   memref.store %c4, %{{.*}}[%[[I]]]
  scf.for %i = %c0 to %c12 step %c4 {
    %size = affine.min affine_map<(d0) -> (4, 12 - d0)>(%i)
    memref.store %size, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @last_tile_is_smaller
func.func @last_tile_is_smaller(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  scf.for %i = %c0 to %c13 step %c4 {
    // CHECK: affine.min
    %size = affine.min affine_map<(d0) -> (4, 13 - d0)>(%i)
    memref.store %size, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @size_of_carried
//  CHECK-SAME:   (%[[T:.*]]: tensor<?xf32>, %[[U:.*]]: tensor<?xf32>
func.func @size_of_carried(%t: tensor<?xf32>, %u: tensor<?xf32>, %s: tensor<1xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<?xf32>, tensor<?xf32>) {
    %d = tensor.insert_slice %s into %a[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    %e = tensor.pad %b low[1] high[0] {
    ^bb0(%at: index):
      %zero = arith.constant 0.0 : f32
      tensor.yield %zero : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %d, %e : tensor<?xf32>, tensor<?xf32>
  }
  // CHECK: %[[R:.*]]:2 = scf.for
  // CHECK: tensor.dim %[[T]]
  %x = tensor.dim %r#0, %c0 : tensor<?xf32>
  // CHECK: tensor.dim %[[R]]#1
  %y = tensor.dim %r#1, %c0 : tensor<?xf32>
  return %x, %y : index, index
}
