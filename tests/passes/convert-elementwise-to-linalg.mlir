// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(convert-elementwise-to-linalg))' | FileCheck %s

// The first operand of the type of the result is its init; attributes stay.
// CHECK-LABEL: func.func @fast_sum
//  CHECK-SAME:   (%[[A:.*]]: tensor<?x2xf32>, %[[B:.*]]: tensor<?x2xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[A]], %[[B]] : tensor<?x2xf32>, tensor<?x2xf32>) outs(%[[A]] : tensor<?x2xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] fastmath<nnan> : f32
// CHECK-NEXT: linalg.yield %[[S]]
func.func @fast_sum(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = arith.addf %a, %b fastmath<nnan> : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// Another element type needs a new tensor.
// CHECK-LABEL: func.func @compare
//  CHECK-SAME:   (%[[A:[^:]*]]: tensor<3x?xi32>
// CHECK: %[[D:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[E:.*]] = tensor.empty(%[[D]]) : tensor<3x?xi1>
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[E]] : tensor<3x?xi1>)
func.func @compare(%a: tensor<3x?xi32>, %b: tensor<3x?xi32>) -> tensor<3x?xi1> {
  %r = arith.cmpi slt, %a, %b : tensor<3x?xi32>
  return %r : tensor<3x?xi1>
}

// A condition for all elements is a scalar operand.
// CHECK-LABEL: func.func @choose
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}}, %{{.*}} : i1, tensor<4xf32>, tensor<4xf32>)
func.func @choose(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.select %c, %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @others_stay
// CHECK-NEXT: arith.addf %{{.*}} : vector<4xf32>
// CHECK-NEXT: arith.addf %{{.*}} : tensor<*xf32>
// CHECK-NOT: linalg
func.func @others_stay(%a: vector<4xf32>, %b: tensor<*xf32>) -> (vector<4xf32>, tensor<*xf32>) {
  %r = arith.addf %a, %a : vector<4xf32>
  %s = arith.addf %b, %b : tensor<*xf32>
  return %r, %s : vector<4xf32>, tensor<*xf32>
}
