// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --mlir-print-op-generic | FileCheck %s
// RUN: not dl-opt %s --split-input-file 2>&1 | FileCheck %s --check-prefix=REFUSED

// Dialects that are known in part: what they do not define is as if it were of an unregistered dialect.

// REFUSED: unregistered operation 'transform.test_other_extension' found in dialect ('transform') that does not allow unknown operations
// CHECK-LABEL: sym_name = "sequence"
// CHECK: "transform.test_other_extension"(%arg0) {level = 2 : i32} : (!transform.any_op) -> !transform.other_handle<"x">
"builtin.module"() ({
  "transform.named_sequence"() <{function_type = (!transform.any_op) -> (), sym_name = "sequence"}> ({
  ^bb0(%arg0: !transform.any_op):
    %0 = "transform.test_other_extension"(%arg0) {level = 2 : i32} : (!transform.any_op) -> !transform.other_handle<"x">
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()

// -----

// REFUSED: dialect 'test' provides no attribute parsing hook
// REFUSED: unknown type `pair` in dialect `test`
// CHECK: "test.any"() {list = #test.of<[1, 2]>}
// CHECK: "test.any"() : () -> !test.pair<i32, memref<2xf32>>
"test.any"() {list = #test.of<[1, 2]>} : () -> ()
%0 = "test.any"() : () -> !test.pair<i32, memref<2xf32>>

// -----

// REFUSED: unregistered operation 'sparse_tensor.values' found in dialect ('sparse_tensor') that does not allow unknown operations
// CHECK: "sparse_tensor.values"(%{{.*}}) : (tensor<4xf32, #{{.*}}>) -> memref<?xf32>
%0 = "builtin.unrealized_conversion_cast"() : () -> tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>
%1 = "sparse_tensor.values"(%0) : (tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>) -> memref<?xf32>

// -----

// A dialect that is known as a whole has nothing else, whatever is allowed.

// REFUSED: unregistered operation 'arith.addq' found in dialect ('arith') that does not allow unknown operations
// expected-error @below {{unregistered operation 'arith.addq' found in dialect ('arith') that does not allow unknown operations}}
// expected-note @below {{did you mean 'arith.addf'?}}
"arith.addq"() : () -> ()

// -----

// expected-error @below {{dialect 'func' provides no type parsing hook}}
%0 = "test.any"() : () -> !func.thing
