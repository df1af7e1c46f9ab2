// RUN: dl-opt %s --linalg-propagate-packs --split-input-file | FileCheck %s

// The packing moves up to the operand; the bias, which has the columns alone, is packed along them.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func.func @up
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<8x32xf32>, %[[B:[a-z0-9]+]]: tensor<32xf32>, %[[S:[a-z0-9]+]]: f32)
#id = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @up(%x: tensor<8x32xf32>, %b: tensor<32xf32>, %s: f32) -> tensor<2x2x4x16xf32> {
  // CHECK-DAG: %[[PX:[a-z0-9_]+]] = linalg.pack %[[X]] inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %{{.*}} : tensor<8x32xf32> -> tensor<2x2x4x16xf32>
  // CHECK-DAG: %[[PB:[a-z0-9_]+]] = linalg.pack %[[B]] inner_dims_pos = [0] inner_tiles = [16] into %{{.*}} : tensor<32xf32> -> tensor<2x16xf32>
  // CHECK: %[[R:[a-z0-9]+]] = linalg.generic {indexing_maps = [#[[ALL]], #[[COLUMNS]], #{{.*}}, #[[ALL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[PX]], %[[PB]], %[[S]] : tensor<2x2x4x16xf32>, tensor<2x16xf32>, f32)
  // CHECK: return %[[R]]
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #columns, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %s : tensor<8x32xf32>, tensor<32xf32>, f32) outs(%e : tensor<8x32xf32>) {
  ^bb0(%in: f32, %bias: f32, %scale: f32, %out: f32):
    %1 = arith.addf %in, %bias : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<8x32xf32>
  %d = tensor.empty() : tensor<2x2x4x16xf32>
  %p = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %d : tensor<8x32xf32> -> tensor<2x2x4x16xf32>
  return %p : tensor<2x2x4x16xf32>
}

// -----

// The unpacking moves down behind the nest. NHWC from channels in blocks of 16 that come first: the loops are those of the packed tensor.
// CHECK-LABEL: func.func @down
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<1x2x8x8x16xf32>)
#id4 = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @down(%x: tensor<1x2x8x8x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-DAG: %[[PLAIN:[a-z0-9_]+]] = tensor.empty() : tensor<1x8x8x32xf32>
  // CHECK-DAG: %[[E:[a-z0-9_]+]] = tensor.empty() : tensor<1x2x8x8x16xf32>
  // CHECK: %[[R:[a-z0-9]+]] = linalg.generic {{[^%]+}}(%[[X]] : tensor<1x2x8x8x16xf32>) outs(%[[E]] : tensor<1x2x8x8x16xf32>)
  // CHECK: %[[U:[a-z0-9]+]] = linalg.unpack %[[R]] outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [16] into %[[PLAIN]]
  // CHECK: return %[[U]]
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %u = linalg.unpack %x outer_dims_perm = [0, 3, 1, 2] inner_dims_pos = [3] inner_tiles = [16] into %e : tensor<1x2x8x8x16xf32> -> tensor<1x8x8x32xf32>
  %0 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x8x8x32xf32>) outs(%e : tensor<1x8x8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// -----

// What is unpacked and packed again meets: nothing of it is left.
// CHECK-LABEL: func.func @meet
func.func @meet(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK-NOT: pack
  // CHECK: linalg.generic
  // CHECK-NOT: pack
  // CHECK: return
  %e = tensor.empty() : tensor<64xf32>
  %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [16] into %e : tensor<4x16xf32> -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%u : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %d = tensor.empty() : tensor<4x16xf32>
  %p = linalg.pack %0 inner_dims_pos = [0] inner_tiles = [16] into %d : tensor<64xf32> -> tensor<4x16xf32>
  return %p : tensor<4x16xf32>
}

// -----

// What the nest reads of its init is packed too.
// CHECK-LABEL: func.func @init
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<4x16xf32>, %[[I:[a-z0-9]+]]: tensor<64xf32>)
func.func @init(%x: tensor<4x16xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK: %[[P:[a-z0-9_]+]] = linalg.pack %[[I]] inner_dims_pos = [0] inner_tiles = [16]
  // CHECK: linalg.generic {{[^%]+}}(%[[X]] : tensor<4x16xf32>) outs(%[[P]] : tensor<4x16xf32>)
  // CHECK: linalg.unpack %{{[a-z0-9]+}} inner_dims_pos = [0] inner_tiles = [16] into %[[I]]
  %e = tensor.empty() : tensor<64xf32>
  %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [16] into %e : tensor<4x16xf32> -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%u : tensor<64xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Tiles that reach over the end hold what the nest must not see; a second use needs the plain result; a number of a loop would be another one.
// CHECK-LABEL: func.func @stay
func.func @stay(%x: tensor<60xf32>, %y: tensor<64xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<64xf32>, tensor<4x16xindex>) {
  // CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<60xf32>)
  // CHECK: linalg.pack %{{.*}} padding_value
  // CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<64xf32>)
  // CHECK: linalg.pack %{{.*}} : tensor<64xf32> -> tensor<4x16xf32>
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<64xindex>)
  // CHECK: linalg.pack %{{.*}} : tensor<64xindex> -> tensor<4x16xindex>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<4x16xf32>
  %e0 = tensor.empty() : tensor<60xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<60xf32>) outs(%e0 : tensor<60xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<60xf32>
  %p0 = linalg.pack %0 padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [16] into %d : tensor<60xf32> -> tensor<4x16xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%y : tensor<64xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %p1 = linalg.pack %1 inner_dims_pos = [0] inner_tiles = [16] into %d : tensor<64xf32> -> tensor<4x16xf32>
  %e2 = tensor.empty() : tensor<64xindex>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e2 : tensor<64xindex>) {
  ^bb0(%out: index):
    %n = linalg.index 0 : index
    linalg.yield %n : index
  } -> tensor<64xindex>
  %d2 = tensor.empty() : tensor<4x16xindex>
  %p2 = linalg.pack %2 inner_dims_pos = [0] inner_tiles = [16] into %d2 : tensor<64xindex> -> tensor<4x16xindex>
  return %p0, %p1, %1, %p2 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<64xf32>, tensor<4x16xindex>
}
