// What log1p and expm1 of f64 make of small numbers keeps all digits, and zeros their sign. The expected values are NumPy's.

// RUN: dl-run %s --input='[1e-10, -1e-10, -0.0, 1e-300, 0.5, -1.0]' | FileCheck %s
// RUN: dl-run %s --input='[1e-10, -1e-10, -0.0, 1e-300, 0.5, -1.0]' --backend=cranelift | FileCheck %s

//      CHECK: float64 [6]
// CHECK-NEXT: [ 1.00000000e-010 -1.00000000e-010 -0.00000000e+000  1.00000000e-300
// CHECK-NEXT: 4.05465108e-001 -inf]
//      CHECK: float64 [6]
// CHECK-NEXT: [ 1.00000000e-010 -1.00000000e-010 -0.00000000e+000  1.00000000e-300
// CHECK-NEXT: 6.48721271e-001 -6.32120559e-001]
func.func @main(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %0 = math.log1p %x : tensor<?xf64>
  %1 = math.expm1 %x : tensor<?xf64>
  return %0, %1 : tensor<?xf64>, tensor<?xf64>
}
