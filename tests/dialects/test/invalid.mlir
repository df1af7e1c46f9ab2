// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{invalid to use 'test.invalid_attr'}}
func.func @argument(%x: i64 {test.invalid_attr}) {
  return
}

// -----

func.func @lists(%t: tensor<f32>, %x: f32) {
  // expected-error @below {{'test.mixed_normal_variadic_operand' op operand #3 must be variadic of tensor of any type values, but got 'f32'}}
  "test.mixed_normal_variadic_operand"(%t, %t, %t, %x, %t) : (tensor<f32>, tensor<f32>, tensor<f32>, f32, tensor<f32>) -> ()
  return
}

// -----

// expected-error @below {{custom op 'test.variadic_args_types_split' number of operands and types do not match: got 0 operands and 1 types}}
test.variadic_args_types_split "name" : i32

// -----

// expected-error @below {{'test.symbol_with_result' op symbols must not have results}}
%0 = "test.symbol_with_result"() <{sym_name = "name"}> : () -> i32

// -----

// expected-error @below {{custom op 'test.parse_custom_operation_name_api' expected bare identifier or keyword}}
test.parse_custom_operation_name_api(@name)

// -----

// expected-error @below {{custom op 'builtin.nothing' is unknown}}
test.parse_custom_operation_name_api(builtin.nothing)

// -----

func.func private @elements(memref<2x!test.memref_element>, tensor<2x!test.memref_element>)
// expected-error @below {{failed to verify 'elementType': VectorElementTypeInterface instance}}
func.func private @vector(vector<2x!test.memref_element>)

// -----

// expected-error @below {{invalid memref element type}}
func.func private @pointers(vector<2x!llvm.ptr>, memref<2x!llvm.ptr>)
