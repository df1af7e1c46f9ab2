// RUN: dl-opt %s --reify-result-shapes | FileCheck %s

// CHECK-LABEL: func.func @padded_to_eight
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: tensor<?xf32> to tensor<8xf32>
// CHECK: tensor.cast %[[P]] : tensor<8xf32> to tensor<?xf32>
func.func @padded_to_eight(%t: tensor<?xf32>, %n: index, %cst: f32) -> tensor<?xf32> {
  %s = tensor.extract_slice %t[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %m = affine.apply affine_map<(d0) -> (8 - d0)>(%n)
  %p = tensor.pad %s low[0] high[%m] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// CHECK-LABEL: func.func @padded_by_one
// CHECK: tensor<?xf32> to tensor<?xf32>
// CHECK-NOT: tensor.cast
func.func @padded_by_one(%t: tensor<?xf32>, %cst: f32) -> tensor<?xf32> {
  %p = tensor.pad %t low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
