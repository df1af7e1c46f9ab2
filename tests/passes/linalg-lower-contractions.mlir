// RUN: dl-opt %s --dl-attach-target=target-cpu=skylake-avx512 --linalg-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// 9 rows of 3 vectors: 27 accumulators, 3 vectors and two more are the 32 registers; all rows and columns are one tile.
// B lies as it is read and stays where it is.
// CHECK-LABEL: func @one_tile
//  CHECK-SAME: (%[[A:.*]]: tensor<9x32xf32>, %[[B:.*]]: tensor<32x48xf32>
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
//       CHECK: %[[C:.*]] = tensor.empty() : tensor<9x48xf32>
//       CHECK: %[[ACC:.*]]:27 = scf.for %[[K:.*]] = %c0 to %c32 step %c1 iter_args(%[[FIRST:[a-z0-9]*]] = %[[ZERO]],
//       CHECK:   %[[X:.*]] = tensor.extract %[[A]][%c0, %[[K]]]
//       CHECK:   %[[SPLAT:.*]] = vector.broadcast %[[X]] : f32 to vector<16xf32>
//       CHECK:   %[[Y:.*]] = vector.transfer_read %[[B]][%[[K]], %c0], %{{.*}} {in_bounds = [true]} : tensor<32x48xf32>, vector<16xf32>
//       CHECK:   vector.fma %[[SPLAT]], %[[Y]], %[[FIRST]] : vector<16xf32>
//       CHECK: vector.transfer_write %[[ACC]]#0, %[[C]][%c0, %c0] {in_bounds = [true]}
//       CHECK: %[[LAST:.*]] = vector.transfer_write %[[ACC]]#26, %{{.*}}[%c8, %c32] {in_bounds = [true]}
//       CHECK: return %[[LAST]]
func.func @one_tile(%a: tensor<9x32xf32>, %b: tensor<32x48xf32>) -> tensor<9x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<9x48xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<9x48xf32>) -> tensor<9x48xf32>
  %c = linalg.matmul ins(%a, %b : tensor<9x32xf32>, tensor<32x48xf32>) outs(%start : tensor<9x48xf32>) -> tensor<9x48xf32>
  return %c : tensor<9x48xf32>
}

// -----

// All columns but two are one tile: B is read where it lies, over those two, which no panel has. 12 more are a vector with a mask.
// CHECK-LABEL: func @gaps
//  CHECK-SAME: (%{{.*}}: tensor<60x400xf32>, %[[B:.*]]: tensor<400x50xf32>
//   CHECK-NOT: tensor.empty() : tensor<400x
//       CHECK: scf.for
//       CHECK:   vector.transfer_read %[[B]][%{{.*}}, %c0], %{{.*}} {in_bounds = [true]} : tensor<400x50xf32>, vector<16xf32>
//       CHECK:   vector.transfer_read %[[B]][%{{.*}}, %c32], %{{.*}} {in_bounds = [true]} : tensor<400x50xf32>, vector<16xf32>
func.func @gaps(%a: tensor<60x400xf32>, %b: tensor<400x50xf32>, %c: tensor<60x50xf32>) -> tensor<60x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<60x400xf32>, tensor<400x50xf32>) outs(%c : tensor<60x50xf32>) -> tensor<60x50xf32>
  return %r : tensor<60x50xf32>
}

// CHECK-LABEL: func @gaps_and_a_mask
//  CHECK-SAME: (%{{.*}}: tensor<60x400xf32>, %[[B:.*]]: tensor<400x60xf32>
//   CHECK-NOT: tensor.empty() : tensor<400x
//       CHECK: %[[MASK:.*]] = vector.constant_mask [12] : vector<16xi1>
//       CHECK: scf.for
//       CHECK:   vector.transfer_read %[[B]][%{{.*}}, %c48], %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<400x60xf32>, vector<16xf32>
func.func @gaps_and_a_mask(%a: tensor<60x400xf32>, %b: tensor<400x60xf32>, %c: tensor<60x60xf32>) -> tensor<60x60xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<60x400xf32>, tensor<400x60xf32>) outs(%c : tensor<60x60xf32>) -> tensor<60x60xf32>
  return %r : tensor<60x60xf32>
}

// -----

