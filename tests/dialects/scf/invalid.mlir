// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @mismatch_in_number_of_loop_carried(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{custom op 'scf.for' mismatch in number of loop-carried values and defined values}}
  scf.for %k = %lb to %lb step %lb iter_args(%a = %f) -> (f32, f32) {
  }
  return
}

// -----

func.func @expected_induction_variable_to_be_same(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%lb, %lb, %lb) ({^bb0(%z: i32):  scf.yield}) : (index, index, index) -> ()
  return
}

// -----

func.func @mismatch_in_number_of_loop_carried(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  "scf.for"(%lb, %lb, %lb, %f) ({^bb0(%z: index, %ff: f32):  scf.yield}) : (index, index, index, f32) -> ()
  return
}

// -----

func.func @th_region_iter_arg_and_th(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.for' op 0-th region iter_arg and 0-th loop result have different type: 'f32' != 'i32'}}
  %0 = "scf.for"(%lb, %lb, %lb, %f) ({^bb0(%z: index, %ff: f32):  scf.yield}) : (index, index, index, f32) -> (i32)
  return
}

// -----

func.func @th_init_and_th_region_iter(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'f32' != 'i32'}}
  %0 = "scf.for"(%lb, %lb, %lb, %f) ({^bb0(%z: index, %ff: i32):  scf.yield}) : (index, index, index, f32) -> (f32)
  return
}

// -----

func.func @along_control_flow_edge_from_operation(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.for' op along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note @below {{region branch point}}
  %0 = "scf.for"(%lb, %lb, %lb, %f) ({^bb0(%z: index, %ff: f32):  scf.yield}) : (index, index, index, f32) -> (f32)
  return
}

// -----

func.func @must_have_an_else_block_if(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.if' op must have an else block if defining values}}
  %x = scf.if %c -> f32 { scf.yield %f : f32 }
  return
}

// -----

func.func @along_control_flow_edge_from_operation(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note @below {{region branch point}}
  %x = scf.if %c -> f32 { } else { }
  return
}

// -----

func.func @expected_as_many_input_types_as(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{custom op 'scf.while' expected as many input types as operands (expected 1 got 2)}}
  %x = scf.while (%z = %f) : (f32, f32) -> f32 { } do { }
  return
}

// -----

func.func @region_before_failed_to_verify_constraint(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.while' op region #0 ('before') failed to verify constraint: region with 1 blocks}}
  scf.while () : () -> () {
  } do { }
  return
}

// -----

func.func @expects_the_before_region_to_terminate(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  scf.while () : () -> () {
  // expected-note @below {{terminator here}}
  scf.yield } do { scf.yield }
  return
}

// -----

func.func @expects_the_after_region_to_terminate(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
  scf.while () : () -> () {
  // expected-note @below {{terminator here}}
  scf.condition(%c) } do { scf.condition(%c) }
  return
}

// -----

func.func @region_needs_to_have_at_least(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region { }
  return
}

// -----

func.func @region_cannot_have_any_arguments(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.execute_region' op region cannot have any arguments}}
  scf.execute_region { ^bb0(%z: i32): scf.yield }
  return
}

// -----

func.func @along_control_flow_edge_from_operation(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.execute_region' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note @below {{region branch point}}
  %x = scf.execute_region -> i32 { scf.yield }
  return
}

// -----

func.func @expected_operands(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{custom op 'scf.parallel' expected 2 operands}}
  scf.parallel (%x, %y) = (%lb) to (%lb) step (%lb) {
  }
  return
}

// -----

func.func @expects_body_to_terminate_with_scf(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.parallel' op expects body to terminate with 'scf.reduce'}}
  // expected-note @below {{terminator here}}
  scf.parallel (%x) = (%lb) to (%lb) step (%lb) {scf.yield }
  return
}

// -----

func.func @expects_number_of_results_to_be(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { }
  return
}

// -----

func.func @number_of_operands_and_types_do(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{custom op 'scf.parallel' number of operands and types do not match: got 1 operands and 0 types}}
  scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) {
  }
  return
}

// -----

func.func @number_of_operands_and_types_do(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{custom op 'scf.parallel' number of operands and types do not match: got 0 operands and 1 types}}
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) -> f32 { }
  return
}

