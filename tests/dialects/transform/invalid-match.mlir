// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.body' op only one of {"reduction_position", "passthrough", "elementwise", "contraction"} is allowed}}
    "transform.match.structured.body"(%o) <{elementwise, passthrough}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.body' op expects "contraction" to contain two elements}}
    "transform.match.structured.body"(%o) <{contraction = ["arith.mulf"]}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.body' op expected predicate to apply to the surrounding structured op}}
    "transform.match.structured.body"(%a) <{elementwise}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.rank' op expected predicate to apply to the surrounding structured op}}
    %0 = "transform.match.structured.rank"(%a) : (!transform.any_op) -> !transform.param<i64>
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.dim' op expected the listed values to be unique}}
    "transform.match.structured.dim"(%o) <{raw_dim_list = array<i64: 1, 1>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.dim' op cannot request the same dimension to be both parallel and reduction}}
    "transform.match.structured.dim"(%o) <{parallel, reduction, raw_dim_list = array<i64: 1>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.dim' op cannot both request 'all' and specific values in the list}}
    "transform.match.structured.dim"(%o) <{is_all, raw_dim_list = array<i64: 1>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.dim' op cannot request both 'all' and 'inverted' values in the list}}
    "transform.match.structured.dim"(%o) <{is_all, is_inverted, raw_dim_list = array<i64>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.dim' op must request specific values in the list if 'all' is not specified}}
    "transform.match.structured.dim"(%o) <{parallel, raw_dim_list = array<i64>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.input' op "permutation" and "projected_permutation" are mutually exclusive}}
    "transform.match.structured.input"(%o) <{permutation, projected_permutation, raw_position_list = array<i64: 1>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.input' op cannot bind multiple inputs/inits to the same value}}
    %0 = "transform.match.structured.input"(%o) <{raw_position_list = array<i64: 1, 2>}> : (!transform.any_op) -> !transform.any_value
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.init' op must request specific values in the list if 'all' is not specified}}
    "transform.match.structured.init"(%o) <{raw_position_list = array<i64>}> : (!transform.any_op) -> ()
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.result' op expects either the any/single keyword or the type value handle result type}}
    %0 = "transform.match.structured.result"(%o) <{position = 1}> : (!transform.any_op) -> !transform.any_op
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.result' op expects either the any/single keyword or the type value handle result type}}
    %0 = "transform.match.structured.result"(%o) <{position = 1, single}> : (!transform.any_op) -> !transform.any_value
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-error @below {{'transform.match.structured.result' op 'any' and 'single' are mutually exclusive}}
    %0 = "transform.match.structured.result"(%o) <{position = 1, any, single}> : (!transform.any_op) -> !transform.any_op
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.match.structured.num_inits' op expects parent op to be 'transform.match.structured'}}
  %0 = transform.match.structured.num_inits %a : (!transform.any_op) -> !transform.param<i64>
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.match.structured' op expected body argument to implement TransformHandleTypeInterface}}
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_value):
    transform.match.structured.yield
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.match.structured' op expected one body argument}}
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op, %p: !transform.any_op):
    transform.match.structured.yield
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.match.structured' op expected one body argument}}
  transform.match.structured %a : !transform.any_op {
  ^bb0:
    transform.match.structured.yield
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.match.structured' op expects nested operations to implement MatchOpInterface}}
  transform.match.structured %a : !transform.any_op {
  ^bb0(%o: !transform.any_op):
    // expected-note @below {{offending operation}}
    %c = arith.constant 1 : i32
  }
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.get_operand' op must request specific values in the list if 'all' is not specified}}
  %0 = "transform.get_operand"(%a) <{raw_position_list = array<i64>}> : (!transform.any_op) -> !transform.any_value
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.get_result' op cannot both request 'all' and specific values in the list}}
  %0 = "transform.get_result"(%a) <{is_all, raw_position_list = array<i64: 1>}> : (!transform.any_op) -> !transform.any_value
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.get_result' op expected the listed values to be unique}}
  %0 = "transform.get_result"(%a) <{raw_position_list = array<i64: 1, 1>}> : (!transform.any_op) -> !transform.any_value
  return
}
