// RUN: dl-opt %s --dl-attach-target=target-cpu=haswell --linalg-lower-contractions --oracle=each-pass --split-input-file | FileCheck %s
// RUN: dl-opt %s --dl-attach-target='target-cpu=haswell target-features=-avx2' --linalg-lower-contractions --split-input-file | FileCheck %s --check-prefix=NONE

// Without dot products of bytes, these are widened to 16 bits: those that are broadcast before, the others when they are packed. Products of pairs are
// added up by twos.
// CHECK-LABEL: func @bytes
//  CHECK-SAME: (%[[A:.*]]: tensor<12x64xi8>, %[[B:.*]]: tensor<64x40xi8>
//       CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<12x64xi8>) outs(%{{.*}} : tensor<12x64xi16>)
//       CHECK: %[[READ:.*]] = vector.transfer_read %[[B]]{{.*}} vector<8xi8>
//       CHECK: %[[EVEN:.*]] = arith.extsi %[[READ]] : vector<8xi8> to vector<8xi16>
//       CHECK: vector.interleave %[[EVEN]], %{{.*}} : vector<8xi16> -> vector<16xi16>
//       CHECK: vector.transfer_read %[[WIDE]]{{.*}} vector<2xi16>
//       CHECK: %[[PRODUCTS:.*]] = arith.muli %{{.*}} : vector<16xi32>
//       CHECK: %[[FIRST:[a-z0-9_]+]], %[[SECOND:[a-z0-9_]+]] = vector.deinterleave %[[PRODUCTS]] : vector<16xi32> -> vector<8xi32>
//       CHECK: %[[PAIRS:.*]] = arith.addi %[[FIRST]], %[[SECOND]] : vector<8xi32>
//       CHECK: arith.addi %{{.*}}, %[[PAIRS]] : vector<8xi32>
//  NONE-LABEL: func @bytes
//    NONE-NOT: vector.deinterleave
func.func @bytes(%a: tensor<12x64xi8>, %b: tensor<64x40xi8>, %c: tensor<12x40xi32>) -> tensor<12x40xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<12x64xi8>, tensor<64x40xi8>) outs(%c : tensor<12x40xi32>) -> tensor<12x40xi32>
  return %r : tensor<12x40xi32>
}

// -----

// A constant lies in panels, in pairs and with 16 bits; 3 steps are a pair and one whose other half is zero. With one panel, the left side is
// widened where it is read.
// CHECK-LABEL: func @constant
//   CHECK-DAG: arith.constant dense<{{\[\[\[}}1, 3, -2, 4, 0, {{.*}}], [-128, 0, 127, 0, {{.*}}]]]> : tensor<1x2x16xi16>
//   CHECK-NOT: linalg.generic
//       CHECK: %[[PAIR:.*]] = vector.transfer_read %{{.*}} vector<2xi8>
//       CHECK: arith.extui %[[PAIR]] : vector<2xi8> to vector<2xi16>
func.func @constant(%a: tensor<6x3xi8>, %c: tensor<6x2xi32>) -> tensor<6x2xi32> {
  %b = arith.constant dense<[[1, -2], [3, 4], [-128, 127]]> : tensor<3x2xi8>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<6x3xi8>, tensor<3x2xi8>) outs(%c : tensor<6x2xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %product = arith.muli %p, %q : i32
    %sum = arith.addi %o, %product : i32
    linalg.yield %sum : i32
  } -> tensor<6x2xi32>
  return %r : tensor<6x2xi32>
}

// -----

// 16 bits with a sign are what they are.
// CHECK-LABEL: func @words
//   CHECK-NOT: linalg.generic
//       CHECK: vector.deinterleave {{.*}} : vector<16xi32> -> vector<8xi32>
func.func @words(%a: tensor<12x64xi16>, %b: tensor<64x40xi16>, %c: tensor<12x40xi32>) -> tensor<12x40xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<12x64xi16>, tensor<64x40xi16>) outs(%c : tensor<12x40xi32>) -> tensor<12x40xi32>
  return %r : tensor<12x40xi32>
}

// -----

// Without one, they do not fit.
// CHECK-LABEL: func @unsigned_words
//   CHECK-NOT: vector.deinterleave
//       CHECK: return
func.func @unsigned_words(%a: tensor<12x64xi16>, %b: tensor<64x40xi16>, %c: tensor<12x40xi32>) -> tensor<12x40xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<12x64xi16>, tensor<64x40xi16>) outs(%c : tensor<12x40xi32>) -> tensor<12x40xi32>
  return %r : tensor<12x40xi32>
}
