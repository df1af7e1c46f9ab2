// RUN: dl-opt %s --dl-attach-target=target-cpu=znver5 --linalg-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// Pairs of neighbours lie side by side in a panel; one pair of the left side is in all lanes.
// CHECK-LABEL: func @bf16
//  CHECK-SAME: (%[[A:.*]]: tensor<64x64xbf16>, %[[B:.*]]: tensor<64x64xbf16>
//       CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<32x[[WIDTH:[0-9]+]]xbf16>
//       CHECK: %[[EVEN:.*]] = vector.transfer_read %[[B]]
//       CHECK: %[[ODD:.*]] = vector.transfer_read %[[B]]
//       CHECK: %[[PAIRS:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<16xbf16> -> vector<32xbf16>
//       CHECK: vector.transfer_write %[[PAIRS]], %{{.*}} : vector<32xbf16>, tensor<32x[[WIDTH]]xbf16>
//       CHECK: %[[PAIR:.*]] = vector.transfer_read %[[A]]{{.*}} : tensor<64x64xbf16>, vector<2xbf16>
//       CHECK: %[[LANE:.*]] = vector.bitcast %[[PAIR]] : vector<2xbf16> to vector<1xi32>
//       CHECK: %[[LANES:.*]] = vector.broadcast %[[LANE]] : vector<1xi32> to vector<16xi32>
//       CHECK: vector.bitcast %[[LANES]] : vector<16xi32> to vector<32xbf16>
//       CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
func.func @bf16(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Both with a sign: -128 times the sums of the columns, 4 and -2, is known; the left side is flipped.
// CHECK-LABEL: func @bytes
//   CHECK-DAG: arith.constant dense<-2139062144> : vector<16xi32>
//   CHECK-DAG: arith.constant dense<{{\[\[}}-512, 256, 0, {{.*}}]]> : tensor<1x16xi32>
//   CHECK-DAG: arith.constant dense<{{\[\[\[}}1, 1, 1, 1, -1, -1, 0, 0, 0, {{.*}}]]]> : tensor<1x1x64xi8>
//       CHECK: arith.xori
//       CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
func.func @bytes(%a: tensor<6x4xi8>, %c: tensor<6x2xi32>) -> tensor<6x2xi32> {
  %b = arith.constant dense<[[1, -1], [1, -1], [1, 0], [1, 0]]> : tensor<4x2xi8>
  %r = linalg.matmul ins(%a, %b : tensor<6x4xi8>, tensor<4x2xi8>) outs(%c : tensor<6x2xi32>) -> tensor<6x2xi32>
  return %r : tensor<6x2xi32>
}

// -----

// Without a sign on the left, the instruction does as it is.
// CHECK-LABEL: func @mixed_signs
//   CHECK-NOT: arith.xori
//       CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT: arith.xori
func.func @mixed_signs(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%c : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %product = arith.muli %p, %q : i32
    %sum = arith.addi %o, %product : i32
    linalg.yield %sum : i32
  } -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// -----

// An extent that is not known: products one by one.
// CHECK-LABEL: func @dynamic
//   CHECK-NOT: llvm.call_intrinsic
//       CHECK: vector.fma
func.func @dynamic(%a: tensor<64x?xbf16>, %b: tensor<?x64xbf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x?xbf16>, tensor<?x64xbf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// No instruction for f16: what is broadcast is widened once, where there are several panels of columns.
// CHECK-LABEL: func @widened
//  CHECK-SAME: (%[[A:.*]]: tensor<64x64xf16>
//       CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<64x64xf16>) outs(%{{.*}} : tensor<64x64xf32>)
//       CHECK: tensor.extract %[[WIDE]]
//       CHECK: vector.fma
func.func @widened(%a: tensor<64x64xf16>, %b: tensor<64x256xf16>, %c: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x256xf16>) outs(%c : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// -----

// One panel: each element is widened once anyway.
// CHECK-LABEL: func @widened_within
//   CHECK-NOT: linalg.generic
//       CHECK: arith.extf %{{.*}} : f16 to f32
func.func @widened_within(%a: tensor<64x64xf16>, %b: tensor<64x16xf16>, %c: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x16xf16>) outs(%c : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
