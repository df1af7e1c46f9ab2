// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'transform.sequence' op expects the entry block to have at least one argument}}
transform.sequence failures(propagate) {
}

// -----

// expected-error @below {{'transform.sequence' op expects the first entry block argument to be of type implementing TransformHandleTypeInterface}}
transform.sequence failures(propagate) {
^bb0(%a: i64):
}

// -----

// expected-error @below {{'transform.sequence' op expects trailing entry block arguments to be of type implementing TransformHandleTypeInterface, TransformValueHandleTypeInterface or TransformParamTypeInterface}}
// expected-note @below {{argument #1 does not}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op, %b: i64):
}

// -----

// expected-note @below {{nested in another possible top-level op}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error @below {{'transform.sequence' op expects operands to be provided for a nested op}}
  transform.sequence failures(propagate) {
  ^bb1(%b: !transform.any_op):
  }
}

// -----

// expected-error @below {{'transform.sequence' op expected children ops to implement TransformOpInterface}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-note @below {{op without interface}}
  arith.constant 1 : i32
  transform.yield
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error @below {{'transform.foreach' op expects the same number of targets as the body has block arguments}}
  transform.foreach %a, %a : !transform.any_op, !transform.any_op {
  ^bb1(%b: !transform.any_op):
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error @below {{'transform.foreach' op expects the same number of results as the yield terminator has operands}}
  %0 = transform.foreach %a : !transform.any_op -> !transform.any_op {
  ^bb1(%b: !transform.any_op):
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error @below {{expected the type of the parameter attribute ('i64') to match the parameter type ('i32')}}
  %0 = transform.num_associations %a : (!transform.any_op) -> !transform.param<i32>
}

// -----

// expected-error @below {{'transform.with_pdl_patterns' op expects only pattern and top-level transform ops in its body}}
transform.with_pdl_patterns {
^bb0(%a: !transform.any_op):
  // expected-note @below {{offending op}}
  arith.constant 1 : i32
}

// -----

// expected-error @below {{'transform.with_pdl_patterns' op expects at least one non-pattern op}}
transform.with_pdl_patterns {
^bb0(%a: !transform.any_op):
}

// -----

// expected-error @below {{unknown attribute: "transform.unheard_of"}}
module attributes {transform.unheard_of} {
}

// -----

// expected-error @below {{"transform.with_named_sequence" attribute can only be attached to operations with symbol tables}}
func.func private @f() attributes {transform.with_named_sequence}

// -----

// expected-note @below {{symbol table operation}}
module {
  // expected-error @below {{expects the parent symbol table to have the 'transform.with_named_sequence' attribute}}
  transform.named_sequence @f() {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f() -> !transform.any_op {
    // expected-error @below {{expected terminator to have as many operands as the parent op has results}}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence private @f(!transform.any_op)
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.include' op does not reference a named transform sequence}}
    transform.include @missing failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @g(%a: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {
    // expected-error @below {{incorrect number of operands for callee}}
    transform.include @g failures(propagate) () : () -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%a: !transform.any_op {transform.consumed}) {
    // expected-error @below {{unresolved matcher symbol @missing}}
    transform.foreach_match in %a @missing -> @missing : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @m(%a: !transform.any_op) {
    transform.yield
  }
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected the matcher argument to be marked readonly}}
    transform.collect_matching @m in %a : (!transform.any_op) -> ()
    transform.yield
  }
}


// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
  "transform.named_sequence"() <{arg_attrs = [{transform.consumed}], function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({
  }) : () -> ()
}

// -----

func.func @sizes(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.vectorize' op expected same number of vector sizes (2) and scalable sizes (0)}}
  "transform.structured.vectorize"(%a) <{static_vector_sizes = array<i64: 7, 0>}> : (!transform.any_op) -> ()
  return
}

// -----

func.func @sizes(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.tile_using_for' op expected same number of sizes (1) and scalable sizes (0)}}
  %0:2 = "transform.structured.tile_using_for"(%a) <{static_sizes = array<i64: 4>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}

// -----

func.func @sizes(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.vectorize' op expected as many operands as 'static_vector_sizes' has dynamic sizes (0), but got 1}}
  "transform.structured.vectorize"(%a, %a) <{static_vector_sizes = array<i64: 7, 0>, scalable_sizes = array<i1: false, false>}> : (!transform.any_op, !transform.any_op) -> ()
  return
}

// -----

func.func @sizes(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pack' op expected as many operands as 'static_packed_sizes' has dynamic sizes (1), but got 0}}
  %0 = "transform.structured.pack"(%a) <{static_packed_sizes = array<i64: -9223372036854775808>}> : (!transform.any_op) -> !transform.any_op
  return
}

// -----

// Where a sequence stands is looked at once its attributes are known to be there.
// expected-error @below {{'transform.named_sequence' op requires attribute 'function_type'}}
"transform.named_sequence"() <{sym_name = "a"}> ({
^bb0(%a: !transform.any_op):
  transform.yield
}) : () -> ()

// -----

// What is said of arguments may be said of operations too.
func.func private @effects() attributes {transform.readonly, transform.consumed}

// -----

// expected-error @below {{unknown attribute: "transform.written"}}
func.func private @unknown() attributes {transform.written}

// -----

// expected-error @below {{only supports integer types with width <=64}}
func.func private @param(!transform.param<f32>)

// -----

// expected-error @below {{only supports integer types with width <=64}}
func.func private @param(!transform.param<i128>)

// -----

// expected-error @below {{only supports integer types with width <=64}}
func.func private @param(!transform.param<vector<4xi32>>)

// -----

// expected-error @below {{only supports integer types with width <=64}}
func.func private @param(!transform.param<index>)

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence @matcher(%a: !transform.any_op) -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }
  transform.named_sequence @action(%a: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @main(%a: !transform.any_op {transform.consumed}) {
    %b = transform.foreach_match in %a @matcher -> @action : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @matcher(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }
  // expected-error @below {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence @action(%a: !transform.any_op) {
    transform.yield
  }
  transform.named_sequence @main(%a: !transform.any_op {transform.consumed}) {
    %b = transform.foreach_match in %a @matcher -> @action : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-error @below {{expected string}}
func.func private @type_of_a_word(!transform.op<foo.bar>)
