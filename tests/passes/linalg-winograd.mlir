// RUN: dl-opt %s --dl-attach-target=target-cpu=x86-64-v2 --linalg-winograd --canonicalize --cse | FileCheck %s
// RUN: dl-opt %s --dl-attach-target=target-cpu=x86-64-v2 --linalg-winograd=tile=4 --canonicalize --cse | FileCheck %s --check-prefix=FOUR
// RUN: dl-opt %s --dl-attach-target=target-cpu=x86-64-v2 --linalg-winograd=tile=0 | FileCheck %s --check-prefix=NONE
// RUN: not dl-opt %s --linalg-winograd 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: expected the attribute 'dl.target' of the module; see dl-attach-target
// NONE-NOT: linalg.batch_matmul

#image = affine_map<(h, w, f, y, x, c) -> (h + y, w + x, c)>
#taps = affine_map<(h, w, f, y, x, c) -> (f, y, x, c)>
#result = affine_map<(h, w, f, y, x, c) -> (h, w, f)>
#steps = affine_map<(h, w, f, y, x, c) -> (h * 2 + y, w * 2 + x, c)>
#apart = affine_map<(h, w, f, y, x, c) -> (h + y * 2, w + x * 2, c)>
#first = affine_map<(h, w, f, y, x, c) -> (c, h + y, w + x)>
#along = affine_map<(h, w, f, y, x, c) -> (h + y, w + x, f)>
#each = affine_map<(h, w, f) -> (h, w, f)>
#bias = affine_map<(h, w, f) -> (f)>
#filter = dense<"0x000080BF00008040000000C00000803F00004040000040C0000080C0000040400000000000008040000080BF000080BF0000404000008040000080400000404000000040000000C0000080BF000000C00000804000000040000080C0000040C0000000C0000080C000000000000080C0000000000000404000000040000000400000004000004040000000C00000803F000040C0000080C0000000C000004040000080BF0000000000000040000000000000004000008040000000400000803F0000804000000040000080BF0000803F000080C000000000000000C00000803F00008040000040C0000080BF0000000000000000000040C0000040C00000404000004040000040C00000803F000040C000000040000000C0000080C0000000000000004000000040000040C0000080C0000080C0000000400000803F000080400000000000008040000080BF000080C000000000000080C0000040C0000040C000008040000080C0000080BF000000400000000000000000000000C0000080C00000803F0000803F0000803F000000C0000000400000004000004040000080400000004000008040000040C0000080400000000000000040000080BF0000000000000040000000000000804000000000000080400000803F000080C0000000400000803F000080C000000040000000C0000080C00000803F000040400000803F0000803F0000000000004040000080C0000080C0000080C00000803F0000000000004040000000000000803F000000C00000803F000000C00000803F0000803F000000000000000000000040000040C0000080C0000000C00000000000008040000080BF00000000000080BF0000803F000000C000000040000040C0000040C00000803F0000803F000080BF00004040000000C0000040C00000803F000080BF0000404000000000000080BF000040C0000080C000008040000080BF0000803F000000C0000000000000803F000040C00000803F000000C000000040000000000000804000000000000040400000803F00000040000000000000004000000040000080C000000040000000C0000080BF000080C000004040000080400000004000008040000080BF000080C0000040400000804000000000000080400000803F000080BF000040C000000000000040C0000080BF000080C0000080C000008040000080BF00000040000080C0000080C000004040000040C0000000C00000804000000000000080BF000080C0000080400000804000000040000080C0000040C00000803F000000C0000000000000804000004040000080C00000803F000080BF000080BF000040C000008040000040C0000000C0000080BF00000000000000C0000080C00000404000000040000080C000000000000080BF00000000000080400000804000000040000080C0000040400000803F000080C0000080C0000000C0000080C0000040C0000080C0000040C000004040000080C0000040C00000804000008040000040400000803F000000C00000803F000040C00000803F0000004000000040000000000000803F00000000000080BF0000803F00000040000040C0000000C000008040000080C000000040000040C0000000C0000080C00000803F000040400000804000000040000080C000000040000080C00000803F000040400000803F000000400000004000004040000080C0000080BF000080BF0000804000000000000040C000000040000080BF00000040000000C0000080C00000803F0000803F0000804000000000000040C000004040000040C00000804000000040000040C00000803F00008040000040C0000080C000004040000000C0000080BF00000040000080C000008040000040C0000040C000000040000000C0000080C00000803F000040C0000080C0000040C0000040400000000000000000000040C0000080C00000804000008040000080BF000040C000008040000040C000008040000080C0000080400000803F000000C0000040C0000080BF000000C0000080BF0000404000000040000000000000803F000000400000803F0000804000000040000040C00000004000008040000080BF00000040000000C0000000400000804000004040000000C000000040000000C0000000C0000040C000004040000040400000804000004040000000C0000000C000000000000080BF000000C0000080400000803F000080BF00008040000000000000004000000000000080BF00000000000080C0000000000000404000000040000080BF000000C00000803F000080BF0000803F00004040000000C00000004000004040000080BF0000404000008040000080C000004040000040C000000040000080C000004040000080BF000080BF000040C0000080BF00000000000080BF000080BF00000000000000C0000000C0000080C000000000000000C0000080C00000803F000000C000000040000040C0000040C0000040C0000040C00000000000000000000080C00000803F000040400000803F000080C0000080C00000803F0000803F000000400000004000004040000040C0000080BF0000404000000040000000C0000080400000803F000040C000000000000040C000000040000040C0000040400000804000000000000040C0000080400000803F0000803F000040400000000000000000000040C00000803F0000804000008040000040C000004040000080400000803F000080C000000000000000C0000000C0000000C00000803F00004040000040C0000040C000008040000000C00000803F000000400000804000000000000000C0000040400000404000000000000000C0000040C0000040C0000000C00000804000008040000000400000803F000040C0000000000000000000000040000080C0000000C0000080C0000040400000804000000000000080BF000080400000803F0000803F000000400000404000008040000040C00000803F00004040000040C0000000C000000000000040C0000040C0000040C0000000C0000080BF0000004000000040000000C0000000C000000040000080BF0000804000008040000000C0000000C0000080BF000000000000803F00000000000080C00000404000000040000000400000803F000080400000000000004040000080400000000000004040000080C0000080BF"> : tensor<8x3x3x8xf32>

