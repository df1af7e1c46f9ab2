// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(mem2reg))' --split-input-file | FileCheck %s
// The functions of a module are looked into as well.
// RUN: dl-opt %s --mem2reg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @diamond
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @diamond(%c: i1, %x: i32, %y: i32) -> i32 {
  // CHECK-NOT: memref
  // CHECK: cf.cond_br %[[C]], ^bb1, ^bb2
  // CHECK: ^bb1:
  // CHECK-NEXT: cf.br ^bb3(%[[X]] : i32)
  // CHECK: ^bb2:
  // CHECK-NEXT: cf.br ^bb3(%[[Y]] : i32)
  // CHECK: ^bb3(%[[R:.*]]: i32):
  // CHECK-NEXT: return %[[R]]
  %a = memref.alloca() : memref<i32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %x, %a[] : memref<i32>
  cf.br ^bb3
^bb2:
  memref.store %y, %a[] : memref<i32>
  cf.br ^bb3
^bb3:
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

// -----

// What is stored may have been loaded from the same place.
// CHECK-LABEL: func.func @doubled
//  CHECK-SAME:   (%[[X:.*]]: i32)
func.func @doubled(%x: i32) -> i32 {
  // CHECK-NEXT: %[[A:.*]] = arith.addi %[[X]], %[[X]]
  // CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[A]]
  // CHECK-NEXT: return %[[B]]
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  %0 = memref.load %a[] : memref<i32>
  %1 = arith.addi %0, %0 : i32
  memref.store %1, %a[] : memref<i32>
  %2 = memref.load %a[] : memref<i32>
  %3 = arith.addi %2, %2 : i32
  memref.store %3, %a[] : memref<i32>
  %4 = memref.load %a[] : memref<i32>
  return %4 : i32
}

// -----

// In a loop that comes back to the allocation, nothing is known at its start. The value that stands for that is made where
// every block can see it; upstream makes it in the block of the allocation, which the verifier refuses.
// CHECK-LABEL: func.func @allocated_in_loop
func.func @allocated_in_loop(%c: i1, %x: i32) -> i32 {
  // CHECK-NEXT: %[[P:.*]] = ub.poison : i32
  // CHECK-NEXT: cf.br ^bb1(%[[P]] : i32)
  // CHECK: ^bb1(%[[V:.*]]: i32):
  // CHECK-NOT: memref
  cf.br ^bb1
^bb1:
  cf.br ^bb2
^bb2:
  %a = memref.alloca() : memref<i32>
  %v = memref.load %a[] : memref<i32>
  memref.store %x, %a[] : memref<i32>
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return %v : i32
}

// -----

// Who knows what a call does with the pointer, or when a region runs.
// CHECK-LABEL: func.func @escapes
func.func @escapes(%c: i1, %x: i32) -> (i32, i32) {
  // CHECK-COUNT-2: memref.alloca
  %a = memref.alloca() : memref<i32>
  %b = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  memref.store %x, %b[] : memref<i32>
  call @use(%a) : (memref<i32>) -> ()
  scf.if %c {
    memref.store %x, %b[] : memref<i32>
  }
  %0 = memref.load %a[] : memref<i32>
  %1 = memref.load %b[] : memref<i32>
  return %0, %1 : i32, i32
}
func.func private @use(memref<i32>)

// -----

// CHECK-LABEL: func.func @in_loop_body
func.func @in_loop_body(%n: index, %x: f32, %m: memref<?xf32>) {
  // CHECK: scf.for
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xf32>
  // CHECK-NOT: memref<1xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<1xf32>
    memref.store %x, %a[%c0] : memref<1xf32>
    %v = memref.load %a[%c0] : memref<1xf32>
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