// Where a vector holds the mask, a masked read takes longer: a panel.
// CHECK-LABEL: func @masks_are_vectors
//       CHECK: tensor.empty() : tensor<400x16xf32>
#sixteen = #dl.target<cpu = "sixteen", arch = "x86_64", vector_bits = 256, vector_registers = 16, l1d = 32768, l1d_ways = 8, l2 = 262144, l2_ways = 8, l3 = 1048576, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #sixteen} {
  func.func @masks_are_vectors(%a: tensor<60x400xf32>, %b: tensor<400x31xf32>, %c: tensor<60x31xf32>) -> tensor<60x31xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<60x400xf32>, tensor<400x31xf32>) outs(%c : tensor<60x31xf32>) -> tensor<60x31xf32>
    return %r : tensor<60x31xf32>
  }
}

// -----

// Many rows and columns: the first tile reads each panel of B where it lies, and writes the panel, which the other tiles read. 10 columns are left,
// and a mask for them.
// CHECK-LABEL: func @packed
//  CHECK-SAME: (%[[A:.*]]: tensor<120x64xf32>, %[[B:.*]]: tensor<64x202xf32>
//       CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x[[WIDTH:[0-9]+]]xf32>
//       CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[PANEL:[a-z0-9]+]] = %[[EMPTY]])
//       CHECK:   %[[FIRST:[a-z0-9]+]]:[[SUMS:[0-9]+]] = scf.for %[[K:[a-z0-9]+]] = %c0 to %c64 step %c1 iter_args({{.*}} = %[[PANEL]])
//       CHECK:     %[[READ:.*]] = vector.transfer_read %[[B]][%[[K]], %{{.*}}], %{{.*}} {in_bounds = [true]} : tensor<64x202xf32>, vector<16xf32>
//       CHECK:     vector.transfer_write %[[READ]], %{{.*}}[%[[K]], %c0] {in_bounds = [true]} : vector<16xf32>, tensor<64x[[WIDTH]]xf32>
//       CHECK:     vector.fma %{{.*}}, %[[READ]],
//       CHECK:   scf.for %{{.*}} = %c14 to %c112 step %c14
//       CHECK:     scf.for %[[L:[a-z0-9]+]] = %c0 to %c64
//       CHECK:       %[[AGAIN:.*]] = vector.transfer_read %[[FIRST]]#{{[0-9]+}}[%[[L]], %c0], %{{.*}} {in_bounds = [true]} : tensor<64x[[WIDTH]]xf32>
//       CHECK:       vector.fma %{{.*}}, %[[AGAIN]],
//       CHECK: %[[MASK:.*]] = vector.constant_mask [10] : vector<16xi1>
//       CHECK: vector.transfer_read %[[B]][%{{.*}}, %c192], %{{.*}}, %[[MASK]] {in_bounds = [true]}
//       CHECK: vector.fma
//       CHECK: vector.transfer_write %{{.*}}[%{{.*}}, %c192], %[[MASK]] {in_bounds = [true]} : vector<16xf32>, tensor<120x202xf32>
func.func @packed(%a: tensor<120x64xf32>, %b: tensor<64x202xf32>, %c: tensor<120x202xf32>) -> tensor<120x202xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<120x64xf32>, tensor<64x202xf32>) outs(%c : tensor<120x202xf32>) -> tensor<120x202xf32>
  return %r : tensor<120x202xf32>
}

// -----

