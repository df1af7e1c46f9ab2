// RUN: dl-opt %s --vector-break-down-bitcast | FileCheck %s --check-prefix=BITCAST
// RUN: dl-opt %s --vector-break-down-bitcast=max-elements=8 | FileCheck %s --check-prefix=LONG
// RUN: dl-opt %s --vector-fold-arith-extension | FileCheck %s --check-prefix=EXT
// RUN: dl-opt %s --vector-lower-slice-to-elements | FileCheck %s --check-prefix=SLICE
// RUN: dl-opt %s --vector-lower-contraction | FileCheck %s --check-prefix=OUTER
// RUN: dl-opt %s --vector-lower-contraction=lowering-strategy=dot | FileCheck %s --check-prefix=DOT
// RUN: dl-opt %s --vector-lower-transpose=lowering-strategy=shuffle1d | FileCheck %s --check-prefix=SHUFFLE
// RUN: dl-opt %s --vector-lower-gather --vector-lower-bitcast --vector-lower-broadcast --vector-lower-elements --vector-lower-fma --vector-lower-interleave --vector-lower-masks --vector-lower-shape-cast --vector-lower-strided-slices --vector-lower-transfers --vector-lower-transpose --oracle=each-pass

// Two slices of four elements, each cast to two.
// BITCAST-LABEL: func.func @bitcast
//  BITCAST-SAME:   (%[[V:.*]]: vector<8xf16>)
//       BITCAST:   %[[A:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0], sizes = [4], strides = [1]}
//       BITCAST:   %[[X:.*]] = vector.bitcast %[[A]] : vector<4xf16> to vector<2xf32>
//       BITCAST:   %[[HALF:.*]] = vector.insert_strided_slice %[[X]], %{{.*}} {offsets = [0], strides = [1]}
//       BITCAST:   %[[B:.*]] = vector.extract_strided_slice %[[V]] {offsets = [4], sizes = [4], strides = [1]}
//       BITCAST:   %[[Y:.*]] = vector.bitcast %[[B]] : vector<4xf16> to vector<2xf32>
//       BITCAST:   %[[ALL:.*]] = vector.insert_strided_slice %[[Y]], %[[HALF]] {offsets = [2], strides = [1]}
//       BITCAST:   return %[[ALL]]
// LONG-LABEL: func.func @bitcast
//   LONG-NOT:   vector.extract_strided_slice
//       LONG:   vector.bitcast %{{.*}} : vector<8xf16> to vector<4xf32>
func.func @bitcast(%v: vector<8xf16>) -> vector<4xf32> {
  %0 = vector.bitcast %v : vector<8xf16> to vector<4xf32>
  return %0 : vector<4xf32>
}

// BITCAST-LABEL: func.func @bitcast_to_more
//       BITCAST:   vector.bitcast %{{.*}} : vector<8xf32> to vector<16xf16>
func.func @bitcast_to_more(%v: vector<8xf32>) -> vector<16xf16> {
  %0 = vector.bitcast %v : vector<8xf32> to vector<16xf16>
  return %0 : vector<16xf16>
}

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// EXT-LABEL: func.func @extended
//  EXT-SAME:   (%[[A:.*]]: vector<2x3xi8>, %[[B:.*]]: vector<3x2xi8>, %[[C:.*]]: vector<2x2xi32>)
//   EXT-NOT:   arith.extsi
//       EXT:   vector.contract {{[^%]*}}%[[A]], %[[B]], %[[C]] : vector<2x3xi8>, vector<3x2xi8> into vector<2x2xi32>
func.func @extended(%a: vector<2x3xi8>, %b: vector<3x2xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %x = arith.extsi %a : vector<2x3xi8> to vector<2x3xi32>
  %y = arith.extsi %b : vector<3x2xi8> to vector<3x2xi32>
  %0 = vector.contract {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %x, %y, %c : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

// A contraction of narrow numbers takes both for signed.
// EXT-LABEL: func.func @zero_extended
//       EXT:   vector.contract {{.*}} : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
func.func @zero_extended(%a: vector<2x3xi8>, %b: vector<3x2xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %x = arith.extui %a : vector<2x3xi8> to vector<2x3xi32>
  %y = arith.extui %b : vector<3x2xi8> to vector<3x2xi32>
  %0 = vector.contract {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %x, %y, %c : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

// SLICE-LABEL: func.func @slice
//  SLICE-SAME:   (%[[V:.*]]: vector<8xf16>)
//   SLICE-DAG:   %[[A:.*]] = vector.extract %[[V]][1] : f16
//   SLICE-DAG:   %[[B:.*]] = vector.extract %[[V]][2] : f16
//       SLICE:   %[[ONE:.*]] = vector.insert %[[A]], %{{.*}} [0]
//       SLICE:   %[[TWO:.*]] = vector.insert %[[B]], %[[ONE]] [1]
//       SLICE:   return %[[TWO]]
func.func @slice(%v: vector<8xf16>) -> vector<2xf16> {
  %0 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<8xf16> to vector<2xf16>
  return %0 : vector<2xf16>
}

// SLICE-LABEL: func.func @slice_of_rows
//       SLICE:   vector.extract_strided_slice
func.func @slice_of_rows(%v: vector<2x8xf16>) -> vector<2x2xf16> {
  %0 = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x8xf16> to vector<2x2xf16>
  return %0 : vector<2x2xf16>
}

// OUTER-LABEL: func.func @product
// OUTER-COUNT-3: vector.fma
//     OUTER-NOT: vector.contract
//         OUTER: return
// DOT-LABEL: func.func @product
// DOT-COUNT-4: vector.reduction <add>, %{{.*}} : vector<3xf32> into f32
//     DOT-NOT: vector.contract
//         DOT: return
func.func @product(%a: vector<2x3xf32>, %b: vector<3x2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.contract {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %a, %b, %c : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// SHUFFLE-LABEL: func.func @turned
//       SHUFFLE:   vector.shuffle %{{.*}}, %{{.*}} [0, 3, 1, 4, 2, 5]
func.func @turned(%v: vector<2x3xf32>) -> vector<3x2xf32> {
  %0 = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %0 : vector<3x2xf32>
}
