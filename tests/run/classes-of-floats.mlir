// What kind of number a float is; the list of IEEE 754.

// RUN: dl-run %s --backend=%{back-end} --input=[0,-0.0,1,-1e-40,inf,-inf,nan] | FileCheck %s
//      CHECK: int8 [7]
// CHECK-NEXT: [0 0 0 0 1 1 0]
// CHECK-NEXT: int8 [7]
// CHECK-NEXT: [0 0 1 0 0 0 0]
// CHECK-NEXT: int8 [7]
// CHECK-NEXT: [1 1 1 1 0 0 0]
// CHECK-NEXT: int8 [7]
// CHECK-NEXT: [0 0 0 0 0 0 1]

func.func @main(%x: tensor<7xf32>) -> (tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>) {
  %inf = math.isinf %x : tensor<7xf32>
  %normal = math.isnormal %x : tensor<7xf32>
  %finite = math.isfinite %x : tensor<7xf32>
  %nan = math.isnan %x : tensor<7xf32>
  %0 = arith.extui %inf : tensor<7xi1> to tensor<7xi8>
  %1 = arith.extui %normal : tensor<7xi1> to tensor<7xi8>
  %2 = arith.extui %finite : tensor<7xi1> to tensor<7xi8>
  %3 = arith.extui %nan : tensor<7xi1> to tensor<7xi8>
  return %0, %1, %2, %3 : tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>
}
