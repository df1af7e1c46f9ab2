// RUN: dl-opt %s --dl-attach-target=target-cpu=haswell --linalg-lower-contractions --linalg-fuse-elementwise-ops='recompute=false' --canonicalize | FileCheck %s

// The nest that computes the broadcast input computes it as wide as it is used.
// CHECK-LABEL: func @quantized
//  CHECK-SAME: (%[[A:.*]]: tensor<12x64xf32>
//       CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<12x64xf32>) outs(%{{.*}} : tensor<12x64xi16>)
//       CHECK:   %[[BYTE:.*]] = arith.fptosi %{{.*}} : f32 to i8
//       CHECK:   %[[WORD:.*]] = arith.extsi %[[BYTE]] : i8 to i16
//       CHECK:   linalg.yield %[[WORD]] : i16
//   CHECK-NOT: linalg.generic
//       CHECK: %[[WIDE]]
#id = affine_map<(i, j) -> (i, j)>
func.func @quantized(%a: tensor<12x64xf32>, %b: tensor<64x40xi8>, %c: tensor<12x40xi32>) -> tensor<12x40xi32> {
  %empty = tensor.empty() : tensor<12x64xi8>
  %bytes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<12x64xf32>) outs(%empty : tensor<12x64xi8>) {
  ^bb0(%in: f32, %unused: i8):
    %byte = arith.fptosi %in : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<12x64xi8>
  %r = linalg.matmul ins(%bytes, %b : tensor<12x64xi8>, tensor<64x40xi8>) outs(%c : tensor<12x40xi32>) -> tensor<12x40xi32>
  return %r : tensor<12x40xi32>
}
