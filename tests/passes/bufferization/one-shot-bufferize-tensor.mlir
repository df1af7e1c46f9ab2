// RUN: dl-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s

// The shape is read, and the buffer seen in another way.
// CHECK-LABEL: func.func @reshape_row_major
//  CHECK-SAME:   (%[[S:.*]]: memref<2xindex, strided<[?], offset: ?>>, %[[I:.*]]: index)
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<6xf32>
//       CHECK:   %[[R:.*]] = memref.reshape %[[A]](%[[S]]) : (memref<6xf32>, memref<2xindex, strided<[?], offset: ?>>) -> memref<?x?xf32>
//       CHECK:   memref.load %[[R]][%[[I]], %[[I]]]
func.func @reshape_row_major(%shape: tensor<2xindex>, %i: index) -> f32 {
  %t = bufferization.alloc_tensor() : tensor<6xf32>
  %r = tensor.reshape %t(%shape) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %e = tensor.extract %r[%i, %i] : tensor<?x?xf32>
  return %e : f32
}

// -----

// Elements with unknown gaps between them are put together first.
// CHECK-LABEL: func.func @reshape_strided
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<?xf32, strided<[?], offset: ?>>, %[[S:.*]]: memref<1xi32
//       CHECK:   %[[D:.*]] = memref.dim %[[T]]
//       CHECK:   %[[A:.*]] = memref.alloc(%[[D]]) {{.*}} : memref<?xf32>
//       CHECK:   memref.copy %[[T]], %[[A]]
//       CHECK:   memref.reshape %[[A]](%[[S]]) : {{.*}} -> memref<8xf32>
func.func @reshape_strided(%t: tensor<?xf32>, %shape: tensor<1xi32>, %i: index) -> f32 {
  %r = tensor.reshape %t(%shape) : (tensor<?xf32>, tensor<1xi32>) -> tensor<8xf32>
  %e = tensor.extract %r[%i] : tensor<8xf32>
  return %e : f32
}

// -----

// CHECK-LABEL: func.func @concat
//  CHECK-SAME:   (%[[A:.*]]: memref<2x?xf32, strided<[?, ?], offset: ?>>, %[[B:.*]]: memref<2x3xf32, strided<[?, ?], offset: ?>>)
//       CHECK:   %[[R:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<2x?xf32>
//       CHECK:   %[[D:.*]] = memref.dim %[[A]]
//       CHECK:   %[[P:.*]] = memref.subview %[[R]][0, 0] [2, %[[D]]] [1, 1]
//       CHECK:   memref.copy %[[A]], %[[P]]
//       CHECK:   %[[Q:.*]] = memref.subview %[[R]][0, %[[D]]] [2, 3] [1, 1]
//       CHECK:   memref.copy %[[B]], %[[Q]]
//       CHECK:   return %[[R]] : memref<2x?xf32>
func.func @concat(%a: tensor<2x?xf32>, %b: tensor<2x3xf32>) -> tensor<2x?xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x?xf32>
  return %c : tensor<2x?xf32>
}

// -----

// What is padded is where the source is.
// CHECK: #[[MAP:.*]] = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
// CHECK-LABEL: func.func @pad_in_memory_space
//  CHECK-SAME:   (%[[N:.*]]: index, %[[H:.*]]: index, %{{.*}}: f32, %{{.*}}: index)
//       CHECK:   %[[A:.*]] = memref.alloc(%[[N]]) {{.*}} : memref<?xf32, 2>
//       CHECK:   %[[S:.*]] = affine.apply #[[MAP]]()[%{{.*}}, %[[H]]]
//       CHECK:   %[[P:.*]] = memref.alloc(%[[S]]) {{.*}} : memref<?xf32, 2>
//       CHECK:   %[[V:.*]] = memref.subview %[[P]][1] [%{{.*}}] [1] : memref<?xf32, 2> to memref<?xf32, strided<[1], offset: 1>, 2>
//       CHECK:   memref.copy %[[A]], %[[V]]
func.func @pad_in_memory_space(%n: index, %high: index, %f: f32, %i: index) -> f32 {
  %t = bufferization.alloc_tensor(%n) {memory_space = 2 : i64} : tensor<?xf32>
  %p = tensor.pad %t low[1] high[%high] {
  ^bb0(%j: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %e = tensor.extract %p[%i] : tensor<?xf32>
  return %e : f32
}

// -----

// The buffer may be written by whatever gets it, while the tensor is still needed.
// CHECK-LABEL: func.func @buffer_of_what_is_read_later
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<4xf32, strided<[?], offset: ?>>
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK:   memref.copy %[[T]], %[[A]]
//       CHECK:   "test.write"(%[[A]])
//       CHECK:   memref.load %[[T]]
func.func @buffer_of_what_is_read_later(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  "test.write"(%m) : (memref<4xf32>) -> ()
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// -----

// There is no copy without a rank.
// CHECK-LABEL: func.func @unranked
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<*xf32>) -> memref<*xf32>
//  CHECK-NEXT:   return %[[T]]
func.func @unranked(%t: tensor<*xf32>) -> tensor<*xf32> {
  %c = tensor.cast %t : tensor<*xf32> to tensor<*xf32>
  return %c : tensor<*xf32>
}

// -----

// A constant must not be written by what may write it: the cast is of a copy.
// CHECK-LABEL: func.func @unranked_argument
//       CHECK:   %[[G:.*]] = memref.get_global
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<2xf32>
//       CHECK:   memref.copy %[[G]], %[[A]]
//       CHECK:   %[[C:.*]] = memref.cast %[[A]] : memref<2xf32> to memref<*xf32>
//       CHECK:   call @unknown(%[[C]])
func.func private @unknown(tensor<*xf32>)
func.func @unranked_argument() {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = tensor.cast %t : tensor<2xf32> to tensor<*xf32>
  call @unknown(%c) : (tensor<*xf32>) -> ()
  return
}

// -----

// Functions of a module inside are not called from here: they are left to a run on that module.
// CHECK-LABEL: func.func @outside
//  CHECK-SAME:   memref<4xf32
//       CHECK: module @inside
//       CHECK:   func.func @f(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func @outside(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
module @inside {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    return %t : tensor<4xf32>
  }
}
