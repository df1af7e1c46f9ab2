// RUN: dl-opt %s --affine-data-copy-generate="generate-dma fast-mem-space=2" --split-input-file | FileCheck %s

// Rows of 4 elements of a buffer whose rows have 16.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<8x16xf32>
// CHECK-DAG:  %[[ALL:.*]] = arith.constant 32 : index
// CHECK-DAG:  %[[ROW:.*]] = arith.constant 4 : index
// CHECK-DAG:  %[[APART:.*]] = arith.constant 16 : index
// CHECK:      %[[C:.*]] = memref.alloc() : memref<8x4xf32, 2>
// CHECK-NEXT: %[[T:.*]] = memref.alloc() : memref<1xi32>
// CHECK-NEXT: affine.dma_start %[[A]][%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}], %[[C]][%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}], %[[T]][%{{[a-z0-9_]+}}], %[[ALL]], %[[APART]], %[[ROW]] : memref<8x16xf32>, memref<8x4xf32, 2>, memref<1xi32>
// CHECK-NEXT: affine.dma_wait %[[T]][%{{[a-z0-9_]+}}], %[[ALL]] : memref<1xi32>
// CHECK:      affine.load %[[C]][%{{[a-z0-9]+}}, %{{[a-z0-9]+}} - 4] : memref<8x4xf32, 2>
// CHECK:      memref.dealloc %[[T]]
// CHECK-NEXT: memref.dealloc %[[C]]
func.func @rows(%a: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 4 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x16xf32>
    }
  }
  return
}

// -----

// What takes more than rows at one distance stays where it is, and so does what lies in the fast memory already.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: memref.alloc
// CHECK-NOT: affine.dma_start
func.func @kept(%a: memref<8x8x8xf32>, %b: memref<8xf32, 2>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.for %k = 0 to 4 {
        %x = affine.load %a[%i, %j, %k] : memref<8x8x8xf32>
        %y = affine.load %b[%i] : memref<8xf32, 2>
      }
    }
  }
  return
}

// -----

// A window that moves by one writes all of what it goes over: nothing of that is copied in.
// CHECK-LABEL: func.func @window
//  CHECK-SAME:   (%[[M:.*]]: memref<1027xf32>, %{{.*}}: memref<1027xf32>
//       CHECK:   %[[B:.*]] = memref.alloc() : memref<1027xf32, 2>
//       CHECK:   affine.for
//       CHECK:   affine.dma_start %[[B]][%{{[^ ]*}}], %[[M]][
//       CHECK:   return
func.func @window(%m: memref<1027xf32>, %n: memref<1027xf32>, %x: f32) {
  affine.for %i = 0 to 1024 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      affine.store %x, %m[%j] : memref<1027xf32>
    }
  }
  return
}

// -----

// One that leaves gaps does not.
// CHECK-LABEL: func.func @gaps
//  CHECK-SAME:   (%[[M:.*]]: memref<1023xf32>
//       CHECK:   affine.dma_start %[[M]]
//       CHECK:   affine.for
//       CHECK:   affine.dma_start %{{[^,]*}}, %[[M]][
func.func @gaps(%m: memref<1023xf32>, %x: f32) {
  affine.for %i = 0 to 1024 step 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 2)>(%i) {
      affine.store %x, %m[%j] : memref<1023xf32>
    }
  }
  return
}
