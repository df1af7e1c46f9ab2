// RUN: dl-opt %s --transform-interpreter --split-input-file | FileCheck %s

// A sum of products whose operands are transposed and repeated is one contraction of what they are made of.
// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @contraction
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: vector<4x2xf32>, %[[Y:[a-z0-9]+]]: vector<3x4xf32>, %[[Z:[a-z0-9]+]]: vector<2x3xf32>)
// CHECK: %[[R:.*]] = vector.contract {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[X]], %[[Y]], %[[Z]]
// CHECK: return %[[R]]
func.func @contraction(%x: vector<4x2xf32>, %y: vector<3x4xf32>, %z: vector<2x3xf32>) -> vector<2x3xf32> {
  %a = vector.broadcast %x : vector<4x2xf32> to vector<3x4x2xf32>
  %b = vector.transpose %a, [2, 0, 1] : vector<3x4x2xf32> to vector<2x3x4xf32>
  %c = vector.broadcast %y : vector<3x4xf32> to vector<2x3x4xf32>
  %p = arith.mulf %b, %c : vector<2x3x4xf32>
  %r = vector.multi_reduction <add>, %p, %z [2] : vector<2x3x4xf32> to vector<2x3xf32>
  return %r : vector<2x3xf32>
}

// A product of another kind of reduction stays.
// CHECK-LABEL: func.func @no_sum
// CHECK: vector.multi_reduction <maximumf>
func.func @no_sum(%x: vector<2x4xf32>, %y: vector<2x4xf32>, %z: vector<2xf32>) -> vector<2xf32> {
  %p = arith.mulf %x, %y : vector<2x4xf32>
  %r = vector.multi_reduction <maximumf>, %p, %z [1] : vector<2x4xf32> to vector<2xf32>
  return %r : vector<2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.reduction_to_contract
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @broadcasts
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK: vector.broadcast %[[S]] : f32 to vector<4xf32>
func.func @broadcasts(%x: f32, %y: f32) -> vector<4xf32> {
  %a = vector.broadcast %x : f32 to vector<4xf32>
  %b = vector.broadcast %y : f32 to vector<4xf32>
  %s = arith.addf %a, %b : vector<4xf32>
  return %s : vector<4xf32>
}

// CHECK-LABEL: func.func @transposes
//  CHECK-SAME:   (%[[X:.*]]: vector<2x3xf32>, %[[Y:.*]]: vector<2x3xf32>)
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<2x3xf32>
// CHECK: vector.transpose %[[S]], [1, 0]
func.func @transposes(%x: vector<2x3xf32>, %y: vector<2x3xf32>) -> vector<3x2xf32> {
  %a = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %b = vector.transpose %y, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %s = arith.addf %a, %b : vector<3x2xf32>
  return %s : vector<3x2xf32>
}

// CHECK-LABEL: func.func @element
//  CHECK-SAME:   (%[[X:.*]]: vector<4xf32>, %[[Y:.*]]: vector<4xf32>)
// CHECK: %[[A:.*]] = vector.extract %[[X]][1]
// CHECK: %[[B:.*]] = vector.extract %[[Y]][1]
// CHECK: arith.addf %[[A]], %[[B]] : f32
func.func @element(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
  %s = arith.addf %x, %y : vector<4xf32>
  %e = vector.extract %s[1] : f32 from vector<4xf32>
  return %e : f32
}

// One of the operands is a vector of its own.
// CHECK-LABEL: func.func @one_broadcast
// CHECK: vector.broadcast
// CHECK: arith.addf {{.*}} : vector<4xf32>
func.func @one_broadcast(%x: f32, %y: vector<4xf32>) -> vector<4xf32> {
  %a = vector.broadcast %x : f32 to vector<4xf32>
  %s = arith.addf %a, %y : vector<4xf32>
  return %s : vector<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.sink_ops
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @read_of_padded
//  CHECK-SAME:   (%[[A:.*]]: tensor<?xf32>
// CHECK: %[[PAD:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: vector.transfer_read %[[A]][{{.*}}], %[[PAD]] : tensor<?xf32>, vector<8xf32>
func.func @read_of_padded(%a: tensor<?xf32>, %n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 2.0 : f32
  %other = arith.constant 3.0 : f32
  %p = tensor.pad %a low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<8xf32>
  %v = vector.transfer_read %p[%c0], %other {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}

// What is padded before moves.
// CHECK-LABEL: func.func @read_of_padded_before
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: vector.transfer_read %[[P]]
func.func @read_of_padded_before(%a: tensor<?xf32>, %n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 2.0 : f32
  %p = tensor.pad %a low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<8xf32>
  %v = vector.transfer_read %p[%c0], %cst {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.pad_vectorization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @padded
// CHECK: %[[E:.*]] = tensor.empty() : tensor<6xf32>
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK: tensor.insert_slice {{.*}} into %[[F]][1] [4] [1]
func.func @padded(%a: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.yield
  }
}
