// RUN: dl-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// What stands in regions that the pretty form leaves out needs no alias there.
// CHECK-NOT: #map
// CHECK: linalg.copy ins(
// CHECK: linalg.transpose ins(
// GENERIC-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// GENERIC-DAG: #[[TWICE:.*]] = affine_map<(d0, d1) -> (d0 * 2, d1)>
// GENERIC: "linalg.copy"
// GENERIC: memref<2x3xindex, #[[SWAP]]>
// GENERIC: "linalg.transpose"
// GENERIC: memref<2x3xindex, #[[TWICE]]>
func.func @hidden(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "linalg.copy"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    %1 = "test.source"() : () -> memref<2x3xindex, affine_map<(d0, d1) -> (d1, d0)>>
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "linalg.transpose"(%a, %b) <{permutation = array<i64: 0>}> ({
  ^bb0(%x: f32, %y: f32):
    %3 = "test.source"() : () -> memref<2x3xindex, affine_map<(d0, d1) -> (d0 * 2, d1)>>
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
