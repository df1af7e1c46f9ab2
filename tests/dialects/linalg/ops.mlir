// RUN: %{round-trip}

#id = affine_map<(d0, d1) -> (d0, d1)>

#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @generic(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4xf32>, %[[ARG2:[a-z0-9]+]]: memref<4x8xf32>, %[[ARG3:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG1]] : tensor<4xf32>) {
//  CHECK-NEXT:   ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
//  CHECK-NEXT:   %[[V1:.*]] = linalg.index 1 : index
//  CHECK-NEXT:   %[[V2:.*]] = arith.addf %[[IN]], %[[OUT]] : f32
//  CHECK-NEXT:   linalg.yield %[[V2]] : f32
//  CHECK-NEXT:   } -> tensor<4xf32>
//  CHECK-NEXT:   linalg.generic {doc = "fills", indexing_maps = [#map], iterator_types = ["parallel", "parallel"], library_call = "fill"} outs(%[[ARG2]] : memref<4x8xf32>) attrs =  {note} {
//  CHECK-NEXT:   ^bb0(%[[OUT:.*]]: f32):
//  CHECK-NEXT:   linalg.yield %[[ARG3]] : f32
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
func.func @generic(%t: tensor<4x8xf32>, %r: tensor<4xf32>, %m: memref<4x8xf32>, %x: f32) {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<4x8xf32>) outs(%r : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  linalg.generic {doc = "fills", indexing_maps = [#id], iterator_types = ["parallel", "parallel"], library_call = "fill"} outs(%m : memref<4x8xf32>) attrs = {note} {
  ^bb0(%b: f32):
    linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: func.func @products(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<8x16xf32>, %[[ARG2:[a-z0-9]+]]: tensor<4x16xf32>, %[[ARG3:[a-z0-9]+]]: tensor<16x8xf32>, %[[ARG4:[a-z0-9]+]]: tensor<4x8xf16>
//  CHECK-NEXT:   %[[V0:.*]] = linalg.matmul ins(%[[ARG0]], %[[ARG1]] : tensor<4x8xf32>, tensor<8x16xf32>) outs(%[[ARG2]] : tensor<4x16xf32>) -> tensor<4x16xf32>
//  CHECK-NEXT:   %[[V1:.*]] = linalg.matmul indexing_maps = [#map2, #map3, #map4] ins(%[[ARG0]], %[[ARG3]] : tensor<4x8xf32>, tensor<16x8xf32>) outs(%[[ARG2]] : tensor<4x16xf32>) -> tensor<4x16xf32>
//  CHECK-NEXT:   %[[V2:.*]] = linalg.contract indexing_maps = [#map2, #map5, #map4] ins(%[[ARG0]], %[[ARG1]] : tensor<4x8xf32>, tensor<8x16xf32>) outs(%[[ARG2]] : tensor<4x16xf32>) -> tensor<4x16xf32>
//  CHECK-NEXT:   return
func.func @products(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %d: tensor<16x8xf32>, %h: tensor<4x8xf16>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %d : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// CHECK-LABEL: func.func @convolutions(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<1x9x9x3xf32>, %[[ARG1:[a-z0-9]+]]: tensor<3x3x3x8xf32>, %[[ARG2:[a-z0-9]+]]: tensor<1x4x4x8xf32>, %[[ARG3:[a-z0-9]+]]: tensor<2x2xf32>, %[[ARG4:[a-z0-9]+]]: tensor<1x8x8x3xf32>
//  CHECK-NEXT:   %[[V0:.*]] = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%[[ARG0]], %[[ARG1]] : tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32>) outs(%[[ARG2]] : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
//  CHECK-NEXT:   %[[V1:.*]] = linalg.pooling_nhwc_max ins(%[[ARG0]], %[[ARG3]] : tensor<1x9x9x3xf32>, tensor<2x2xf32>) outs(%[[ARG4]] : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
//  CHECK-NEXT:   return
func.func @convolutions(%i: tensor<1x9x9x3xf32>, %k: tensor<3x3x3x8xf32>, %o: tensor<1x4x4x8xf32>, %p: tensor<2x2xf32>, %q: tensor<1x8x8x3xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%i, %k : tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = linalg.pooling_nhwc_max ins(%i, %p : tensor<1x9x9x3xf32>, tensor<2x2xf32>) outs(%q : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// CHECK-LABEL: func.func @elementwise(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: memref<4x8xf32>
//  CHECK-NEXT:   %[[V0:.*]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG2]] : memref<4x8xf32>)
//  CHECK-NEXT:   %[[V1:.*]] = linalg.exp ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   %[[V2:.*]] = linalg.add ins(%[[ARG0]], %[[ARG0]] : tensor<4x8xf32>, tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   %[[V3:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%[[ARG0]], %[[ARG0]] : tensor<4x8xf32>, tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%[[ARG2]] : memref<4x8xf32>) outs(%[[ARG2]] : memref<4x8xf32>)
//  CHECK-NEXT:   return
func.func @elementwise(%t: tensor<4x8xf32>, %x: f32, %m: memref<4x8xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4x8xf32>)
  %1 = linalg.exp ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.add ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%m : memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  return
}

func.func private @element(f32) -> i32

// What a payload gives is an element of the result.
// CHECK-LABEL: func.func @payload_of_another_type(
//       CHECK:   linalg.map { func.call {callee = @element} } ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xi32>)
func.func @payload_of_another_type(%t: tensor<8xf32>, %r: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.map { func.call {callee = @element} } ins(%t : tensor<8xf32>) outs(%r : tensor<8xi32>)
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: func.func @payloads(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4xf32>, %[[ARG2:[a-z0-9]+]]: tensor<8x4xf32>
//  CHECK-NEXT:   %[[MAPPED:.*]] = linalg.map { arith.addf } ins(%[[ARG0]], %[[ARG0]] : tensor<4x8xf32>, tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>)
//  CHECK-NEXT:   %[[MAPPED_0:.*]] = linalg.map ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>)
//  CHECK-NEXT:   (%{{.*}}: f32, %{{.*}}: f32) {
//  CHECK-NEXT:   %[[V1:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
//  CHECK-NEXT:   linalg.yield %[[V1]] : f32
//  CHECK-NEXT:   }
//  CHECK-NEXT:   %[[REDUCED:.*]] = linalg.reduce { arith.maximumf } ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG1]] : tensor<4xf32>) dimensions = [1]
//  CHECK-NEXT:   %[[TRANSPOSED:.*]] = linalg.transpose ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG2]] : tensor<8x4xf32>) permutation = [1, 0]
//  CHECK-NEXT:   %[[BROADCASTED:.*]] = linalg.broadcast ins(%[[ARG1]] : tensor<4xf32>) outs(%[[ARG0]] : tensor<4x8xf32>) dimensions = [1]
//  CHECK-NEXT:   %[[V0:.*]] = linalg.softmax dimension(1) ins(%[[ARG0]] : tensor<4x8xf32>) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   return
func.func @payloads(%t: tensor<4x8xf32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>) {
  %0 = linalg.map { arith.addf } ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
  %1 = linalg.map ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
    (%a: f32, %b: f32) {
      %s = arith.mulf %a, %a : f32
      linalg.yield %s : f32
    }
  %2 = linalg.reduce { arith.maximumf } ins(%t : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  %3 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 0]
  %4 = linalg.broadcast ins(%r : tensor<4xf32>) outs(%t : tensor<4x8xf32>) dimensions = [1]
  %5 = linalg.softmax dimension(1) ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @layouts(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<16x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<2x1x8x8xf32>, %[[ARG2:[a-z0-9]+]]: f32, %[[ARG3:[a-z0-9]+]]: index, %[[ARG4:[a-z0-9]+]]: tensor<?x?xf32>, %[[ARG5:[a-z0-9]+]]: tensor<?x?x?x8xf32>
//  CHECK-NEXT:   %[[PACK:.*]] = linalg.pack %[[ARG0]] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %[[ARG1]] : tensor<16x8xf32> -> tensor<2x1x8x8xf32>
//  CHECK-NEXT:   %[[PACK_0:.*]] = linalg.pack %[[ARG4]] padding_value(%[[ARG2]] : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%[[ARG3]], 8] into %[[ARG5]] : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
//  CHECK-NEXT:   %[[UNPACK:.*]] = linalg.unpack %[[ARG1]] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %[[ARG0]] : tensor<2x1x8x8xf32> -> tensor<16x8xf32>
//  CHECK-NEXT:   return
func.func @layouts(%t: tensor<16x8xf32>, %p: tensor<2x1x8x8xf32>, %x: f32, %n: index, %d: tensor<?x?xf32>, %e: tensor<?x?x?x8xf32>) {
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %p : tensor<16x8xf32> -> tensor<2x1x8x8xf32>
  %1 = linalg.pack %d padding_value(%x : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [%n, 8] into %e : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
  %2 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %t : tensor<2x1x8x8xf32> -> tensor<16x8xf32>
  return
}

// A vector is one element.
// CHECK-LABEL: func.func @fill_with_vectors
func.func @fill_with_vectors(%v: vector<2x4xf32>, %t: tensor<3xvector<2x4xf32>>) {
  // CHECK: linalg.fill ins(%{{.*}} : vector<2x4xf32>) outs(%{{.*}} : tensor<3xvector<2x4xf32>>) -> tensor<3xvector<2x4xf32>>
  %0 = linalg.fill ins(%v : vector<2x4xf32>) outs(%t : tensor<3xvector<2x4xf32>>) -> tensor<3xvector<2x4xf32>>
  return
}
