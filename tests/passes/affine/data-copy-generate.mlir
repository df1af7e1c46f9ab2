// RUN: dl-opt %s --affine-data-copy-generate="fast-mem-space=0 skip-non-unit-stride-loops" --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-data-copy-generate="fast-mem-space=3" --split-input-file | FileCheck %s --check-prefix=WHOLE

// A tile: indices in the copy count from its start.
// CHECK-LABEL: func.func @tile
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<96xf32>
// CHECK:      affine.for %[[I:[a-z0-9]+]] = 0 to 96 step 32
// CHECK-NEXT:   %[[C:[a-z0-9_]+]] = memref.alloc() : memref<32xf32>
// CHECK-NEXT:   affine.for %[[X:[a-z0-9]+]] = #{{[a-z0-9]+}}(%[[I]]) to #{{[a-z0-9]+}}(%[[I]]) {
// CHECK-NEXT:     %[[V:[a-z0-9]+]] = affine.load %[[A]][%[[X]]] : memref<96xf32>
// CHECK-NEXT:     affine.store %[[V]], %[[C]][%[[X]] - %[[I]]] : memref<32xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %{{[a-z0-9]+}} = affine.for %[[J:[a-z0-9]+]] =
// CHECK-NEXT:     %{{[a-z0-9]+}} = affine.load %[[C]][-%[[I]] + %[[J]]] : memref<32xf32>
// CHECK:        }
// CHECK-NEXT:   memref.dealloc %[[C]] : memref<32xf32>
// WHOLE-LABEL: func.func @tile
// WHOLE:      memref.alloc() : memref<96xf32, 3>
// WHOLE:      memref.dealloc
// WHOLE-NEXT: return
func.func @tile(%a: memref<96xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 96 step 32 iter_args(%s = %zero) -> f32 {
    %t = affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 32)>(%i) iter_args(%u = %s) -> f32 {
      %x = affine.load %a[%j] : memref<96xf32>
      %y = arith.addf %u, %x : f32
      affine.yield %y : f32
    }
    affine.yield %t : f32
  }
  return %sum : f32
}

// -----

// Every second element is written: what is between must come in before it goes out. All elements of the other are written, and none come in.
// CHECK-LABEL: func.func @written
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<16xf32>, %[[B:[a-z0-9]+]]: memref<16xf32>
// CHECK:      memref.alloc() : memref<15xf32>
// CHECK:      affine.load %[[A]]
// CHECK:      memref.alloc() : memref<8xf32>
// CHECK-NEXT: affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:   affine.store %{{.*}}, %{{.*}}[%{{.*}} * 2] : memref<15xf32>
// CHECK-NEXT:   affine.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<8xf32>
// CHECK-NEXT: }
// CHECK:      affine.store %{{[a-z0-9]+}}, %[[B]][%{{.*}}] : memref<16xf32>
// CHECK:      affine.store %{{[a-z0-9]+}}, %[[A]][%{{.*}}] : memref<16xf32>
func.func @written(%a: memref<16xf32>, %b: memref<16xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i * 2] : memref<16xf32>
    affine.store %x, %b[%i + 4] : memref<16xf32>
  }
  return
}

// -----

// Copies that do not depend on the loop around stand outside of it.
// CHECK-LABEL: func.func @hoisted
// CHECK:      memref.alloc() : memref<4xf32>
// CHECK:      affine.for %{{.*}} = 0 to 64 step 8 {
// CHECK-NEXT:   affine.for
// CHECK-NOT:  memref.alloc
// WHOLE-LABEL: func.func @hoisted
func.func @hoisted(%a: memref<4xf32>) {
  affine.for %i = 0 to 64 step 8 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%j] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%j] : memref<4xf32>
    }
  }
  return
}

// -----

// Not: another access to the buffer in the loop around, of another kind; a loop that may not run over a buffer of unknown extent; one that never runs; a
// view of the same memory.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: memref.alloc
// WHOLE-LABEL: func.func @kept
// WHOLE-NOT: memref.alloc
func.func @kept(%a: memref<8xf32>, %b: memref<?xf32>, %n: index, %i: index) {
  affine.for %j = 0 to 8 {
    %x = affine.load %a[%j] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  }
  affine.for %j = 0 to %n {
    affine.load %b[0] : memref<?xf32>
  }
  affine.for %j = 4 to 2 {
    affine.load %a[%j] : memref<8xf32>
  }
  return
}

// -----

// What is not written of a part may never have been: a buffer of the function is not read for it.

// WHOLE-LABEL: func.func @in_part
// CHECK-LABEL: func.func @in_part
// CHECK-NEXT: memref.alloc() : memref<8xf32>
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @in_part(%x: f32) {
  %m = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 6 {
    affine.store %x, %m[%i floordiv 2 + %i mod 2] : memref<8xf32>
  }
  return
}
