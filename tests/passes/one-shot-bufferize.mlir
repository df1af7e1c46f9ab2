// RUN: dl-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s
// RUN: dl-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map buffer-alignment=16' | FileCheck %s --check-prefix=IDENTITY
// RUN: dl-opt %s --one-shot-bufferize | FileCheck %s --check-prefix=INSIDE

// Equal constants are one global; the last one made stands first.
// CHECK: memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 3.000000e+00]> {alignment = 64 : i64}
// CHECK: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// IDENTITY: memref.global "private" constant @__constant_2xf32 {{.*}} {alignment = 16 : i64}

// Without layouts given, arguments may be any view, and results are what is returned.
// CHECK-LABEL: func.func @insert
//  CHECK-SAME:   (%[[T:.*]]: memref<8xf32, strided<[?], offset: ?>>, %[[I:.*]]: index, %[[V:.*]]: f32) -> memref<8xf32, strided<[?], offset: ?>>
// IDENTITY-LABEL: func.func @insert
//  IDENTITY-SAME:   memref<8xf32>, %{{.*}}: index, %{{.*}}: f32) -> memref<8xf32>
// INSIDE-LABEL: func.func @insert
//  INSIDE-SAME:   (%[[T:.*]]: tensor<8xf32>, {{.*}}) -> tensor<8xf32>
func.func @insert(%t: tensor<8xf32>, %i: index, %v: f32) -> tensor<8xf32> {
  // CHECK-NEXT: memref.store %[[V]], %[[T]][%[[I]]]
  // CHECK-NEXT: return %[[T]]
  // INSIDE-NEXT: %[[B:.*]] = bufferization.to_buffer %[[T]]
  // INSIDE: %[[A:.*]] = memref.alloc() {alignment = 64 : i64}
  // INSIDE-NEXT: memref.copy %[[B]], %[[A]]
  // INSIDE-NEXT: memref.store %{{.*}}, %[[A]]
  // INSIDE-NEXT: %[[R:.*]] = bufferization.to_tensor %[[A]]
  // INSIDE-NEXT: return %[[R]]
  %r = tensor.insert %v into %t[%i] : tensor<8xf32>
  return %r : tensor<8xf32>
}

// What is read after the write keeps its value: the write goes to a copy.
// CHECK-LABEL: func.func @read_after_write
//  CHECK-SAME:   (%[[T:.*]]: memref<8xf32, {{.*}}>, %[[I:.*]]: index
func.func @read_after_write(%t: tensor<8xf32>, %i: index, %v: f32) -> (tensor<8xf32>, f32) {
  // CHECK-NEXT: %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  // CHECK-NEXT: memref.copy %[[T]], %[[A]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]][%[[I]]]
  // CHECK-NEXT: memref.load %[[T]][%[[I]]]
  %r = tensor.insert %v into %t[%i] : tensor<8xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %r, %e : tensor<8xf32>, f32
}

// What is overwritten without being read is not copied.
// CHECK-LABEL: func.func @overwrite
//  CHECK-SAME:   (%[[T:.*]]: memref<8xf32
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]] :
// CHECK-NOT: memref.copy
func.func @overwrite(%t: tensor<8xf32>, %v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %f = linalg.fill ins(%v : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %f, %t : tensor<8xf32>, tensor<8xf32>
}

// A constant is not written.
// CHECK-LABEL: func.func @constants
// CHECK: %[[C:.*]] = memref.get_global @__constant_2xf32 :
// CHECK: %[[D:.*]] = memref.get_global @__constant_2xf32_0 :
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: linalg.add ins(%[[C]], %[[D]] : {{.*}}) outs(%[[A]] :
func.func @constants() -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %c2 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = linalg.add ins(%c, %d : tensor<2xf32>, tensor<2xf32>) outs(%c2 : tensor<2xf32>) -> tensor<2xf32>
  return %e : tensor<2xf32>
}

// Element-wise operations read and write one buffer.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = memref.alloc(
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]] :
// CHECK-NEXT: linalg.exp ins(%[[A]] : {{.*}}) outs(%[[A]] :
// CHECK-NOT: memref.alloc
func.func @chain(%n: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.exp ins(%f : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}

// A slice that is put back where it was taken is worked on in place.
// CHECK-LABEL: func.func @slice
//  CHECK-SAME:   (%[[T:.*]]: memref<?xf32
// CHECK-NEXT: %[[S:.*]] = memref.subview %[[T]][4] [%{{.*}}] [1]
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[S]] :
// CHECK-NOT: memref.alloc
func.func @slice(%t: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %s = tensor.extract_slice %t[4] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %t[4] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

// A loop carries the buffer.
// CHECK-LABEL: func.func @loop
//  CHECK-SAME:   (%[[T:.*]]: memref<4xf32
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[T]]) -> (memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: memref.store %{{.*}}, %[[C]]
// CHECK-NEXT: scf.yield %[[C]]
func.func @loop(%t: tensor<4xf32>, %n: index, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%c = %t) -> (tensor<4xf32>) {
    %r = tensor.insert %v into %c[%i] : tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// One branch writes the argument in place.
// CHECK-LABEL: func.func @branches
//  CHECK-SAME:   (%{{.*}}: i1, %[[T:.*]]: memref<4xf32
// CHECK: scf.if {{.*}} -> (memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: memref.store %{{.*}}, %[[T]]
// CHECK-NEXT: scf.yield %[[T]]
func.func @branches(%c: i1, %t: tensor<4xf32>, %i: index, %v: f32) -> tensor<4xf32> {
  %s = scf.if %c -> tensor<4xf32> {
    %r = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// A callee that writes its argument gets a copy of what is read afterwards.
// CHECK-LABEL: func.func @caller
//  CHECK-SAME:   (%[[T:.*]]: memref<8xf32
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[T]], %[[A]]
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[A]]
// CHECK-NEXT: call @insert(%[[CAST]]
func.func @caller(%t: tensor<8xf32>, %i: index, %v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = call @insert(%t, %i, %v) : (tensor<8xf32>, index, f32) -> tensor<8xf32>
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}
