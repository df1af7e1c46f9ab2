// RUN: dl-opt %s --convert-complex-to-libm | FileCheck %s

// CHECK-DAG: func.func private @cpow(complex<f64>, complex<f64>) -> complex<f64>
// CHECK-DAG: func.func private @cabsf(complex<f32>) -> f32

// CHECK-LABEL: func.func @calls
//  CHECK-SAME:   (%[[X:.*]]: complex<f64>, %[[Y:.*]]: complex<f32>)
// CHECK: call @cpow(%[[X]], %[[X]])
// CHECK: call @cabsf(%[[Y]])
func.func @calls(%x: complex<f64>, %y: complex<f32>) -> (complex<f64>, f32) {
  %0 = complex.pow %x, %x : complex<f64>
  %1 = complex.abs %y : complex<f32>
  return %0, %1 : complex<f64>, f32
}
