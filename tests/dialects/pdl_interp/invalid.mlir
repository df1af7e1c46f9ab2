// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @not_inferred() {
  // expected-error @below {{'pdl_interp.create_operation' op has inferred results, but the created operation 'test.a' does not support result type inference (or is not registered)}}
  %0 = pdl_interp.create_operation "test.a" -> <inferred>
  pdl_interp.finalize
}

// -----

func.func @inferred_and_given(%t: !pdl.type) {
  // expected-error @below {{'pdl_interp.create_operation' op with inferred results cannot also have explicit result types}}
  %0 = "pdl_interp.create_operation"(%t) <{inferredResultTypes, inputAttributeNames = [], name = "test.a", operandSegmentSizes = array<i32: 0, 0, 1>}> : (!pdl.type) -> !pdl.operation
  pdl_interp.finalize
}

// -----

func.func @mixed_range(%t: !pdl.type, %v: !pdl.value) {
  // expected-error @below {{'pdl_interp.create_range' op expected operand to have element type '!pdl.type', but got '!pdl.value'}}
  %0 = pdl_interp.create_range %t, %v : !pdl.type, !pdl.value
  pdl_interp.finalize
}

// -----

func.func @loop_variable(%ops: !pdl.range<operation>) {
  // expected-error @below {{'pdl_interp.foreach' op operand must be a range of loop variable type}}
  "pdl_interp.foreach"(%ops) [^end] ({
  ^bb0(%v: !pdl.value):
    pdl_interp.continue
  }) : (!pdl.range<operation>) -> ()
^end:
  pdl_interp.finalize
}

// -----

func.func @number_of_cases(%t: !pdl.type) {
  // expected-error @below {{'pdl_interp.switch_type' op expected number of cases to match the number of case values, got 1 but expected 2}}
  pdl_interp.switch_type %t to [i32, f32](^end) -> ^end
^end:
  pdl_interp.finalize
}

// -----

func.func @number_of_counts(%op: !pdl.operation) {
  // expected-error @below {{'pdl_interp.switch_result_count' op expected number of cases to match the number of case values, got 1 but expected 2}}
  pdl_interp.switch_result_count of %op to dense<[1, 2]> : vector<2xi32>(^end) -> ^end
^end:
  pdl_interp.finalize
}

// -----

func.func @continue_outside() {
  // expected-error @below {{'pdl_interp.continue' op expects parent op 'pdl_interp.foreach'}}
  pdl_interp.continue
}

// -----

func.func @name_without_value() {
  // expected-error @below {{'pdl_interp.create_operation' op has names for 1 attributes, but values for 0}}
  %0 = "pdl_interp.create_operation"() <{inputAttributeNames = ["a"], name = "arith.constant", operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> !pdl.operation
  return
}

// -----

func.func @more_values_than_names(%a: !pdl.attribute) {
  // expected-error @below {{'pdl_interp.create_operation' op has names for 0 attributes, but values for 2}}
  %0 = "pdl_interp.create_operation"(%a, %a) <{inputAttributeNames = [], name = "foo.op", operandSegmentSizes = array<i32: 0, 2, 0>}> : (!pdl.attribute, !pdl.attribute) -> !pdl.operation
  return
}
