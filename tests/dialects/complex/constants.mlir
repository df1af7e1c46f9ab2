// RUN: dl-opt %s --canonicalize | FileCheck %s

// What upstream does not fold, or folds as if rounding, signs of zeros and whole turns did not count.

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic() -> (complex<f32>, complex<f64>, complex<f16>, complex<f32>) {
  // CHECK-DAG: %[[SUM:.*]] = complex.constant [3.000000e+00 : f32, -1.500000e+00 : f32]
  // CHECK-DAG: %[[DIFFERENCE:.*]] = complex.constant [1.000000e+00, 0x7FF0000000000000 : f64]
  // CHECK-DAG: %[[OPPOSITE:.*]] = complex.constant [-1.000000e+00 : f16, -0.000000e+00 : f16]
  // CHECK-DAG: %[[CONJUGATE:.*]] = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32]
  // CHECK:     return %[[SUM]], %[[DIFFERENCE]], %[[OPPOSITE]], %[[CONJUGATE]]
  %a = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %b = complex.constant [2.0 : f32, 0.5 : f32] : complex<f32>
  %c = complex.constant [3.0 : f64, 0x7FF0000000000000 : f64] : complex<f64>
  %d = complex.constant [2.0 : f64, 1.0 : f64] : complex<f64>
  %e = complex.constant [1.0 : f16, 0.0 : f16] : complex<f16>
  %0 = complex.add %a, %b : complex<f32>
  %1 = complex.sub %c, %d : complex<f64>
  %2 = complex.neg %e : complex<f16>
  %3 = complex.conj %a : complex<f32>
  return %0, %1, %2, %3 : complex<f32>, complex<f64>, complex<f16>, complex<f32>
}

// Zeros of both signs are equal, NaN is not equal to itself.
// CHECK-LABEL: func.func @comparison
func.func @comparison() -> (i1, i1, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK:     return %[[T]], %[[F]], %[[F]], %[[T]]
  %a = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %b = complex.constant [1.0 : f32, -0.0 : f32] : complex<f32>
  %n = complex.constant [1.0 : f32, 0x7FC00000 : f32] : complex<f32>
  %0 = complex.eq %a, %b : complex<f32>
  %1 = complex.neq %a, %b : complex<f32>
  %2 = complex.eq %n, %n : complex<f32>
  %3 = complex.neq %n, %n : complex<f32>
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// CHECK-LABEL: func.func @rounding_counts
func.func @rounding_counts(%c: complex<f32>, %d: complex<f32>) -> (complex<f32>, complex<f32>) {
  // CHECK-COUNT-2: complex.sub
  %s = complex.add %c, %d : complex<f32>
  %0 = complex.sub %s, %d : complex<f32>
  %t = complex.sub %c, %d : complex<f32>
  %1 = complex.add %t, %d : complex<f32>
  return %0, %1 : complex<f32>, complex<f32>
}

// -0 + 0 is 0.
// CHECK-LABEL: func.func @signs_of_zeros_count
func.func @signs_of_zeros_count(%c: complex<f32>) -> complex<f32> {
  // CHECK: complex.add
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.add %c, %z : complex<f32>
  return %0 : complex<f32>
}

// The logarithm has an angle between -pi and pi.
// CHECK-LABEL: func.func @logarithm_of_power
func.func @logarithm_of_power(%c: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  // CHECK-DAG: %[[SMALL:.*]] = complex.constant [1.000000e+00 : f32, 3.000000e+00 : f32]
  // CHECK-DAG: %[[A:.*]] = complex.log
  // CHECK-DAG: %[[B:.*]] = complex.log
  // CHECK:     return %[[SMALL]], %{{.*}}, %{{.*}}
  %small = complex.constant [1.0 : f32, 3.0 : f32] : complex<f32>
  %turned = complex.constant [1.0 : f32, 10.0 : f32] : complex<f32>
  %e0 = complex.exp %small : complex<f32>
  %e1 = complex.exp %turned : complex<f32>
  %e2 = complex.exp %c : complex<f32>
  %0 = complex.log %e0 : complex<f32>
  %1 = complex.log %e1 : complex<f32>
  %2 = complex.log %e2 : complex<f32>
  return %0, %1, %2 : complex<f32>, complex<f32>, complex<f32>
}
