// Two tensors that a loop carries and both returns: what is returned is not freed, whichever of the buffers it is. Values worked out by hand.

// RUN: dl-run %s --backend=%{back-end} --input=[1,2] --input=[3,0.5] | FileCheck %s
//      CHECK: float32 [2]
// CHECK-NEXT: [108800. {{ *}}818.2617]
// CHECK-NEXT: float32 [2]
// CHECK-NEXT: [1360. {{ *}}62.34375]

func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %a, %c = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = arith.addf %h, %c : tensor<2xf32>
    %1 = arith.mulf %0, %c : tensor<2xf32>
    scf.yield %1, %0 : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
