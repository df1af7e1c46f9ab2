// RUN: dl-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  %t = type
  // expected-error @below {{'pdl.attribute' op expected only one of [`type`, `value`] to be set}}
  %a = attribute : %t = 1 : i32
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.attribute' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = attribute
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.operand' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = operand
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.operands' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = operands
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.type' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = type
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.types' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = types
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.operation' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = operation "test.unused"
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.operation' op expected a bindable user when defined in the matcher body of a `pdl.pattern`}}
  %a = operation "test.unused"
  %b = result 0 of %a
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.apply_native_constraint' op expected at least one argument}}
  "pdl.apply_native_constraint"() <{name = "f"}> : () -> ()
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.apply_native_constraint' op returning an operation from a constraint is not supported}}
  %o = apply_native_constraint "f"(%r : !pdl.operation) : !pdl.operation
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.results' op expected `pdl.range<value>` result type when no index is specified, but got: '!pdl.value'}}
  %v = "pdl.results"(%r) : (!pdl.operation) -> !pdl.value
  rewrite %r with "rewriter"
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.rewrite' op expected rewrite region to be non-empty if external name is not specified}}
  "pdl.rewrite"(%r) <{operandSegmentSizes = array<i32: 1, 0>}> ({}) : (!pdl.operation) -> ()
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.rewrite' op expected no external arguments when the rewrite is specified inline}}
  "pdl.rewrite"(%r, %r) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0:
  }) : (!pdl.operation, !pdl.operation) -> ()
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.rewrite' op expected rewrite region to be empty when rewrite is external}}
  "pdl.rewrite"(%r) <{name = "f", operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0:
  }) : (!pdl.operation) -> ()
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    // expected-error @below {{'pdl.attribute' op expected constant value when specified within a `pdl.rewrite`}}
    %a = attribute
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    // expected-error @below {{'pdl.operation' op must have an operation name when nested within a `pdl.rewrite`}}
    %a = operation
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    // expected-error @below {{'pdl.apply_native_rewrite' op expected at least one argument or result}}
    "pdl.apply_native_rewrite"() <{name = "f"}> : () -> ()
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    %t = type
    // expected-error @below {{'pdl.operation' op must have inferable or constrained result types when nested within `pdl.rewrite`}}
    // expected-note @below {{result type #0 was not constrained}}
    %n = operation "builtin.unrealized_conversion_cast" -> (%t : !pdl.type)
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    // expected-error @below {{'pdl.operation' op must have inferable or constrained result types when nested within `pdl.rewrite`}}
    // expected-note @below {{operation is created in a non-inferrable context, but 'func.constant' does not implement InferTypeOpInterface}}
    %n = operation "func.constant"
  }
}
func.func private @f()

// -----

pdl.pattern : benefit(1) {
  %x = operand
  %t = type
  %o = operation "test.b"(%x : !pdl.value) -> (%t : !pdl.type)
  rewrite %o {
    // expected-error @below {{'pdl.range' op expected operand to have element type '!pdl.value', but got '!pdl.type'}}
    %a = range %x, %t : !pdl.value, !pdl.type
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  rewrite %r {
    %n = operation "test.new"
    %v = result 0 of %n
    // expected-error @below {{'pdl.replace' op expected no replacement values to be provided when the replacement operation is present}}
    "pdl.replace"(%r, %n, %v) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!pdl.operation, !pdl.operation, !pdl.value) -> ()
  }
}

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.operation' op expected the same number of attribute values and attribute names, got 1 names and 0 values}}
  "pdl.operation"() <{attributeValueNames = ["a"], operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> (!pdl.operation)
  rewrite %r with "rewriter"
}

// -----

// expected-error @below {{'pdl.pattern' op the operations must form a connected component}}
pdl.pattern : benefit(1) {
  %r = operation "test.root"
  %o = operation "test.apart"
  // expected-note @below {{see a disconnected value / operation here}}
  %v = result 0 of %o
  rewrite %r with "f"(%v : !pdl.value)
}

// -----

// expected-error @below {{'pdl.pattern' op the pattern must contain at least one `pdl.operation`}}
pdl.pattern : benefit(1) {
  rewrite with "f"
}

// -----

// expected-error @below {{'pdl.pattern' op expected only `pdl` operations within the pattern body}}
pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-note @below {{see non-`pdl` operation defined here}}
  "test.stranger"() : () -> ()
  rewrite %r with "rewriter"
}

// -----

// expected-error @below {{element of pdl.range cannot be another range, but got'!pdl.range<value>'}}
func.func private @f(!pdl.range<range<value>>)

// -----

pdl.pattern : benefit(1) {
  %r = operation "test.root"
  // expected-error @below {{'pdl.rewrite' op expected rewrite region to be non-empty if external name is not specified}}
  rewrite %r {
  }
}

// -----

// What uses a type need not have the result that it should have.
pdl.pattern @no_result : benefit(1) {
  %0 = pdl.operation "any.op"
  // expected-error @below {{requires one result}}
  "pdl.result"(%0) <{index = 0 : i32}> : (!pdl.operation) -> ()
  pdl.rewrite %0 with "rewriter"
}

// -----

pdl.pattern @no_rewrite : benefit(1) {
  %0 = pdl.operation "any.op"
  // expected-error @below {{expected rewrite region to be non-empty if external name is not specified}}
  pdl.rewrite %0 {
  }
}
