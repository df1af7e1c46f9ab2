// RUN: dl-opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" --split-input-file | FileCheck %s

// Without an iteration the result is what was there before, though each iteration overwrites all of it.
// CHECK-LABEL: func.func @maybe_no_iteration
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<4xf32, strided<[?], offset: ?>>
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK:   memref.copy %[[T]], %[[A]]
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
func.func @maybe_no_iteration(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %f = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @some_iterations
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//   CHECK-NOT:   memref.copy
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
func.func @some_iterations(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %f = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @maybe_no_thread
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<4xf32, strided<[?], offset: ?>>
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK:   memref.copy %[[T]], %[[A]]
//       CHECK:   scf.forall
func.func @maybe_no_thread(%t: tensor<4xf32> {bufferization.writable = false}, %s: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// -----

// What a thread computes of all of the output, and puts all over it, is computed there.
// CHECK-LABEL: func.func @whole_output
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<?xf32, strided<[?], offset: ?>>
//   CHECK-NOT:   memref.alloc
//       CHECK:   linalg.fill {{.*}} outs(%[[T]]
func.func @whole_output(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> tensor<?xf32> {
    %f = linalg.fill ins(%x : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// A buffer that only the iteration has is handed on as it is.
// CHECK-LABEL: func.func @new_buffer
//       CHECK:   scf.for
//       CHECK:     %[[A:.*]] = memref.alloc
//   CHECK-NOT:     memref.copy
//       CHECK:     %[[C:.*]] = memref.cast %[[A]]
//       CHECK:     scf.yield %[[C]]
func.func @new_buffer(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %e = bufferization.alloc_tensor(%i) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A part of what the iteration got is, too; one of the other loop-carried tensor is not.
// CHECK-LABEL: func.func @parts
//       CHECK:   scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
//   CHECK-DAG:     %[[P:.*]] = memref.subview %[[A]][1] [%{{.*}}] [1]
//   CHECK-DAG:     %[[C:.*]] = memref.alloc
//   CHECK-DAG:     memref.copy %[[A]], %[[C]]
//   CHECK-DAG:     %[[D:.*]] = memref.cast %[[C]]
//       CHECK:     scf.yield %[[P]], %[[D]]
func.func @parts(%s: tensor<?xf32>, %t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<?xf32>, tensor<?xf32>) {
    %p = tensor.extract_slice %a[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %p, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The body writes what it got. Without a copy on the way there, from the second iteration on that would be %s.
// CHECK-LABEL: func.func @yields_what_is_outside
//       CHECK:   %[[S:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK:   scf.while (%[[A:.*]] = %{{.*}})
//       CHECK:     %[[C:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//       CHECK:     memref.copy %[[A]], %[[C]]
//       CHECK:     scf.condition(%{{.*}}) %[[C]]
//       CHECK:   } do {
//       CHECK:   ^bb0(%[[B:.*]]: memref<4xf32>):
//       CHECK:     memref.store %{{.*}}, %[[B]]
//       CHECK:     memref.load %[[B]]
//       CHECK:   memref.load %[[S]]
func.func @yields_what_is_outside(%x: f32, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %s = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %r = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %y = "test.value"() : () -> f32
    %w = tensor.insert %y into %b[%i] : tensor<4xf32>
    %v = tensor.extract %w[%i] : tensor<4xf32>
    vector.print %v : f32
    scf.yield %s : tensor<4xf32>
  }
  %v = tensor.extract %s[%i] : tensor<4xf32>
  return %v : f32
}
