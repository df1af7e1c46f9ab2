// RUN: dl-opt %s --vector-linearize=target-vector-bitwidth=128 | FileCheck %s
// RUN: dl-opt %s --test-bit-width-constrained-vector-linearize=target-vector-bitwidth=128 | FileCheck %s

// Rows of 64 bits are shorter than 128, rows of 128 are not; indices have no known number of bits.
// CHECK-LABEL: func.func @rows
func.func @rows(%a: vector<2x2xf32>, %b: vector<4x4xf32>, %c: vector<2x2xindex>) -> (vector<2x2xf32>, vector<4x4xf32>, vector<2x2xindex>) {
  // CHECK-DAG: arith.addf %{{.*}} : vector<4xf32>
  // CHECK-DAG: arith.addf %{{.*}} : vector<4x4xf32>
  // CHECK-DAG: arith.addi %{{.*}} : vector<2x2xindex>
  %0 = arith.addf %a, %a : vector<2x2xf32>
  %1 = arith.addf %b, %b : vector<4x4xf32>
  %2 = arith.addi %c, %c : vector<2x2xindex>
  return %0, %1, %2 : vector<2x2xf32>, vector<4x4xf32>, vector<2x2xindex>
}

// It is the result that counts.
// CHECK-LABEL: func.func @results
func.func @results(%a: vector<2x4xf16>, %b: vector<4x4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>) {
  // CHECK-DAG: arith.extf %{{.*}} : vector<2x4xf16> to vector<2x4xf32>
  // CHECK-DAG: vector.shuffle %{{.*}} [2, 3, 6, 7] : vector<16xf32>, vector<16xf32>
  %0 = arith.extf %a : vector<2x4xf16> to vector<2x4xf32>
  %1 = vector.extract_strided_slice %b {offsets = [0, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %0, %1 : vector<2x4xf32>, vector<2x2xf32>
}
