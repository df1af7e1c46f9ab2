// RUN: dl-opt %s --generate-runtime-verification --split-input-file | FileCheck %s
// RUN: dl-opt %s --generate-runtime-verification=verbose-level=0 --split-input-file | FileCheck %s --check-prefix=SHORT

// CHECK-LABEL: func.func @access
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<4x?xf32>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[I]], %{{.*}}
// CHECK: %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %c4
// CHECK: %[[FIRST:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[D:.*]] = memref.dim %[[M]], %c1
// CHECK: arith.cmpi slt, %[[J]], %[[D]]
// CHECK: %[[ALL:.*]] = arith.andi %[[FIRST]], %{{.*}}
// CHECK: cf.assert %[[ALL]], "ERROR: Runtime op verification failed\0A%0 = memref.load %arg0[%arg1, %arg2] : memref<4x?xf32>\0A^ out-of-bounds access\0ALocation: loc({{.*}}generate-runtime-verification.mlir
// CHECK: memref.load
// SHORT: cf.assert %{{.*}}, "ERROR: Runtime op verification failed\0A^ out-of-bounds access\0ALocation: loc(
func.func @access(%m: memref<4x?xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<4x?xf32>
  return %0 : f32
}

// -----

// There is no index to check.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: cf.assert
func.func @scalar(%m: memref<f32>, %t: tensor<f32>) -> (f32, f32) {
  %0 = memref.load %m[] : memref<f32>
  %1 = tensor.extract %t[] : tensor<f32>
  return %0, %1 : f32, f32
}

// -----

// CHECK-LABEL: func.func @casts
// CHECK: memref.rank
// CHECK: ^ rank mismatch
// CHECK: ^ size mismatch of dim 0
// CHECK: memref.extract_strided_metadata
// CHECK: ^ offset mismatch
// CHECK: ^ stride mismatch of dim 1
// CHECK-NOT: cf.assert
func.func @casts(%u: memref<*xf32>, %m: memref<4x4xf32>) -> (memref<4x?xf32>, memref<?x?xf32>) {
  %0 = memref.cast %u : memref<*xf32> to memref<4x?xf32>
  // Less is known of the result: nothing can be wrong.
  %1 = memref.cast %m : memref<4x4xf32> to memref<?x?xf32>
  return %0, %1 : memref<4x?xf32>, memref<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @slices
// CHECK: ^ offset 0 is out-of-bounds
// CHECK: ^ extract_slice runs out-of-bounds along dimension 0
// CHECK: ^ offset 0 is out-of-bounds
// CHECK: ^ insert_slice runs out-of-bounds along dimension 0
func.func @slices(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %t[%n] [%n] [2] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %t[1] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @others
// CHECK: ^ index is out of bounds
// CHECK: ^ size of 0-th source/target dim does not match
// CHECK: ^ static result dims in reassoc group do not divide src dim evenly
// CHECK: ^ memref is not aligned to 16
func.func @others(%m: memref<?xf32>, %n: memref<?xf32>, %i: index) -> (index, memref<?x5xf32>) {
  %0 = memref.dim %m, %i : memref<?xf32>
  memref.copy %m, %n : memref<?xf32> to memref<?xf32>
  %1 = memref.expand_shape %m [[0, 1]] output_shape [%i, 5] : memref<?xf32> into memref<?x5xf32>
  %2 = memref.assume_alignment %m, 16 : memref<?xf32>
  return %0, %1 : index, memref<?x5xf32>
}

// -----

// Whether 4 and 4 agree is known; whether the others do is not.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.if
// CHECK: ^ dimension #0 of input/output operand #1 is incompatible with inferred dimension size
// CHECK: ^ dimension #1 of input/output operand #2 is incompatible with inferred dimension size
// CHECK: }
// CHECK: linalg.matmul
func.func @matmul(%a: memref<?x4xf32>, %b: memref<4x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x4xf32>, memref<4x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
