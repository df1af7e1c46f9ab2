// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @folds
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: i32)
//  CHECK-NEXT:   %[[C:.*]] = arith.constant 42 : i32
//  CHECK-NEXT:   return %[[X]], %[[X]], %[[Y]], %[[C]]
func.func @folds(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %0 = "test.op_with_region_fold"(%x) ({
    "test.op_with_region_terminator"() : () -> ()
  }) : (i32) -> i32
  %1:2 = "test.op_with_variadic_results_and_folder"(%x, %y) : (i32, i32) -> (i32, i32)
  %2 = "test.dialect_canonicalizable"() : () -> i32
  "test.op_with_region_pattern"() ({
    "test.op_with_region_terminator"() : () -> ()
  }) : () -> ()
  %3 = "test.test_effects_result"() : () -> i32
  return %0, %1#0, %1#1, %2 : i32, i32, i32, i32
}

// -----

// Nothing is known of operations that are not defined.
// CHECK-LABEL: func.func @unknown
//       CHECK:   "test.something"
func.func @unknown() {
  %0 = "test.something"() : () -> i32
  return
}

// -----

// A tensor that was cast is used as it was by whatever writes to its outputs, also where other results follow.
// CHECK-LABEL: func.func @destination
//  CHECK-SAME:   (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>)
//  CHECK-NEXT:   %[[R:.*]]:2 = test.destination_style_op ins(%[[A]] : tensor<2xf32>) outs(%[[B]] : tensor<2xf32>) -> tensor<2xf32>, index
//  CHECK-NEXT:   %[[C:.*]] = tensor.cast %[[R]]#0 : tensor<2xf32> to tensor<?xf32>
//  CHECK-NEXT:   return %[[C]], %[[R]]#1
func.func @destination(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<?xf32>, index) {
  %0 = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %1 = tensor.cast %b : tensor<2xf32> to tensor<?xf32>
  %2:2 = test.destination_style_op ins(%0 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>, index
  return %2#0, %2#1 : tensor<?xf32>, index
}

// -----

// Constants are kept inside of this operation.
// CHECK-LABEL: func.func @keeps_constants
//  CHECK-NEXT:   "test.one_region_op"() ({
//  CHECK-NEXT:     arith.constant 2 : i32
func.func @keeps_constants() {
  "test.one_region_op"() ({
    %0 = arith.constant 1 : i32
    %1 = arith.addi %0, %0 : i32
    "test.use"(%1) : (i32) -> ()
  }) : () -> ()
  return
}
