// REQUIRES: mlir-opt

// Upstream reads what is written here, and here is read what upstream writes.

// RUN: dl-opt %s --emit-bytecode | mlir-opt | FileCheck %s
// RUN: mlir-opt %s --emit-bytecode | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=4 | mlir-opt | FileCheck %s
// RUN: mlir-opt %s --emit-bytecode --emit-bytecode-version=4 | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode --emit-bytecode-version=0 | mlir-opt | FileCheck %s
// RUN: mlir-opt %s --emit-bytecode --emit-bytecode-version=0 | dl-opt | FileCheck %s

// The generic form shows what the pretty one leaves out.
// RUN: dl-opt %s --mlir-print-op-generic > %t && dl-opt %s --emit-bytecode | mlir-opt --mlir-print-op-generic | cmp - %t
// RUN: mlir-opt %s --mlir-print-op-generic > %t && mlir-opt %s --emit-bytecode | dl-opt --mlir-print-op-generic | cmp - %t

#map = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func private @types
//  CHECK-SAME:   f8E4M3FN
//  CHECK-SAME:   tf32
//  CHECK-SAME:   vector<[4]x2xi1>
//  CHECK-SAME:   tensor<*xcomplex<f64>>
//  CHECK-SAME:   memref<?x4xf32, #{{.*}}, 3>
func.func private @types(f8E4M3FN, tf32, vector<[4]x2xi1>, tensor<*xcomplex<f64>>, memref<?x4xf32, #map, 3>, tuple<si7, ui64>)

// CHECK-LABEL: func.func @attributes
func.func @attributes() attributes {
  // CHECK-SAME: a = dense<[true, false, true]> : tensor<3xi1>
  a = dense<[true, false, true]> : tensor<3xi1>,
  // CHECK-SAME: b = dense_resource<blob> : tensor<2xi8>
  b = dense_resource<blob> : tensor<2xi8>,
  // CHECK-SAME: c = @m::@n
  c = @m::@n,
  // CHECK-SAME: d = -1234567890123456789012345 : i128
  d = -1234567890123456789012345 : i128,
  // CHECK-SAME: e = array<i16: 1, -2>
  e = array<i16: 1, -2>,
  // CHECK-SAME: f = sparse<{{\[}}[0, 1]], 2.500000e+00> : tensor<2x2xf16>
  f = sparse<[[0, 1]], 2.5> : tensor<2x2xf16>,
  // CHECK-SAME: g = distinct[0]<>
  g = distinct[0]<unit>
} {
  return
}

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32>) outs(%{{.*}} : tensor<4x2xf32>)
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK: dialect_resources
// CHECK: blob: "0x010000000102"
{-#
  dialect_resources: {
    builtin: {
      blob: "0x010000000102"
    }
  }
#-}