// Six rows of six tiles, of four by four elements each, which overlap by two; all of them are at work at once. Vectors run along the channels,
// then along the features.
// CHECK-LABEL: func @tiles
//  CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<14x14x8xf32>
//   CHECK-DAG: %[[U:[a-z0-9_]+]] = arith.constant dense<{{.*}}> : tensor<16x8x8xf32>
//       CHECK: %[[V:[a-z0-9]+]] = scf.for %{{.*}} = %c0 to %c6 step %c1 iter_args
//       CHECK:   scf.for %{{.*}} = %c0 to %c6 step %c1 iter_args
//       CHECK:     scf.for %{{.*}} = %c0 to %c8 step %c4 iter_args
// CHECK-COUNT-16:     vector.transfer_read %[[X]]
//   CHECK-NOT:       arith.mulf
// CHECK-COUNT-32:     {{addf|subf}} %{{.*}} : vector<4xf32>
// CHECK-COUNT-16:     vector.transfer_write {{.*}} tensor<16x36x8xf32>
//       CHECK: %[[M:[a-z0-9]+]] = linalg.batch_matmul ins(%[[V]], %[[U]] : tensor<16x36x8xf32>, tensor<16x8x8xf32>)
// CHECK-COUNT-16:     vector.transfer_read %[[M]]
//   CHECK-NOT:       arith.mulf
// CHECK-COUNT-24:     {{addf|subf}} %{{.*}} : vector<4xf32>
// CHECK-COUNT-4:     vector.transfer_write {{.*}} tensor<12x12x8xf32>
//   CHECK-NOT: linalg.generic
//       CHECK: return
// FOUR-LABEL: func @tiles
//       FOUR: scf.for %{{.*}} = %c0 to %c3 step %c1
// FOUR-COUNT-36: vector.transfer_read %{{.*}} : tensor<14x14x8xf32>, vector<4xf32>
//       FOUR: linalg.batch_matmul ins(%{{.*}} : tensor<36x9x8xf32>, tensor<36x8x8xf32>)
// FOUR-COUNT-16: vector.transfer_write %{{.*}} : vector<4xf32>, tensor<12x12x8xf32>
func.func @tiles(%x: tensor<14x14x8xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<14x14x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// The last row and the last column of tiles reach over the end: the image gets room, and what there is of the result is stored.
// CHECK-LABEL: func @ragged
//       CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 0] high[1, 1, 0]
//       CHECK: tensor<65x65x8xf32> to tensor<66x66x8xf32>
//       CHECK: scf.for %{{.*}} = %c0 to %c31 step %c1
//       CHECK:   vector.transfer_read %[[PADDED]]
//       CHECK:   linalg.batch_matmul
//       CHECK:   scf.for %{{.*}} = %c0 to %c31 step %c1
// CHECK-COUNT-4:     vector.transfer_write %{{.*}} tensor<63x63x8xf32>
//   CHECK-NOT:     vector.transfer_write
//       CHECK:   scf.for
// CHECK-COUNT-2:     vector.transfer_write %{{.*}}, %c62, %{{.*}} tensor<63x63x8xf32>
//   CHECK-NOT:     vector.transfer_write {{.*}} tensor<63x63x8xf32>
//       CHECK: linalg.batch_matmul
// CHECK-COUNT-2:   vector.transfer_write %{{.*}}[%c62, %{{.*}} tensor<63x63x8xf32>
//   CHECK-NOT:   vector.transfer_write
//       CHECK: vector.transfer_write %{{.*}}[%c62, %c62, %{{.*}} tensor<63x63x8xf32>
//   CHECK-NOT: vector.transfer_write
//       CHECK: return
func.func @ragged(%x: tensor<65x65x8xf32>) -> tensor<63x63x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<63x63x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<63x63x8xf32>) -> tensor<63x63x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<65x65x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<63x63x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<63x63x8xf32>
  return %r : tensor<63x63x8xf32>
}

