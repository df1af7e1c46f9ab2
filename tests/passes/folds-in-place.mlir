// What folds, folds in every pass that rewrites greedily, not in `canonicalize` alone.
// RUN: dl-opt %s --convert-vector-to-scf | FileCheck %s
// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @constant_to_the_right(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: i32)
//       CHECK:   %[[THREE:[a-z0-9_]+]] = arith.constant 3 : i32
//       CHECK:   arith.cmpi sgt, %[[X]], %[[THREE]] : i32
func.func @constant_to_the_right(%x: i32) -> i1 {
  %three = arith.constant 3 : i32
  %0 = arith.cmpi slt, %three, %x : i32
  return %0 : i1
}

// CHECK-LABEL: func.func @no_constant(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32)
//       CHECK:   arith.cmpi slt, %[[X]], %[[Y]] : i32
func.func @no_constant(%x: i32, %y: i32) -> i1 {
  %0 = arith.cmpi slt, %x, %y : i32
  return %0 : i1
}

// CHECK-LABEL: func.func @load_of_cast(
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: memref<4xf32>, %[[I:[a-z0-9]+]]: index)
//       CHECK:   memref.load %[[M]][%[[I]]] : memref<4xf32>
func.func @load_of_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @affine_load_of_cast(
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: memref<4xf32>)
//       CHECK:   affine.load %[[M]][0] : memref<4xf32>
func.func @affine_load_of_cast(%m: memref<4xf32>) -> f32 {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = affine.load %0[0] : memref<?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @load_of_learning_cast(
//       CHECK:   %[[CAST:[a-z0-9]+]] = memref.cast
//       CHECK:   memref.load %[[CAST]]
func.func @load_of_learning_cast(%m: memref<*xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<*xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @parts(
//  CHECK-SAME:   %[[V:[a-z0-9]+]]: vector<2x3x4xf32>)
//       CHECK:   vector.extract %[[V]][1, 2, 3] : f32 from vector<2x3x4xf32>
func.func @parts(%v: vector<2x3x4xf32>) -> f32 {
  %two = arith.constant 2 : index
  %0 = vector.extract %v[1] : vector<3x4xf32> from vector<2x3x4xf32>
  %1 = vector.extract %0[%two] : vector<4xf32> from vector<3x4xf32>
  %2 = vector.extract %1[3] : f32 from vector<4xf32>
  return %2 : f32
}
