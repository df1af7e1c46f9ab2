// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @size_that_may_be_an_error(%a: !shape.size, %b: index) {
  // expected-error @below {{'shape.div' op if at least one of the operands can hold error values then the result must be of type `size` to propagate them}}
  %0 = shape.div %a, %b : !shape.size, index -> index
  return
}

// -----

func.func @shape_that_may_be_an_error(%a: !shape.shape, %b: tensor<?xindex>) {
  // expected-error @below {{'shape.broadcast' op if at least one of the operands can hold error values then the result must be of type `shape` to propagate them}}
  %0 = shape.broadcast %a, %b : !shape.shape, tensor<?xindex> -> tensor<?xindex>
  return
}

// -----

func.func @one_shape(%a: !shape.shape) {
  // expected-error @below {{'shape.cstr_broadcastable' op required at least 2 input shapes}}
  %0 = shape.cstr_broadcastable %a : !shape.shape
  return
}

// -----

func.func @no_witness() {
  // expected-error @below {{'shape.assuming_all' op no operands specified}}
  %0 = shape.assuming_all
  return
}

// -----

func.func @arguments(%a: !shape.shape, %s: !shape.size) {
  // expected-error @below {{'shape.reduce' op ReduceOp body is expected to have 3 arguments}}
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: index, %extent: !shape.size):
    shape.yield %extent : !shape.size
  }
  return
}

// -----

func.func @argument_0(%a: !shape.shape, %s: !shape.size) {
  // expected-error @below {{'shape.reduce' op argument 0 of ReduceOp body is expected to be of IndexType}}
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: i32, %extent: !shape.size, %so_far: !shape.size):
    shape.yield %extent : !shape.size
  }
  return
}

// -----

func.func @extent_of_shape(%a: !shape.shape, %s: !shape.size) {
  // expected-error @below {{'shape.reduce' op argument 1 of ReduceOp body is expected to be of SizeType if the ReduceOp operates on a ShapeType}}
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: index, %extent: index, %so_far: !shape.size):
    shape.yield %so_far : !shape.size
  }
  return
}

// -----

func.func @extent_of_tensor(%a: tensor<3xindex>, %s: !shape.size) {
  // expected-error @below {{'shape.reduce' op argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates on an extent tensor}}
  %0 = shape.reduce(%a, %s) : tensor<3xindex> -> !shape.size {
  ^bb0(%at: index, %extent: !shape.size, %so_far: !shape.size):
    shape.yield %so_far : !shape.size
  }
  return
}

// -----

func.func @initial_value(%a: !shape.shape, %s: !shape.size, %i: index) {
  // expected-error @below {{'shape.reduce' op type mismatch between argument 3 of ReduceOp body and initial value 1}}
  %0:2 = shape.reduce(%a, %s, %i) : !shape.shape -> (!shape.size, index) {
  ^bb0(%at: index, %extent: !shape.size, %x: !shape.size, %y: i32):
    shape.yield %x, %at : !shape.size, index
  }
  return
}

// -----

func.func @number_of_yielded(%a: !shape.shape, %s: !shape.size) {
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: index, %extent: !shape.size, %so_far: !shape.size):
    // expected-error @below {{'shape.yield' op number of operands does not match number of results of its parent}}
    shape.yield
  }
  return
}

// -----

func.func @type_of_yielded(%a: !shape.shape, %s: !shape.size) {
  %0 = shape.reduce(%a, %s) : !shape.shape -> !shape.size {
  ^bb0(%at: index, %extent: !shape.size, %so_far: !shape.size):
    // expected-error @below {{'shape.yield' op types mismatch between yield op and its parent}}
    shape.yield %at : index
  }
  return
}

// -----

func.func @yielded_by_assuming(%w: !shape.witness, %i: index) {
  // expected-error @below {{'shape.assuming' op along control flow edge from Operation shape.assuming_yield to parent: successor operand type #0 'index' should match successor input type #0 'i32'}}
  %0 = shape.assuming %w -> (i32) {
    // expected-note @below {{region branch point}}
    shape.assuming_yield %i : index
  }
  return
}

// -----

// expected-error @below {{shape function library @missing not found}}
module attributes {shape.lib = @missing} {
}

// -----

// expected-error @below {{@f required to be shape function library}}
module attributes {shape.lib = @f} {
  func.func private @f()
}

// -----

// expected-error @below {{only SymbolRefAttr or array of SymbolRefAttrs allowed as shape.lib attribute}}
module attributes {shape.lib = 1 : i32} {
}

// -----

// expected-error @below {{only SymbolRefAttr allowed in shape.lib attribute array}}
module attributes {shape.lib = ["library"]} {
}

// -----

func.func @f(%v: !shape.value_shape) {
  // expected-error @below {{shape.lib attribute may only be on op implementing SymbolTable}}
  %0 = shape.shape_of %v {shape.lib = @f} : !shape.value_shape -> !shape.shape
  return
}

// -----

// The attribute is verified before the library is.
module attributes {shape.lib = [@lib]} {
  // expected-error @below {{'shape.function_library' op requires attribute 'mapping'}}
  "shape.function_library"() <{sym_name = "lib"}> ({
  }) : () -> ()
}
