// RUN: dl-opt %s --linalg-inline-scalar-operands | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#third = affine_map<(d0) -> (2)>
#none = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @one_element_and_a_number
//  CHECK-SAME:   (%[[X:.*]]: tensor<8xf32>, %[[F:.*]]: tensor<3xf32>, %[[S:.*]]: f32, %[[O:.*]]: tensor<8xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>) outs(%[[O]] : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[E:.*]] = tensor.extract %[[F]][%{{.*}}] : tensor<3xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[E]]
// CHECK: arith.addf %[[P]], %[[S]]
func.func @one_element_and_a_number(%x: tensor<8xf32>, %f: tensor<3xf32>, %s: f32, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #third, #none, #id], iterator_types = ["parallel"]}
      ins(%x, %f, %s : tensor<8xf32>, tensor<3xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @elements_of_every_step
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>)
func.func @elements_of_every_step(%x: tensor<8xf32>, %y: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
