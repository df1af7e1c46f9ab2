// RUN: dl-opt %s --linalg-specialize-generic-ops --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Operands of a difference in the other order change places.
// CHECK-LABEL: func.func @difference
//  CHECK-SAME:   (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>, %[[O:.*]]: tensor<?x4xf32>)
// CHECK: linalg.sub ins(%[[B]], %[[A]] : tensor<?x4xf32>, tensor<?x4xf32>) outs(%[[O]]
func.func @difference(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %d = arith.subf %y, %x : f32
    linalg.yield %d : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// A sum with the old contents is no sum of the inputs.
// CHECK-LABEL: func.func @accumulates
// CHECK: linalg.generic
func.func @accumulates(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %d = arith.addf %x, %z : f32
    linalg.yield %d : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs_t = affine_map<(d0, d1, d2) -> (d2, d0)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>

// The left operand is transposed, and the maps say so.
// CHECK-LABEL: func.func @transposed_left
// CHECK: linalg.matmul indexing_maps = [#[[$T]],
func.func @transposed_left(%a: tensor<8x4xf32>, %b: tensor<8x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {indexing_maps = [#lhs_t, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x4xf32>, tensor<8x5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Elements that are extended without their sign are so by the named operation too.
// CHECK-LABEL: func.func @unsigned_elements
// CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
func.func @unsigned_elements(%a: tensor<4x8xi8>, %b: tensor<8x5xi8>, %o: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xi8>, tensor<8x5xi8>) outs(%o : tensor<4x5xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}

// One operand is extended with its sign and the other without: no named operation does that.
// CHECK-LABEL: func.func @mixed_signs
// CHECK: linalg.generic
func.func @mixed_signs(%a: tensor<4x8xi8>, %b: tensor<8x5xi8>, %o: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xi8>, tensor<8x5xi8>) outs(%o : tensor<4x5xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}

// -----

#window = affine_map<(d0, d1) -> (d0 * 2 + d1)>
#kernel = affine_map<(d0, d1) -> (d1)>
#result = affine_map<(d0, d1) -> (d0)>

// The named operation for this has no stride.
// CHECK-LABEL: func.func @strided_conv_1d
// CHECK: linalg.generic
func.func @strided_conv_1d(%x: tensor<9xf32>, %k: tensor<3xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#window, #kernel, #result], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<9xf32>, tensor<3xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#diagonal = affine_map<(d0) -> (d0, d0)>

// Only the diagonal is written: that is no fill.
// CHECK-LABEL: func.func @fill_of_diagonal
// CHECK: linalg.generic
func.func @fill_of_diagonal(%o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#diagonal], iterator_types = ["parallel"]} outs(%o : tensor<4x4xf32>) {
  ^bb0(%c: f32):
    linalg.yield %zero : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
