// RUN: dl-opt %s | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Maps that an operation was given to save time are those that it has anyway.
// CHECK-NOT: #map
//     CHECK: linalg.conv_2d_nhwc_hwcf ins(
//   GENERIC: "linalg.conv_2d_nhwc_hwcf"
//   GENERIC: {linalg.memoized_indexing_maps = [#map{{.*}}, #map{{.*}}, #map{{.*}}]}
func.func @convolution(%a: memref<1x6x8x1xf32>, %w: memref<2x3x1x1xf32>, %c: memref<1x5x6x1xf32>) {
  linalg.conv_2d_nhwc_hwcf {linalg.memoized_indexing_maps = [
      affine_map<(n, i, j, f, k, l, c) -> (n, i + k, j + l, c)>, affine_map<(n, i, j, f, k, l, c) -> (k, l, c, f)>,
      affine_map<(n, i, j, f, k, l, c) -> (n, i, j, f)>]}
      ins(%a, %w : memref<1x6x8x1xf32>, memref<2x3x1x1xf32>) outs(%c : memref<1x5x6x1xf32>)
  return
}