// -----

func.func @expects_type_of_th_reduction_operand(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { scf.reduce(%i : i32) {
  ^bb0(%a: i32, %b: i32): scf.reduce.return %a : i32 } }
  return
}

// -----

func.func @expected_two_block_arguments_with_type(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { scf.reduce(%f : f32) {
  ^bb0(%a: i32, %b: i32): scf.reduce.return %a : i32 } }
  return
}

// -----

func.func @expected_two_block_arguments_with_type(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { scf.reduce(%f : f32) {
  ^bb0(%a: f32): scf.reduce.return %a : f32 } }
  return
}

// -----

func.func @must_have_type_f_the_type(%lb: index, %i: i32, %f: f32, %c: i1) {
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { scf.reduce(%f : f32) {
  // expected-error @below {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
  ^bb0(%a: f32, %b: f32): scf.reduce.return %i : i32 } }
  return
}

// -----

func.func @expects_parent_op_to_be_one(%lb: index, %i: i32, %f: f32, %c: i1) {
  %z = scf.parallel (%x) = (%lb) to (%lb) step (%lb) init (%f) -> f32 { scf.reduce(%f : f32) {
  // expected-error @below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  ^bb0(%a: f32, %b: f32): scf.yield } }
  return
}

// -----

func.func @constant_step_operand_must_be_positive(%lb: index, %i: i32, %f: f32, %c: i1) {
   %s = arith.constant 0 : index
// expected-error @below {{'scf.parallel' op constant step operand must be positive}}
scf.parallel (%x) = (%lb) to (%lb) step (%s) {
  }
  return
}

// -----

func.func @expected_each_region_to_return_values(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.index_switch' op expected each region to return 1 values, but default region returns 0}}
  // expected-note @below {{see yield operation here}}
  %0 = scf.index_switch %lb -> i32 case 1 {scf.yield %f : f32 } default {}
  return
}

// -----

func.func @expected_each_region_to_return_values(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.index_switch' op expected each region to return 1 values, but default region returns 0}}
  // expected-note @below {{see yield operation here}}
  %0 = scf.index_switch %lb -> i32 case 1 {scf.yield %i : i32 } default {}
  return
}

// -----

func.func @has_case_regions_but_case_values(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.index_switch' op has 0 case regions but 1 case values}}
  "scf.index_switch"(%lb) <{cases=array<i64: 1>}> ({ scf.yield }) : (index) -> ()
  return
}

// -----

func.func @expected_dynamic_upper_bound_values(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{expected 0 dynamic upper bound values}}
  "scf.forall"(%lb) <{operandSegmentSizes=array<i32: 0,1,0,0>, staticLowerBound=array<i64: 0>, staticUpperBound=array<i64: 2>, staticStep=array<i64: 1>}> ({ ^bb0(%x: index): scf.forall.in_parallel {} }) : (index) -> ()
  return
}

// -----

func.func @expected_upper_bound_values_got(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{expected 2 upper bound values, got 1}}
  scf.forall (%x, %y) in (2) {}
  return
}

// -----

func.func @expected_only_parallelcombiningopinterface_ops(%lb: index, %i: i32, %f: f32, %c: i1) {
  scf.forall (%x) in (2) {
  // expected-error @below {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops}}
  scf.forall.in_parallel { scf.yield } }
  return
}

// -----

func.func @expected_only_parallelcombiningopinterface_ops(%lb: index, %i: i32, %f: f32, %c: i1) {
  scf.forall (%x) in (2) {
  // expected-error @below {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops}}
  scf.forall.in_parallel { %k = arith.constant 1 : i32 } }
  return
}

// -----

