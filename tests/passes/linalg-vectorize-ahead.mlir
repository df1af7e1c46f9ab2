// RUN: dl-opt %s --linalg-vectorize=vector-bits=512 --split-input-file | FileCheck %s

// The first sweep over a row waits for it; the second asks for the next row, two further on, a vector at a time.
// CHECK-LABEL: func @two_sweeps
//       CHECK: %[[STEP:.*]] = arith.constant 2 : index
//       CHECK: scf.for %[[I:.*]] = %{{.*}} step %[[STEP]]
//       CHECK:   %[[ROW:.*]] = memref.subview %{{.*}}[%[[I]], 0] [1, 1024] [1, 1]
//   CHECK-NOT:   memref.prefetch
//       CHECK:   vector.load %[[ROW]]
//   CHECK-NOT:   memref.prefetch
//       CHECK:   scf.for %[[J:.*]] =
//       CHECK:     memref.prefetch %[[ROW]][%[[STEP]], %[[J]]], read, locality<3>, data
//       CHECK:     vector.load %[[ROW]][%{{.*}}, %[[J]]]
//       CHECK:     math.exp
//   CHECK-NOT: memref.prefetch
func.func @two_sweeps(%x: memref<64x1024xf32>, %sums: memref<1xf32>, %y: memref<1x1024xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %all = arith.constant 64 : index
  scf.for %i = %zero to %all step %two {
    %row = memref.subview %x[%i, 0] [1, 1024] [1, 1] : memref<64x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%sums : memref<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b fastmath<reassoc> : f32
      linalg.yield %c : f32
    }
    linalg.exp ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<1x1024xf32>)
    linalg.exp ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<1x1024xf32>)
  }
  return
}

// -----

// One sweep reads rows as they come.
// CHECK-LABEL: func @one_sweep
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @one_sweep(%x: memref<64x1024xf32>, %y: memref<1x1024xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 64 : index
  scf.for %i = %zero to %all step %one {
    %row = memref.subview %x[%i, 0] [1, 1024] [1, 1] : memref<64x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    linalg.exp ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<1x1024xf32>)
  }
  return
}

// -----

// Short rows come with their neighbours.
// CHECK-LABEL: func @short_rows
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @short_rows(%x: memref<64x128xf32>, %y: memref<1x128xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 64 : index
  scf.for %i = %zero to %all step %one {
    %row = memref.subview %x[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    linalg.exp ins(%row : memref<1x128xf32, strided<[128, 1], offset: ?>>) outs(%y : memref<1x128xf32>)
    linalg.exp ins(%row : memref<1x128xf32, strided<[128, 1], offset: ?>>) outs(%y : memref<1x128xf32>)
  }
  return
}

// -----

// A row that is the same in each iteration has no next one.
// CHECK-LABEL: func @same_row
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @same_row(%x: memref<64x1024xf32>, %y: memref<1x1024xf32>, %at: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 64 : index
  scf.for %i = %zero to %all step %one {
    %row = memref.subview %x[%at, 0] [1, 1024] [1, 1] : memref<64x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    linalg.exp ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<1x1024xf32>)
    linalg.exp ins(%row : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<1x1024xf32>)
  }
  return
}
