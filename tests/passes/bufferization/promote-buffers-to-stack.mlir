// RUN: dl-opt %s --promote-buffers-to-stack --split-input-file | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: dl-opt %s --promote-buffers-to-stack='max-alloc-size-in-bytes=64 max-rank-of-allocated-memref=2' --split-input-file | FileCheck %s --check-prefixes=CHECK,SMALL

// CHECK-LABEL: func.func @small
//  CHECK-NEXT:   memref.alloca() : memref<16xf32>
func.func @small(%out: memref<16xf32>) {
  %b = memref.alloc() : memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 17 * 4 > 64
// CHECK-LABEL: func.func @limit
//  LARGE-NEXT:   memref.alloca() : memref<17xf32>
//  SMALL-NEXT:   memref.alloc() : memref<17xf32>
func.func @limit(%out: memref<17xf32>) {
  %b = memref.alloc() : memref<17xf32>
  memref.copy %b, %out : memref<17xf32> to memref<17xf32>
  return
}

// -----

// CHECK-LABEL: func.func @extents_are_ranks
//  CHECK-NEXT:   memref.rank
//  CHECK-NEXT:   memref.alloca(
//  LARGE-NEXT:   memref.alloc(
//  SMALL-NEXT:   memref.alloca(
func.func @extents_are_ranks(%a: memref<*xf32>) {
  %r = memref.rank %a : memref<*xf32>
  %b = memref.alloc(%r) : memref<?xindex>
  %c = memref.alloc(%r, %r) : memref<?x?xindex>
  return
}

// -----

// CHECK-LABEL: func.func @returned
//  CHECK-NEXT:   memref.alloc()
func.func @returned() -> memref<2xf32> {
  %b = memref.alloc() : memref<2xf32>
  return %b : memref<2xf32>
}

// -----

// CHECK-LABEL: func.func @view_is_returned
//  CHECK-NEXT:   memref.alloc()
func.func @view_is_returned() -> memref<2xf32, strided<[1]>> {
  %b = memref.alloc() : memref<4xf32>
  %v = memref.subview %b[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  return %v : memref<2xf32, strided<[1]>>
}

// -----

// CHECK-LABEL: func.func @freed
//  CHECK-NEXT:   memref.alloc()
func.func @freed() {
  %b = memref.alloc() : memref<2xf32>
  memref.dealloc %b : memref<2xf32>
  return
}

// -----

// An iteration gives back what it allocates on the stack.
// CHECK-LABEL: func.func @in_a_loop
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.alloca()
func.func @in_a_loop(%n: index, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %b, %out : memref<2xf32> to memref<2xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @in_a_branch
//       CHECK:   scf.if
//  CHECK-NEXT:     memref.alloca()
func.func @in_a_branch(%c: i1, %out: memref<2xf32>) {
  scf.if %c {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %b, %out : memref<2xf32> to memref<2xf32>
  }
  return
}

// -----

// The stack would grow with each iteration.
// CHECK-LABEL: func.func @in_a_loop_that_is_no_scope
//       CHECK:   scf.while
//  CHECK-NEXT:     memref.alloc()
func.func @in_a_loop_that_is_no_scope(%c: i1, %out: memref<2xf32>) {
  scf.while : () -> () {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %b, %out : memref<2xf32> to memref<2xf32>
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

// An index is as wide as the data layout says.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 128>} {
  // CHECK-LABEL: func.func @wide_indices
  func.func @wide_indices() {
    // LARGE-NEXT: memref.alloca() : memref<64xindex>
    // SMALL-NEXT: memref.alloc() : memref<64xindex>
    // CHECK-NEXT: memref.alloc() : memref<65xindex>
    %fits = memref.alloc() : memref<64xindex>
    %large = memref.alloc() : memref<65xindex>
    return
  }
}
