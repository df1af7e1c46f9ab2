// RUN: dl-opt %s --convert-tensor-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @border_of_one_value
//  CHECK-SAME:   (%[[X:.*]]: tensor<3x?xf32>, %[[V:.*]]: f32, %[[N:.*]]: index)
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<6x?xf32>
// CHECK: %[[F:.*]] = linalg.fill ins(%[[V]] : f32) outs(%[[E]] : tensor<6x?xf32>)
// CHECK: tensor.insert_slice %[[X]] into %[[F]][1, %[[N]]] [3, %{{.*}}] [1, 1] : tensor<3x?xf32> into tensor<6x?xf32>
func.func @border_of_one_value(%x: tensor<3x?xf32>, %v: f32, %n: index) -> tensor<6x?xf32> {
  %r = tensor.pad %x low[1, %n] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x?xf32> to tensor<6x?xf32>
  return %r : tensor<6x?xf32>
}

// A border that is computed by position is made by tensor.generate.
// CHECK-LABEL: func.func @computed_border
// CHECK: %[[G:.*]] = tensor.generate
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK: tensor.yield %[[I]] : index
// CHECK: tensor.insert_slice %{{.*}} into %[[G]][1] [3] [1]
func.func @computed_border(%x: tensor<3xindex>) -> tensor<5xindex> {
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<3xindex> to tensor<5xindex>
  return %r : tensor<5xindex>
}
