// RUN: dl-opt %s --fold-memref-alias-ops --split-input-file | FileCheck %s

// Where upstream folds as well, the expected form is the one of mlir-opt.

// CHECK-DAG: #[[ROW:.*]] = affine_map<()[s0, s1] -> (s0 + s1 * 2)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<()[s0] -> (s0 * 3 + 4)>
// CHECK-DAG: #[[INNER:.*]] = affine_map<()[s0] -> (s0 * 3 + 7)>
// CHECK-LABEL: func.func @subviews
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<12x32xf32>, %[[X:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: f32
func.func @subviews(%m: memref<12x32xf32>, %x: index, %i: index, %j: index, %v: f32) -> (f32, f32) {
  // CHECK:      %[[R:.*]] = affine.apply #[[ROW]]()[%[[X]], %[[I]]]
  // CHECK-NEXT: %[[C:.*]] = affine.apply #[[COLUMN]]()[%[[J]]]
  // CHECK-NEXT: memref.load %[[M]][%[[R]], %[[C]]] : memref<12x32xf32>
  %s = memref.subview %m[%x, 4] [4, 4] [2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: ?>>
  %a = memref.load %s[%i, %j] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  // CHECK:      memref.store %[[V]], %[[M]][%{{.*}}, %{{.*}}] {nontemporal = true} : memref<12x32xf32>
  memref.store %v, %s[%i, %j] {nontemporal = true} : memref<4x4xf32, strided<[64, 3], offset: ?>>
  // CHECK:      %[[R2:.*]] = affine.apply #[[ROW]]()[%[[X]], %[[I]]]
  // CHECK-NEXT: %[[C2:.*]] = affine.apply #[[INNER]]()[%[[J]]]
  // CHECK-NEXT: memref.load %[[M]][%[[R2]], %[[C2]]]
  %t = memref.subview %s[%i, 1] [1, 2] [1, 1] : memref<4x4xf32, strided<[64, 3], offset: ?>> to memref<2xf32, strided<[3], offset: ?>>
  %b = memref.load %t[%j] : memref<2xf32, strided<[3], offset: ?>>
  return %a, %b : f32, f32
}

// -----

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<12x32xf32>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
func.func @reshapes(%m: memref<12x32xf32>, %i: index, %j: index, %k: index) -> (f32, f32, vector<4xf32>) {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  // CHECK:      %[[R:.*]] = affine.linearize_index disjoint [%[[I]], %[[J]]] by (3, 4) : index
  // CHECK-NEXT: memref.load %[[M]][%[[R]], %[[K]]]
  %a = memref.load %e[%i, %j, %k] : memref<3x4x32xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  // CHECK:      %[[D:.*]]:2 = affine.delinearize_index %[[I]] into (12, 32) : index, index
  // CHECK-NEXT: memref.load %[[M]][%[[D]]#0, %[[D]]#1]
  %b = memref.load %c[%i] : memref<384xf32>
  // CHECK:      %[[R2:.*]] = affine.linearize_index [%[[I]], %[[J]]] by (3, 4) : index
  // CHECK-NEXT: vector.load %[[M]][%[[R2]], %[[K]]]
  %v = vector.load %e[%i, %j, %k] : memref<3x4x32xf32>, vector<4xf32>
  return %a, %b, %v : f32, f32, vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @vectors
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<12x32xf32>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index
func.func @vectors(%m: memref<12x32xf32>, %i: index, %j: index, %f: f32, %mask: vector<4xi1>, %pass: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %s = memref.subview %m[%i, 4] [1, 16] [1, 1] : memref<12x32xf32> to memref<16xf32, strided<[1], offset: ?>>
  // CHECK:      %[[C:.*]] = affine.apply {{.*}}[%[[J]]]
  // CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[M]][%[[I]], %[[C]]], %{{.*}} {in_bounds = [true]} : memref<12x32xf32>, vector<4xf32>
  %a = vector.transfer_read %s[%j], %f {in_bounds = [true]} : memref<16xf32, strided<[1], offset: ?>>, vector<4xf32>
  // CHECK:      vector.maskedload %[[M]][%[[I]], %{{.*}}], %{{.*}}, %{{.*}} : memref<12x32xf32>
  %b = vector.maskedload %s[%j], %mask, %pass : memref<16xf32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK:      vector.maskedstore %[[M]][%[[I]], %{{.*}}], %{{.*}}, %{{.*}} : memref<12x32xf32>
  vector.maskedstore %s[%j], %mask, %b : memref<16xf32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xf32>
  // CHECK:      vector.store %{{[a-z0-9]+}}, %[[M]][%[[I]], %{{.*}}] : memref<12x32xf32>
  vector.store %b, %s[%j] : memref<16xf32, strided<[1], offset: ?>>, vector<4xf32>
  // CHECK:      vector.transfer_write %[[V]], %[[M]][%[[I]], %{{.*}}] {in_bounds = [true]} : vector<4xf32>, memref<12x32xf32>
  vector.transfer_write %a, %s[%j] {in_bounds = [true]} : vector<4xf32>, memref<16xf32, strided<[1], offset: ?>>
  return %a, %b : vector<4xf32>, vector<4xf32>
}

// -----

// The vector lies along the first dimension of the buffer.
// CHECK-LABEL: func.func @column
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true], permutation_map = #{{.*}}} : memref<12x32xf32>, vector<4xf32>
func.func @column(%m: memref<12x32xf32>, %i: index, %j: index, %f: f32) -> vector<4xf32> {
  %s = memref.subview %m[0, %i] [12, 1] [1, 1] : memref<12x32xf32> to memref<12xf32, strided<[32], offset: ?>>
  %a = vector.transfer_read %s[%j], %f {in_bounds = [true]} : memref<12xf32, strided<[32], offset: ?>>, vector<4xf32>
  return %a : vector<4xf32>
}

// -----

// Beyond the end of the subview there is the buffer, and no padding.
// CHECK-LABEL: func.func @out_of_bounds
// CHECK: %[[S:.*]] = memref.subview
// CHECK: vector.transfer_read %[[S]]
// CHECK: vector.transfer_write %{{.*}}, %[[S]]
func.func @out_of_bounds(%m: memref<12x32xf32>, %i: index, %j: index, %f: f32) -> vector<4xf32> {
  %s = memref.subview %m[%i, 4] [1, 16] [1, 1] : memref<12x32xf32> to memref<16xf32, strided<[1], offset: ?>>
  %a = vector.transfer_read %s[%j], %f : memref<16xf32, strided<[1], offset: ?>>, vector<4xf32>
  vector.transfer_write %a, %s[%j] : vector<4xf32>, memref<16xf32, strided<[1], offset: ?>>
  return %a : vector<4xf32>
}

// -----

// Elements that are neighbours in the view and not in the buffer.
// CHECK-LABEL: func.func @apart
// CHECK: vector.transfer_read %subview
// CHECK: vector.load %collapse_shape
// CHECK: vector.transfer_read %expand_shape
func.func @apart(%m: memref<12x32xf32>, %i: index, %j: index, %f: f32) -> (vector<4xf32>, vector<4xf32>, vector<2x4xf32>) {
  %s = memref.subview %m[%i, 4] [1, 8] [1, 2] : memref<12x32xf32> to memref<8xf32, strided<[2], offset: ?>>
  %a = vector.transfer_read %s[%j], %f {in_bounds = [true]} : memref<8xf32, strided<[2], offset: ?>>, vector<4xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  %b = vector.load %c[%i] : memref<384xf32>, vector<4xf32>
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [12, 4, 8] : memref<12x32xf32> into memref<12x4x8xf32>
  %d = vector.transfer_read %e[%i, %j, %j], %f {in_bounds = [true, true]} : memref<12x4x8xf32>, vector<2x4xf32>
  return %a, %b, %d : vector<4xf32>, vector<4xf32>, vector<2x4xf32>
}

// -----

// What is merged would have a static stride or offset, and so another type.
// CHECK-LABEL: func.func @constant_stride
// CHECK: %[[S:.*]] = memref.subview %{{.*}}[3, 3] [8, 16] [%c2, 1]
// CHECK: %[[T:.*]] = memref.subview %[[S]][0, 0] [4, 4] [1, 1]
// CHECK: return %[[T]]
func.func @constant_stride(%m: memref<64x64xf32>) -> memref<4x4xf32, strided<[?, 1], offset: 195>> {
  %c2 = arith.constant 2 : index
  %s = memref.subview %m[3, 3] [8, 16] [%c2, 1] : memref<64x64xf32> to memref<8x16xf32, strided<[?, 1], offset: 195>>
  %t = memref.subview %s[0, 0] [4, 4] [1, 1] : memref<8x16xf32, strided<[?, 1], offset: 195>> to memref<4x4xf32, strided<[?, 1], offset: 195>>
  return %t : memref<4x4xf32, strided<[?, 1], offset: 195>>
}

// Upstream makes an operation of it that is not valid.
// CHECK-LABEL: func.func @constant_offset
// CHECK: %[[S:.*]] = memref.subview %{{.*}}[3, 3] [8, 16] [1, 1]
// CHECK: %[[T:.*]] = memref.subview %[[S]][%c3, 0] [4, 4] [1, 1]
// CHECK: return %[[T]]
func.func @constant_offset(%m: memref<64x64xf32>) -> memref<4x4xf32, strided<[64, 1], offset: ?>> {
  %c3 = arith.constant 3 : index
  %s = memref.subview %m[3, 3] [8, 16] [1, 1] : memref<64x64xf32> to memref<8x16xf32, strided<[64, 1], offset: 195>>
  %t = memref.subview %s[%c3, 0] [4, 4] [1, 1] : memref<8x16xf32, strided<[64, 1], offset: 195>> to memref<4x4xf32, strided<[64, 1], offset: ?>>
  return %t : memref<4x4xf32, strided<[64, 1], offset: ?>>
}

// A constant size stays an operand.
// CHECK-LABEL: func.func @constant_size
// CHECK: %[[O:.*]] = affine.apply #{{.*}}()[%{{.*}}]
// CHECK: %[[S:.*]] = memref.subview %{{.*}}[%[[O]], 3] [%c3, 4] [1, 1] : memref<64x64xf32> to memref<?x4xf32, strided<[64, 1], offset: ?>>
// CHECK: return %[[S]]
func.func @constant_size(%m: memref<64x64xf32>, %i: index) -> memref<?x4xf32, strided<[64, 1], offset: ?>> {
  %c3 = arith.constant 3 : index
  %s = memref.subview %m[%i, 3] [8, 16] [1, 1] : memref<64x64xf32> to memref<8x16xf32, strided<[64, 1], offset: ?>>
  %t = memref.subview %s[%i, 0] [%c3, 4] [1, 1] : memref<8x16xf32, strided<[64, 1], offset: ?>> to memref<?x4xf32, strided<[64, 1], offset: ?>>
  return %t : memref<?x4xf32, strided<[64, 1], offset: ?>>
}