// Weights are packed when compiled: a panel of all 16 columns, here transposed, with zeros where there are none.
// CHECK-LABEL: func @weights
//       CHECK: %[[PANELS:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00, 0.000000e+00, {{.*}}], [2.000000e+00, 4.000000e+00, 6.000000e+00, 0.000000e+00, {{.*}}]]]> : tensor<1x2x16xf32>
//       CHECK: scf.for %[[K:[a-z0-9]+]] =
//       CHECK:   vector.transfer_read %[[PANELS]][%c0, %[[K]], %c0], %{{.*}} {in_bounds = [true]} : tensor<1x2x16xf32>, vector<16xf32>
//   CHECK-NOT: vector.transfer_write %{{.*}} tensor<1x2x16xf32>
func.func @weights(%a: tensor<1x2xf32>, %c: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<1x2xf32>, tensor<3x2xf32>) outs(%c : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// The same of bf16, widened; the product of each group has panels of its own.
// CHECK-LABEL: func @batched_weights
//       CHECK: arith.constant dense<{{.*}}1.000000e+00, 2.000000e+00, 0.000000e+00{{.*}}3.000000e+00, 4.000000e+00, 0.000000e+00{{.*}}> : tensor<2x1x1x16xf32>
//       CHECK: scf.for %[[GROUP:[a-z0-9]+]] =
//       CHECK:   vector.transfer_read %{{.*}}[%[[GROUP]], %c0, %c0, %c0]
func.func @batched_weights(%a: tensor<2x3x1xbf16>, %c: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
  %b = arith.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xbf16>
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x1xbf16>, tensor<2x1x2xbf16>) outs(%c : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// What is done with each element of the result happens before it is stored, to the other operation's init; a bias is read along
// the vectors, a factor for each row is a scalar.
// CHECK-LABEL: func @epilogue
//  CHECK-SAME: %[[BIAS:[a-z0-9]*]]: tensor<16xf32>, %[[FACTOR:[a-z0-9]*]]: tensor<4xf32>
//       CHECK: %[[OUT:.*]] = tensor.empty() : tensor<4x16xbf16>
//       CHECK: %[[ACC:.*]]:4 = scf.for
//       CHECK: %[[Y:.*]] = vector.transfer_read %[[BIAS]][%c0]
//       CHECK: %[[F:.*]] = tensor.extract %[[FACTOR]][%c0]
//       CHECK: %[[SPLAT:.*]] = vector.broadcast %[[F]] : f32 to vector<16xf32>
//       CHECK: %[[SUM:.*]] = arith.addf %[[ACC]]#0, %[[Y]] : vector<16xf32>
//       CHECK: %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[SPLAT]] : vector<16xf32>
//       CHECK: %[[NARROW:.*]] = arith.truncf %[[SCALED]] : vector<16xf32> to vector<16xbf16>
//       CHECK: vector.transfer_write %[[NARROW]], %[[OUT]][%c0, %c0] {in_bounds = [true]} : vector<16xbf16>, tensor<4x16xbf16>
//   CHECK-NOT: linalg
func.func @epilogue(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %bias: tensor<16xf32>, %factor: tensor<4xf32>) -> tensor<4x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%start : tensor<4x16xf32>) -> tensor<4x16xf32>
  %out = tensor.empty() : tensor<4x16xbf16>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%c, %bias, %factor : tensor<4x16xf32>, tensor<16xf32>, tensor<4xf32>) outs(%out : tensor<4x16xbf16>) {
  ^bb0(%x: f32, %y: f32, %f: f32, %o: bf16):
    %sum = arith.addf %x, %y : f32
    %scaled = arith.mulf %sum, %f : f32
    %narrow = arith.truncf %scaled : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<4x16xbf16>
  return %r : tensor<4x16xbf16>
}

// -----

// A result that is used twice is stored as it is.
// CHECK-LABEL: func @used_twice
//       CHECK: vector.fma
//       CHECK: linalg.generic
func.func @used_twice(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %out = tensor.empty() : tensor<4x16xf32>
  %n = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<4x16xf32>) outs(%out : tensor<4x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %neg = arith.negf %x : f32
    linalg.yield %neg : f32
  } -> tensor<4x16xf32>
  return %r, %n : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// Extents that are not known: panels one by one, the rows in tiles of 6, 3 and 1, and the last columns by masked vectors.
// CHECK-LABEL: func @dynamic
//       CHECK: scf.for {{.*}} step %c6
//       CHECK:   :24 = scf.for
//       CHECK: scf.for {{.*}} step %c3
//       CHECK:   :12 = scf.for
//       CHECK: scf.for {{.*}} step %c1
//       CHECK: vector.create_mask
//       CHECK: scf.for {{.*}} step %c16
//       CHECK:   vector.create_mask
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A convolution is a product for each row of pixels: channels along the vectors, pixels are the rows, and the window and the input's
// channels are summed over.
// CHECK-LABEL: func @convolution
//  CHECK-SAME: (%[[IN:.*]]: tensor<1x10x10x8xf32>, %[[W:.*]]: tensor<3x3x8x16xf32>
//   CHECK-NOT: linalg
//       CHECK: scf.for %[[Y:.*]] = %c0 to %c8 step %c1
//       CHECK:   scf.for %[[KY:.*]] = %c0 to %c3 step %c1
//       CHECK:     scf.for %[[KX:.*]] = %c0 to %c3 step %c1
//       CHECK:       scf.for %[[PAIR:.*]] = %c0 to %c4 step %c1
//       CHECK:         %[[IC:.*]] = affine.apply #{{.*}}(%[[PAIR]])
//       CHECK:         tensor.extract %[[IN]][%c0, %{{.*}}, %{{.*}}, %[[IC]]]
//       CHECK:         vector.transfer_read %[[W]][%[[KY]], %[[KX]], %[[IC]], %c0]
//       CHECK:         vector.fma
func.func @convolution(%in: tensor<1x10x10x8xf32>, %w: tensor<3x3x8x16xf32>, %out: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%in, %w : tensor<1x10x10x8xf32>, tensor<3x3x8x16xf32>) outs(%out : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %r : tensor<1x8x8x16xf32>
}

