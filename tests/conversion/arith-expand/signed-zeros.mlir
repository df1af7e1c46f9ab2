// RUN: dl-opt %s --arith-expand=signed-zeros --canonicalize | FileCheck %s

// Zero is greater than its negative, whichever comes first.
// CHECK-LABEL: func.func @maximum
// CHECK: %[[M:.*]] = arith.constant dense<[0.000000e+00, 0.000000e+00, -0.000000e+00, 2.000000e+00, 0x7FC00000]>
// CHECK: return %[[M]]
func.func @maximum() -> vector<5xf32> {
  %a = arith.constant dense<[0.0, -0.0, -0.0, 2.0, 0x7FC00000]> : vector<5xf32>
  %b = arith.constant dense<[-0.0, 0.0, -0.0, 2.0, 1.0]> : vector<5xf32>
  %0 = arith.maximumf %a, %b : vector<5xf32>
  return %0 : vector<5xf32>
}

// CHECK-LABEL: func.func @minimum
// CHECK: %[[M:.*]] = arith.constant dense<[-0.000000e+00, -0.000000e+00, 0.000000e+00, -1.000000e+00, 0x7FC00000]>
// CHECK: return %[[M]]
func.func @minimum() -> vector<5xf32> {
  %a = arith.constant dense<[0.0, -0.0, 0.0, 2.0, 1.0]> : vector<5xf32>
  %b = arith.constant dense<[-0.0, 0.0, 0.0, -1.0, 0x7FC00000]> : vector<5xf32>
  %0 = arith.minimumf %a, %b : vector<5xf32>
  return %0 : vector<5xf32>
}
