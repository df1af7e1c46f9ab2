// RUN: dl-opt %s --linalg-decompose-pads --split-input-file | FileCheck %s
// RUN: dl-opt %s --linalg-decompose-pads --eliminate-empty-tensors --split-input-file | FileCheck %s --check-prefix=PLACE

// Two rows before, one column before and three behind. The columns are those of the rows that the source has: no element is filled twice. All of it
// is there before the source is computed, and so that is computed in its place.
// CHECK-LABEL: func @border
//  CHECK-SAME: (%[[X:.*]]: tensor<4x5xf32>)
//   CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
//       CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<6x9xf32>
//       CHECK: %[[ROWS:.*]] = linalg.fill ins(%[[ONE]] : f32) outs(%{{.*}} : tensor<2x9xf32>) -> tensor<2x9xf32>
//       CHECK: %[[A:.*]] = tensor.insert_slice %[[ROWS]] into %[[WHOLE]][0, 0] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<6x9xf32>
//       CHECK: %[[LEFT:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x1xf32>) -> tensor<4x1xf32>
//       CHECK: %[[B:.*]] = tensor.insert_slice %[[LEFT]] into %[[A]][2, 0] [4, 1] [1, 1]
//       CHECK: %[[RIGHT:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x3xf32>) -> tensor<4x3xf32>
//       CHECK: %[[C:.*]] = tensor.insert_slice %[[RIGHT]] into %[[B]][2, 6] [4, 3] [1, 1]
//       CHECK: %[[Y:.*]] = linalg.exp
//       CHECK: %[[P:.*]] = tensor.insert_slice %[[Y]] into %[[C]][2, 1] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<6x9xf32>
//       CHECK: return %[[P]]
// PLACE-LABEL: func @border
//       PLACE: %[[MIDDLE:.*]] = tensor.extract_slice %[[DEST:.*]][2, 1] [4, 5] [1, 1] : tensor<6x9xf32> to tensor<4x5xf32>
//       PLACE: %[[Y:.*]] = linalg.exp ins(%{{.*}}) outs(%[[MIDDLE]] : tensor<4x5xf32>)
//       PLACE: tensor.insert_slice %[[Y]] into %[[DEST]][2, 1] [4, 5] [1, 1]
func.func @border(%x: tensor<4x5xf32>) -> tensor<6x9xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4x5xf32>
  %y = linalg.exp ins(%x : tensor<4x5xf32>) outs(%empty : tensor<4x5xf32>) -> tensor<4x5xf32>
  %p = tensor.pad %y low[2, 1] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x5xf32> to tensor<6x9xf32>
  return %p : tensor<6x9xf32>
}

// -----

// An argument is inserted too; nothing is filled along a dimension that is not padded.
// CHECK-LABEL: func @argument
//  CHECK-SAME: (%[[X:.*]]: tensor<4x5xi8>)
// CHECK-COUNT-1: linalg.fill
//   CHECK-NOT: linalg.fill
//       CHECK: tensor.insert_slice %[[X]] into %{{.*}}[0, 0] [4, 5] [1, 1] : tensor<4x5xi8> into tensor<4x6xi8>
func.func @argument(%x: tensor<4x5xi8>) -> tensor<4x6xi8> {
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %zero = arith.constant 0 : i8
    tensor.yield %zero : i8
  } : tensor<4x5xi8> to tensor<4x6xi8>
  return %p : tensor<4x6xi8>
}

// -----

// Without elements in the middle everything is border.
// CHECK-LABEL: func @nothing_inside
//       CHECK: %[[ALL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x3xf32>)
//       CHECK: return %[[ALL]]
func.func @nothing_inside(%x: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<0x3xf32> to tensor<2x3xf32>
  return %p : tensor<2x3xf32>
}

// -----

// What is padded by as much as is known only when running stays, and what is padded by something computed.
// CHECK-LABEL: func @left_alone
// CHECK-COUNT-2: tensor.pad
//   CHECK-NOT: linalg.fill
func.func @left_alone(%x: tensor<4xf32>, %n: index, %v: f32) -> (tensor<?xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  %q = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %p, %q : tensor<?xf32>, tensor<5xf32>
}