func.func @mapping_attribute_size_must_match_op(%lb: index, %i: i32, %f: f32, %c: i1) {
  // expected-error @below {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%x) in (2) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}

// -----

func.func @number_of_operands_and_types_do(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{custom op 'scf.forall' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = scf.forall (%x) in (2) shared_outs(%a = %t) -> (tensor<4xf32>, f32) {
  }
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @use_of_value_t_expects_different(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{use of value '%t' expects different type than prior uses: 'tensor<5xf32>' vs 'tensor<4xf32>'}}
  %0 = scf.forall (%x) in (2) shared_outs(%a = %t) -> (tensor<5xf32>) {
  }
  return
}

// -----

func.func @expected_step_values_got(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
   // expected-error @below {{expected 1 step values, got 2}}
   scf.forall (%x) = (1) to (2) step (1, 2) {
  }
  return
}

// -----

func.func @expects_parent_op_to_be_one(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
   // expected-error @below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
   scf.yield }

// -----

func.func @region_should_have_no_arguments(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{'scf.if' op region #1 should have no arguments}}
  "scf.if"(%c) ({ scf.yield }, { ^bb0(%x: i32): scf.yield }) : (i1) -> ()
  return
}

// -----

func.func @expects_region_to_have_or_blocks(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  "scf.if"(%c) ({ cf.br ^bb1 
 ^bb1: scf.yield }, { }) : (i1) -> ()
  return
}

// -----

func.func @expects_region_to_have_or_blocks(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  scf.if %c { cf.br ^bb1 
 ^bb1: scf.yield }
  return
}

// -----

func.func @expects_region_to_have_or_blocks(%lb: index, %i: i32, %f: f32, %c: i1, %t: tensor<4xf32>) {
  // expected-error @below {{'scf.while' op expects region #0 to have 0 or 1 blocks}}
  scf.while : () -> () {
  scf.condition(%c) 
^bb1: scf.condition(%c) } do { scf.yield }
  return
}

// -----

func.func @yield_type(%c: i1) {
  // expected-error @below {{'scf.if' op along control flow edge from Operation scf.yield to parent: successor operand type #0 'i64' should match successor input type #0 'i32'}}
  %0 = "scf.if"(%c) ({
    %z = arith.constant 1 : i32
    "scf.yield"(%z) : (i32) -> ()
  }, {
    %z = arith.constant 1 : i64
    // expected-note @below {{region branch point}}
    "scf.yield"(%z) : (i64) -> ()
  }) : (i1) -> i32
  return
}

// -----

func.func @condition_type(%c: i1, %f: f32, %i: index) {
  // expected-error @below {{'scf.while' op along control flow edge from Operation scf.condition to parent: successor operand type #0 'index' should match successor input type #0 'f32'}}
  %0 = "scf.while"(%f) ({
  ^bb0(%ii: f32):
    // expected-note @below {{region branch point}}
    "scf.condition"(%c, %i) : (i1, index) -> ()
  }, {
  ^bb0(%ii: f32):
    "scf.yield"(%f) : (f32) -> ()
  }) : (f32) -> f32
  return
}

// -----

func.func @two_masks(%n: index) {
  // expected-error @below {{"mapping" supports at most one device masking attribute}}
  scf.forall (%i) in (%n) {
  } {mapping = [#gpu.thread<x>, #gpu.mask<0x1>, #gpu.mask<0x2>]}
  return
}

// -----

func.func @forall_result(%t: tensor<8xf32>) {
  // expected-error @below {{'scf.forall' op type mismatch between 0-th output and corresponding result}}
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 8>}> ({
  ^bb0(%i: index, %out: tensor<8xf32>):
    scf.forall.in_parallel {
    }
  }) : (tensor<8xf32>) -> i64
  return
}

// -----

func.func @parallel_init(%i: index) {
  // expected-error @below {{'scf.parallel' op expects type of 0-th initial value: 'index' to be the same as the 0-th result type: 'f32'}}
  %0 = "scf.parallel"(%i, %i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%iv: index):
    %x = arith.constant 1.0 : f32
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }) : (index, index, index, index) -> f32
  return
}

// -----

func.func @parallel_bounds(%lb: index) {
  // expected-error @below {{'scf.parallel' op expects as many lower bounds (2) and upper bounds (0) as steps (1)}}
  "scf.parallel"(%lb, %lb, %lb) <{operandSegmentSizes = array<i32: 2, 0, 1, 0>}> ({
  ^bb0(%i: index):
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @mapping_to_no_device() {
  // expected-error @below {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%i) in (4) {
  } {mapping = [#arith.fastmath<none>]}
  return
}
