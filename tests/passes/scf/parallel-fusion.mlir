// RUN: dl-opt %s --scf-parallel-loop-fusion --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @same_element
func.func @same_element(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf32>
  // CHECK-COUNT-1: scf.parallel
  // CHECK-NOT:     scf.parallel
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %b[%j] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %j = arith.addi %c1, %i : index
    %x = memref.load %b[%j] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  }
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// Each iteration of the second loop reads what the last one of the first has written.
// CHECK-LABEL: func.func @one_element_for_all
func.func @one_element_for_all(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf32>
  // CHECK-COUNT-2: scf.parallel
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%c0] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %b[%c0] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  }
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// The second loop overwrites what the first has written one iteration later.
// CHECK-LABEL: func.func @both_write
func.func @both_write(%b: memref<8xf32>, %n: index, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-COUNT-2: scf.parallel
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %b[%i] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %j = arith.addi %i, %c1 : index
    memref.store %y, %b[%j] : memref<8xf32>
  }
  return
}

// -----

// Elements with an even index, and those with an odd one.
// CHECK-LABEL: func.func @never_the_same_element
func.func @never_the_same_element(%a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // CHECK-COUNT-1: scf.parallel
  // CHECK-NOT:     scf.parallel
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %j = arith.muli %i, %c2 : index
    memref.store %x, %a[%j] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %j = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
    memref.store %x, %a[%j] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @arguments_may_be_one_buffer
func.func @arguments_may_be_one_buffer(%a: memref<8xf32>, %b: memref<8xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // CHECK-COUNT-2: scf.parallel
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init(%zero) -> f32 {
    %y = memref.load %b[%i] : memref<8xf32>
    scf.reduce(%y : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