// -----

// Where registers are spare, two steps of the depth are made at a time; one is left of an odd number of them.
// CHECK-DAG: #[[EVEN:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-DAG: #[[ODD:.*]] = affine_map<(d0) -> (d0 * 2 + 1)>
// CHECK-LABEL: func @odd_depth
//  CHECK-SAME: (%[[A:.*]]: tensor<1x9xf32>, %[[B:.*]]: tensor<9x16xf32>
//       CHECK: %[[SUMS:.*]] = scf.for %[[PAIR:[a-z0-9]+]] = %c0 to %c4 step %c1 iter_args(%[[SUM:[a-z0-9]+]] = %{{.*}})
//       CHECK:   %[[K:.*]] = affine.apply #[[EVEN]](%[[PAIR]])
//       CHECK:   %[[X:.*]] = tensor.extract %[[A]][%c0, %[[K]]]
//       CHECK:   %[[SPLAT:.*]] = vector.broadcast %[[X]] : f32 to vector<16xf32>
//       CHECK:   %[[Y:.*]] = vector.transfer_read %[[B]][%[[K]], %c0]
//       CHECK:   %[[FIRST:.*]] = vector.fma %[[SPLAT]], %[[Y]], %[[SUM]] : vector<16xf32>
//       CHECK:   %[[K1:.*]] = affine.apply #[[ODD]](%[[PAIR]])
//       CHECK:   %[[X1:.*]] = tensor.extract %[[A]][%c0, %[[K1]]]
//       CHECK:   %[[SPLAT1:.*]] = vector.broadcast %[[X1]] : f32 to vector<16xf32>
//       CHECK:   %[[Y1:.*]] = vector.transfer_read %[[B]][%[[K1]], %c0]
//       CHECK:   %[[BOTH:.*]] = vector.fma %[[SPLAT1]], %[[Y1]], %[[FIRST]] : vector<16xf32>
//       CHECK:   scf.yield %[[BOTH]]
//       CHECK: tensor.extract %[[A]][%c0, %c8]
//       CHECK: vector.fma %{{.*}}, %{{.*}}, %[[SUMS]]
//       CHECK: return
func.func @odd_depth(%a: tensor<1x9xf32>, %b: tensor<9x16xf32>, %c: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x9xf32>, tensor<9x16xf32>) outs(%c : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

// -----

// Small weights, a large image: all panels go by for each row of pixels, which is written once, and none is asked for ahead.
// CHECK-LABEL: func @large_image
//       CHECK: scf.for %[[Y:[a-z0-9]+]] = %c0 to %c8 step %c1
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c3 step %c1
//   CHECK-NOT:     memref.prefetch
//       CHECK:     vector.transfer_read %{{.*}}[%[[PANEL]], %{{.*}}, %c0]
//       CHECK:     vector.fma
module attributes {dl.target = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 4096, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 1, features = "fma">} {
  func.func @large_image(%in: tensor<1x8x8x8xf32>, %out: tensor<1x8x8x24xf32>) -> tensor<1x8x8x24xf32> {
    %w = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040"> : tensor<1x1x8x24xf32>
    %r = linalg.conv_2d_nhwc_hwcf ins(%in, %w : tensor<1x8x8x8xf32>, tensor<1x1x8x24xf32>) outs(%out : tensor<1x8x8x24xf32>) -> tensor<1x8x8x24xf32>
    return %r : tensor<1x8x8x24xf32>
  }
}

// -----

// The panels of a small image stay where they are while all of it goes by.
// CHECK-LABEL: func @small_image
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c3 step %c1
//       CHECK:   scf.for %[[Y:[a-z0-9]+]] = %c0 to %c2 step %c1
//       CHECK:     vector.fma
module attributes {dl.target = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 4096, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 1, features = "fma">} {
  func.func @small_image(%in: tensor<1x2x8x8xf32>, %out: tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32> {
    %w = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040"> : tensor<1x1x8x24xf32>
    %r = linalg.conv_2d_nhwc_hwcf ins(%in, %w : tensor<1x2x8x8xf32>, tensor<1x1x8x24xf32>) outs(%out : tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
    return %r : tensor<1x2x8x24xf32>
  }
}

// -----

// Two threads share out the rows of an image, also of a small one, where the weights are a sixteenth of the second-level cache or less.
// CHECK-LABEL: func @shared_image
//       CHECK: scf.for %[[Y:[a-z0-9]+]] = %c0 to %c2 step %c1
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c3 step %c1
//       CHECK:     vector.fma
module attributes {dl.target = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 12288, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 2, features = "fma">} {
  func.func @shared_image(%in: tensor<1x2x8x8xf32>, %out: tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32> {
    %w = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040"> : tensor<1x1x8x24xf32>
    %r = linalg.conv_2d_nhwc_hwcf ins(%in, %w : tensor<1x2x8x8xf32>, tensor<1x1x8x24xf32>) outs(%out : tensor<1x2x8x24xf32>) -> tensor<1x2x8x24xf32>
    return %r : tensor<1x2x8x24xf32>
  }
}

// -----

// No sum of products: left alone.
// CHECK-LABEL: func @other
//       CHECK: linalg.generic
//   CHECK-NOT: vector.
func.func @other(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %product = arith.mulf %x, %y : f32
    %max = arith.maximumf %product, %o : f32
    linalg.yield %max : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// The right side transposed: both inputs are adjacent along the depth, so vectors run there. 4 times 4 partial sums, their lanes added up in the end.
// CHECK-LABEL: func @inner_products
//  CHECK-SAME: (%[[A:.*]]: tensor<4x40xf32>, %[[B:.*]]: tensor<4x40xf32>, %[[C:.*]]: tensor<4x4xf32>
//   CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
//       CHECK: %[[ACC:.*]]:16 = scf.for %[[K:.*]] = %c0 to %c32 step %c16 iter_args(%[[FIRST:[a-z0-9]*]] = %[[ZERO]],
//       CHECK:   %[[X:.*]] = vector.transfer_read %[[A]][%c0, %[[K]]]
//       CHECK:   %[[Y:.*]] = vector.transfer_read %[[B]][%c0, %[[K]]]
//       CHECK:   vector.fma %[[X]], %[[Y]], %[[FIRST]]
//       CHECK: %[[MASK:.*]] = vector.constant_mask [8] : vector<16xi1>
//       CHECK: vector.transfer_read %[[A]][%c0, %c32], %{{.*}}, %[[MASK]]
//       CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
//       CHECK: %[[OLD:.*]] = tensor.extract %[[C]][%c0, %c0]
//       CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]]
//       CHECK: tensor.insert %[[NEW]] into %[[C]][%c0, %c0]
func.func @inner_products(%a: tensor<4x40xf32>, %b: tensor<4x40xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x40xf32>, tensor<4x40xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// The same with rows enough to pack for: 16 columns go by as the rows of squares, and what becomes of their columns is a step each. The depth ends in a square that begins earlier,
// and of the one before it the steps that are made again are left out.
// CHECK-LABEL: func @squares
//  CHECK-SAME: (%{{.*}}: tensor<64x20xf32>, %[[B:.*]]: tensor<32x20xf32>
//       CHECK: %[[PANEL:.*]] = tensor.empty() : tensor<20x32xf32>
//       CHECK: scf.for %[[COLUMN:.*]] = %c0 to %c32 step %c16
//       CHECK:   vector.transfer_read %[[B]][%[[COLUMN]], %c0]
//   CHECK-NOT:   tensor.extract
//       CHECK:   vector.shuffle
// CHECK-COUNT-4: vector.transfer_write {{.*}} : vector<16xf32>, tensor<20x32xf32>
//       CHECK:   vector.transfer_read %[[B]][%[[COLUMN]], %c4]
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<16xf32>, tensor<20x32xf32>
//       CHECK: scf.for
func.func @squares(%a: tensor<64x20xf32>, %b: tensor<32x20xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<64x20xf32>, tensor<32x20xf32>) outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// -----

// This CPU has no dot products: bytes are widened.
// CHECK-LABEL: func @bytes
//   CHECK-NOT: llvm.call_intrinsic
//       CHECK: arith.muli
func.func @bytes(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// -----

// A small window that slides over rows of vectors is unrolled for 8 rows: 10 rows of 3 vectors are loaded, each once, for 72 products.
// CHECK-LABEL: func @depthwise
//       CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
//       CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1
//       CHECK:     scf.for %{{.*}} = %c0 to %c16 step %c8
//   CHECK-NOT:       scf.for
// CHECK-COUNT-30:    vector.transfer_read {{.*}} tensor<4x18x34xf32>, vector<16xf32>
//   CHECK-NOT:       vector.transfer_read
// CHECK-COUNT-8:     vector.transfer_write
//       CHECK:     scf.yield
func.func @depthwise(%x: tensor<4x18x34xf32>, %w: tensor<4x3x3xf32>) -> tensor<4x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(c, h, w, y, x) -> (c, h + y, w + x)>, affine_map<(c, h, w, y, x) -> (c, y, x)>, affine_map<(c, h, w, y, x) -> (c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
  } ins(%x, %w : tensor<4x18x34xf32>, tensor<4x3x3xf32>) outs(%start : tensor<4x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16x32xf32>
  return %r : tensor<4x16x32xf32>
}

// -----

// An argument is padded a channel at a time, right where that is used.
// CHECK-LABEL: func @padded_channels
//  CHECK-SAME: %[[IMAGE:[a-z0-9]*]]: tensor<1x4x14x16xf32>
//   CHECK-NOT: tensor.pad
//       CHECK: scf.for %[[CHANNEL:.*]] = %c0 to %c4
//       CHECK:   %[[ONE:.*]] = tensor.extract_slice %[[IMAGE]][0, %[[CHANNEL]], 0, 0] [1, 1, 14, 16] [1, 1, 1, 1]
//       CHECK:   %[[PADDED:.*]] = tensor.pad %[[ONE]] low[0, 0, 1, 1] high[0, 0, 1, 1]
//       CHECK:   : tensor<1x1x14x16xf32> to tensor<1x1x16x18xf32>
//       CHECK:   vector.transfer_read %[[PADDED]][%c0, %c0, %{{.*}}, %{{.*}}]
func.func @padded_channels(%image: tensor<1x4x14x16xf32>, %filter: tensor<4x3x3xf32>, %out: tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x4x14x16xf32> to tensor<1x4x16x18xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%padded, %filter : tensor<1x4x16x18xf32>, tensor<4x3x3xf32>)
    outs(%out : tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32>
  return %r : tensor<1x4x14x16xf32>
}

// -----

// What computes its source can do so in the middle of the padded image.
// CHECK-LABEL: func @computed_channels
//       CHECK: tensor.pad
//       CHECK: scf.for
//   CHECK-NOT: tensor.pad
func.func @computed_channels(%image: tensor<1x4x14x16xf32>, %filter: tensor<4x3x3xf32>, %out: tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x14x16xf32>
  %exp = linalg.exp ins(%image : tensor<1x4x14x16xf32>) outs(%empty : tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32>
  %padded = tensor.pad %exp low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x4x14x16xf32> to tensor<1x4x16x18xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%padded, %filter : tensor<1x4x16x18xf32>, tensor<4x3x3xf32>)
    outs(%out : tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32>
  return %r : tensor<1x4x14x16xf32>
}

// -----

// Where threads share out the panels, each has memory of its own.
// CHECK-LABEL: func @panels_of_threads
//   CHECK-NOT: tensor.empty
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c8 step %c1 iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor<120x512xf32>)
//       CHECK:   tensor.empty() : tensor<64x64xf32>
//       CHECK:   vector.transfer_write %{{.*}} : vector<16xf32>, tensor<64x64xf32>
#threads = #dl.target<cpu = "threads", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 32768, l1d_ways = 8, l2 = 1048576, l2_ways = 16, l3 = 34603008, l3_ways = 11, cores = 2, features = "fma">
module attributes {dl.target = #threads} {
  func.func @panels_of_threads(%a: tensor<120x64xf32>, %b: tensor<64x512xf32>, %c: tensor<120x512xf32>) -> tensor<120x512xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<120x64xf32>, tensor<64x512xf32>) outs(%c : tensor<120x512xf32>) -> tensor<120x512xf32>
    return %r : tensor<120x512xf32>
  }
}

// -----

// Seven panels are too few for two threads.
// CHECK-LABEL: func @few_panels
//       CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x{{[0-9]+}}xf32>
//       CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[EMPTY]])
#threads = #dl.target<cpu = "threads", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 32768, l1d_ways = 8, l2 = 1048576, l2_ways = 16, l3 = 34603008, l3_ways = 11, cores = 2, features = "fma">
module attributes {dl.target = #threads} {
  func.func @few_panels(%a: tensor<120x64xf32>, %b: tensor<64x224xf32>, %c: tensor<120x224xf32>) -> tensor<120x224xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<120x64xf32>, tensor<64x224xf32>) outs(%c : tensor<120x224xf32>) -> tensor<120x224xf32>
    return %r : tensor<120x224xf32>
  }
}
