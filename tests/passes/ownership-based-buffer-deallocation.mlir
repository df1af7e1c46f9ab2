// RUN: dl-opt %s --ownership-based-buffer-deallocation | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse,canonicalize)' | FileCheck %s --check-prefix=LOWERED

// What is returned is the caller's; the rest is freed.
// CHECK-LABEL: func.func @two_buffers
//  CHECK-SAME:   (%[[N:.*]]: index)
// LOWERED-LABEL: func.func @two_buffers
func.func @two_buffers(%n: index) -> memref<?xf32> {
  // CHECK: %[[A:.*]] = memref.alloc(%[[N]])
  // CHECK: %[[B:.*]] = memref.alloc(%[[N]])
  // CHECK: %[[BA:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[A]]
  // CHECK: %[[BB:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[B]]
  // CHECK: bufferization.dealloc (%[[BA]], %[[BB]] : memref<f32>, memref<f32>) if (%{{.*}}, %{{.*}}) retain (%[[B]] : memref<?xf32>)
  // CHECK: return %[[B]]
  // LOWERED: %[[A:.*]] = memref.alloc(
  // LOWERED: %[[B:.*]] = memref.alloc(
  // LOWERED: memref.copy %[[A]], %[[B]]
  // LOWERED-NEXT: memref.dealloc %[[A]]
  // LOWERED-NEXT: return %[[B]]
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}

// An argument is not owned: the caller gets a clone of it.
// CHECK-LABEL: func.func @argument
//  CHECK-SAME:   (%[[A:.*]]: memref<4xf32>)
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: %[[R:.*]] = scf.if %[[FALSE]]
// CHECK-NEXT: scf.yield %[[A]]
// CHECK: %[[C:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT: scf.yield %[[C]]
// CHECK: return %[[R]]
func.func @argument(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// Each iteration frees the buffer of the one before.
// CHECK-LABEL: func.func @carried
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: scf.for {{.*}} iter_args(%[[T:[a-z0-9]+]] = %[[X]], %[[OWNED:[a-z0-9]+]] = %[[FALSE]]) -> (memref<4xf32>, i1)
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: %[[D:.*]] = bufferization.dealloc ({{.*}}) if (%[[OWNED]], %{{.*}}) retain (%[[Y]] : memref<4xf32>)
// CHECK-NEXT: scf.yield %[[Y]], %[[D]] : memref<4xf32>, i1
// LOWERED-LABEL: func.func @carried
// LOWERED: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[OWNED:.*]] = %{{.*}})
// LOWERED: scf.if %[[OWNED]] {
// LOWERED-NEXT: memref.dealloc
func.func @carried(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (memref<4xf32>) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %t, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// Stack memory is nobody's to free.
// CHECK-LABEL: func.func @stack
// CHECK-NOT: bufferization.dealloc
func.func @stack() {
  %a = memref.alloca() : memref<4xf32>
  return
}

// Ownership goes with a branch; the other target frees.
// CHECK-LABEL: func.func @branches
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[N:.*]]: index
// CHECK: %[[X:.*]] = memref.alloc(%[[N]])
// CHECK: %[[D:.*]] = bufferization.dealloc ({{.*}}) if ({{.*}}) retain (%[[X]] : memref<?xf32>)
// CHECK: cf.cond_br %[[C]], ^bb1(%[[X]], %[[D]] : memref<?xf32>, i1), ^bb2
// CHECK: ^bb1(%{{.*}}: memref<?xf32>, %{{.*}}: i1):
func.func @branches(%c: i1, %n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^a(%x : memref<?xf32>), ^b
^a(%p: memref<?xf32>):
  memref.copy %p, %p : memref<?xf32> to memref<?xf32>
  cf.br ^b
^b:
  return
}

func.func private @another(memref<*xf32>) -> memref<*xf32>

// An unranked buffer is freed by way of its first element.
// CHECK-LABEL: func @unranked
func.func @unranked(%a: memref<*xf32>) {
  // CHECK: %[[B:.*]] = call @another
  // CHECK: %[[FIRST:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[]>>
  // CHECK: %[[BASE:.*]], %{{.*}} = memref.extract_strided_metadata %[[FIRST]]
  // CHECK: bufferization.dealloc (%{{[a-z_0-9]+}}, %[[BASE]] :
  %b = call @another(%a) : (memref<*xf32>) -> memref<*xf32>
  return
}

// What an operation without effects makes of a buffer may be that buffer.
// CHECK-LABEL: func.func @handed_on
//       CHECK:   %[[A:.*]] = memref.alloc
//       CHECK:   %[[B:.*]] = "test.forward_buffer"(%[[A]])
//       CHECK:   bufferization.dealloc
//       CHECK:   return
func.func @handed_on() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = "test.forward_buffer"(%a) : (memref<4xf32>) -> memref<4xf32>
  return %b : memref<4xf32>
}

// Where there are no buffers, loops may be made of branches.
// CHECK-LABEL: func.func @branches_without_buffers
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : i32), ^bb2
// CHECK-NOT: bufferization.dealloc
func.func @branches_without_buffers(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  cf.br ^loop(%c0 : i32)
^loop(%i: i32):
  %next = arith.addi %i, %n : i32
  %again = arith.cmpi slt, %next, %n : i32
  cf.cond_br %again, ^loop(%next : i32), ^end
^end:
  return %next : i32
}
