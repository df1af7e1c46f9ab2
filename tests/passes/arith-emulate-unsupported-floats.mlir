// RUN: dl-opt %s --arith-emulate-unsupported-floats="source-types=f8E5M2 target-type=f32" | FileCheck %s

// Casts by a scale are between a narrow and a wide type, as those without one: they stay.
// CHECK-LABEL: func.func @scaled(
//  CHECK-NEXT:   arith.scaling_truncf {{.*}} : tensor<2xf32>, tensor<2xf32> to tensor<2xf8E5M2>
//  CHECK-NEXT:   arith.scaling_extf {{.*}} : tensor<2xf8E5M2>, tensor<2xf8E5M2> to tensor<2xf32>
func.func @scaled(%a: tensor<2xf32>, %b: tensor<2xf8E5M2>) -> (tensor<2xf8E5M2>, tensor<2xf32>) {
  %0 = arith.scaling_truncf %a, %a : tensor<2xf32>, tensor<2xf32> to tensor<2xf8E5M2>
  %1 = arith.scaling_extf %b, %b : tensor<2xf8E5M2>, tensor<2xf8E5M2> to tensor<2xf32>
  return %0, %1 : tensor<2xf8E5M2>, tensor<2xf32>
}
