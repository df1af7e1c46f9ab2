// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op entry block must have 1 arguments to match function signature}}
func.func @unnamed_argument(i32) {
  return
}

// -----

// expected-error @below {{custom op 'func.func' expected SSA identifier}}
func.func @names_for_some(%a: i32, i32) {
  return
}

// -----

func.func @missing_operand(%a: i32) -> i32 {
  // expected-error @below {{'func.return' op has 0 operands, but enclosing function (@missing_operand) returns 1}}
  return
}

// -----

func.func @return_type(%a: i32, %c: f32) -> i32 {
  // expected-error @below {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @return_type}}
  return %c : f32
}

// -----

func.func @unknown_callee(%a: i32) {
  // expected-error @below {{'func.call' op 'nobody' does not reference a valid function}}
  call @nobody(%a) : (i32) -> ()
  return
}

// -----

func.func private @callee(i64) -> i32
func.func @operand_type(%a: i32) -> i32 {
  // expected-error @below {{'func.call' op operand type mismatch: expected operand type 'i64', but provided 'i32' for operand number 0}}
  %c = call @callee(%a) : (i32) -> i32
  return %c : i32
}

// -----

func.func private @callee(i64) -> i32
func.func @operand_count() -> i32 {
  // expected-error @below {{'func.call' op incorrect number of operands for callee}}
  %c = call @callee() : () -> i32
  return %c : i32
}

// -----

func.func private @callee(i64) -> i32
func.func @result_type(%a: i64) -> f32 {
  // expected-error @below {{'func.call' op result type mismatch at index 0}}
  // expected-note @below {{op result types: 'f32'}}
  // expected-note @below {{function result types: 'i32'}}
  %c = call @callee(%a) : (i64) -> f32
  return %c : f32
}

// -----

func.func private @callee(i64) -> i32
func.func @result_count(%a: i64) {
  // expected-error @below {{'func.call' op incorrect number of results for callee}}
  call @callee(%a) : (i64) -> ()
  return
}

// -----

func.func private @target(i64) -> i32
func.func @constant_type() {
  // expected-error @below {{'func.constant' op reference to function with mismatched type}}
  %c = func.constant @target : () -> ()
  return
}

// -----

func.func @constant_of_nothing() {
  // expected-error @below {{'func.constant' op reference to undefined function 'nothing'}}
  %c = func.constant @nothing : () -> ()
  return
}

// -----

// expected-error @below {{custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @inferred_attribute(%a: i64) attributes {sym_name = "x"} {
  return
}

// -----

// expected-error @below {{'func.func' op symbol declaration cannot have public visibility}}
func.func @public_declaration(i64)

// -----

// expected-error @below {{custom op 'func.func' expected non-empty function body}}
func.func private @empty_body() -> i32 {}

// -----

// expected-error @below {{'func.func' op arguments may only have dialect attributes}}
func.func @undotted_attribute(%x: i32 {a = 1 : i32}) {
  return
}

// -----

// expected-error @below {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{function_type = (i32) -> (), sym_name = "a"}> ({
^bb0(%a: i64):
  func.return
}) : () -> ()

// -----

// expected-error @below {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{function_type = (i32) -> (), sym_name = "a"}> ({
^bb0(%a: i32, %b: i32):
  func.return
}) : () -> ()

// -----

// expected-error @below {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
"func.func"() <{function_type = (i32) -> (), sym_name = "a", sym_visibility = "private", arg_attrs = [{}, {}]}> ({
}) : () -> ()

// -----

// expected-error @below {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "a", sym_visibility = "private"}> ({
}) : () -> ()

// -----

func.func @indirect(%f: (i32) -> i32, %a: i1) {
  // expected-error @below {{'func.call_indirect' op failed to verify that callee input types match argument types}}
  %0 = "func.call_indirect"(%f, %a) : ((i32) -> i32, i1) -> i32
  return
}

// -----

func.func @indirect_result(%f: (i32) -> i32, %a: i32) {
  // expected-error @below {{'func.call_indirect' op failed to verify that callee result types match result types}}
  "func.call_indirect"(%f, %a) : ((i32) -> i32, i32) -> ()
  return
}

// -----

// expected-error @below {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "x"}}
"func.func"() <{function_type = () -> (), sym_name = "visible", sym_visibility = "x"}> ({}) : () -> ()

// -----

// expected-error @below {{'func.func' op unsupported: a symbol name that is not UTF-8}}
"func.func"() <{function_type = () -> (), sym_name = "\AA", sym_visibility = "private"}> ({}) : () -> ()
