// RUN: dl-opt %s --transform-interpreter --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @no_nest(%a: f32) -> f32 {
  // expected-error @below {{Unsupported Op, cannot vectorize}}
  %r = arith.addf %a, %a : f32
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

// How large the vectors are to be is not known.
func.func @unknown_extent(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

func.func @too_small(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [4] : !transform.any_op
    transform.yield
  }
}

// -----

func.func @too_few_sizes(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.exp ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [8] : !transform.any_op
    transform.yield
  }
}

// -----

// Two operations combine what is reduced.
func.func @reduction_of_no_kind(%a: tensor<8xf32>, %b: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.reduce ins(%a : tensor<8xf32>) outs(%b : tensor<f32>) dimensions = [0]
    (%x: f32, %acc: f32) {
      %s = arith.addf %x, %acc : f32
      %n = arith.negf %s : f32
      linalg.yield %n : f32
    }
  return %r : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @f(f32) -> f32

func.func @call(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.map ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>)
    (%x: f32, %out: f32) {
      %y = func.call @f(%x) : (f32) -> f32
      linalg.yield %y : f32
    }
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

func.func @element_of_a_matrix(%a: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%b : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %a[%i, %i] : tensor<8x8xf32>
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

func.func @scalable_outer_loop(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = linalg.exp ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [[8], 8] : !transform.any_op
    transform.yield
  }
}

// -----

func.func @size_of_nothing(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires param or handle that is mapped to 1 payload op}}
    transform.structured.vectorize %op vector_sizes [%size] : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

func.func @size_when_running(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %n = "test.size"() : () -> index
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["test.size"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires param or handle to be the result of a constant like op}}
    transform.structured.vectorize %op vector_sizes [%size] : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

// What is padded before would move.
func.func @padded_before(%a: tensor<?xf32>, %n: index) -> tensor<6xf32> {
  %cst = arith.constant 1.0 : f32
  // expected-error @below {{Attempted to vectorize, but failed}}
  %r = tensor.pad %a low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [8] : !transform.any_op
    transform.yield
  }
}

// -----

func.func @inside(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant true
  // expected-note @below {{non-isolated target}}
  %r = scf.if %c -> tensor<8xf32> {
    %e = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires isolated-from-above targets}}
    %new = transform.structured.vectorize_children_and_apply_patterns %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