// What is done with each element happens before it is stored, after what the sum begins as is added.
// CHECK-LABEL: func @epilogue
//  CHECK-SAME: %[[BIAS:[a-z0-9]*]]: tensor<8xf32>, %[[INIT:[a-z0-9]*]]: tensor<12x12x8xf32>
//       CHECK: linalg.batch_matmul
//       CHECK: %[[BEGIN:.*]] = vector.transfer_read %[[INIT]]
//       CHECK: %[[SUM:.*]] = arith.addf %[[BEGIN]],
//       CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]]
//       CHECK: arith.addf %[[SUM]], %[[B]]
//   CHECK-NOT: linalg.generic
//       CHECK: return
func.func @epilogue(%x: tensor<14x14x8xf32>, %bias: tensor<8xf32>, %init: tensor<12x12x8xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<14x14x8xf32>, tensor<8x3x3x8xf32>) outs(%init : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  %y = linalg.generic {indexing_maps = [#each, #bias, #each], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%r, %bias : tensor<12x12x8xf32>, tensor<8xf32>) outs(%e : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %y : tensor<12x12x8xf32>
}

// Channels are made adjacent first.
// CHECK-LABEL: func @channels_first
//       CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<8x14x14xf32>) outs(%{{.*}} : tensor<14x14x8xf32>) permutation = [1, 2, 0]
//       CHECK: vector.transfer_read %[[T]]
//       CHECK: linalg.batch_matmul
func.func @channels_first(%x: tensor<8x14x14xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#first, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<8x14x14xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// Steps of two share too little.
// CHECK-LABEL: func @in_steps
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @in_steps(%x: tensor<25x25x8xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#steps, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<25x25x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// Taps are not neighbours.
// CHECK-LABEL: func @dilated
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @dilated(%x: tensor<16x16x8xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#apart, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<16x16x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// The filter would be transformed each time.
// CHECK-LABEL: func @unknown_filter
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @unknown_filter(%x: tensor<14x14x8xf32>, %f: tensor<8x3x3x8xf32>) -> tensor<12x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<14x14x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// A filter of each feature alone sums over no channels.
// CHECK-LABEL: func @not_summed
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @not_summed(%x: tensor<14x14x8xf32>) -> tensor<12x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12x8xf32>) -> tensor<12x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#along, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<14x14x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<12x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x12x8xf32>
  return %r : tensor<12x12x8xf32>
}

// A row is too narrow for tiles of two rows.
// CHECK-LABEL: func @one_row
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @one_row(%x: tensor<3x14x8xf32>) -> tensor<1x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x8xf32>) -> tensor<1x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<3x14x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<1x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x12x8xf32>
  return %r : tensor<1x12x8xf32>
}

// Tiles are counted when compiling.
// CHECK-LABEL: func @any_size
//   CHECK-NOT: linalg.batch_matmul
//       CHECK: linalg.generic
func.func @any_size(%x: tensor<?x14x8xf32>, %n: index) -> tensor<?x12x8xf32> {
  %f = arith.constant #filter
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x12x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<?x12x8xf32>) -> tensor<?x12x8xf32>
  %r = linalg.generic {
    indexing_maps = [#image, #taps, #result],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%x, %f : tensor<?x14x8xf32>, tensor<8x3x3x8xf32>) outs(%start : tensor<?x12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x12x8xf32>
  return %r : tensor<?x12x8xf32>
}
