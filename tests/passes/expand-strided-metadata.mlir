// RUN: dl-opt %s --expand-strided-metadata | FileCheck %s

// The offset is a sum, sizes and strides are known.
// CHECK-DAG: #[[OFFSET:.*]] = affine_map<()[s0, s1] -> (s0 * 8 + s1)>
// CHECK-LABEL: func.func @subview
//  CHECK-SAME:   (%[[M:.*]]: memref<16x8xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[M]]
// CHECK: %[[AT:.*]] = affine.apply #[[OFFSET]]()[%[[I]], %[[J]]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[AT]]], sizes: [4, 2], strides: [8, 1]
func.func @subview(%m: memref<16x8xf32>, %i: index, %j: index) -> memref<4x2xf32, strided<[8, 1], offset: ?>> {
  %0 = memref.subview %m[%i, %j] [4, 2] [1, 1] : memref<16x8xf32> to memref<4x2xf32, strided<[8, 1], offset: ?>>
  return %0 : memref<4x2xf32, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func.func @collapse
// CHECK-NOT: memref.collapse_shape
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [32], strides: [1]
func.func @collapse(%m: memref<4x8xf32>) -> memref<32xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  return %0 : memref<32xf32>
}

// What tells of an allocation is what the type says.
// CHECK-LABEL: func.func @allocated
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: return %[[C0]]
func.func @allocated() -> index {
  %m = memref.alloc() : memref<4x8xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
    : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
  return %offset : index
}

// Nothing is known of an argument.
// CHECK-LABEL: func.func @argument
// CHECK: %{{.*}}, %[[O:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK: return %[[O]]
func.func @argument(%m: memref<?xf32, strided<[?], offset: ?>>) -> index {
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %m
    : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  return %offset : index
}
