// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @operand_cannot_be_used_as_a(%m: memref<10xf32>, %n: index) {
  
 scf.for %i = %n to %n step %n { %q = "test.i"() : () -> index
 // expected-error @below {{'affine.for' op operand cannot be used as a symbol}}
 affine.for %k = 0 to %q { } }
  return
}

// -----

func.func @operand_cannot_be_used_as_a(%m: memref<10xf32>, %n: index) {
  
 scf.for %i = %n to %n step %n { %q = "test.i"() : () -> index
 // expected-error @below {{'affine.load' op operand cannot be used as a dimension id}}
 affine.load %m[%q] : memref<10xf32> }
  return
}

// -----

func.func @affine_map_num_results_must_equal(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.load' op affine map num results must equal memref rank}}
 affine.load %m[%n, %n] : memref<10xf32> 
  return
}

// -----

func.func @dimension_or_symbol_index_mismatch(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.apply' dimension or symbol index mismatch}}
 %0 = affine.apply affine_map<(d0) -> (d0)>(%n)[%n] 
  return
}

// -----

func.func @lower_loop_bound_affine_map_with(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.for' lower loop bound affine map with multiple results requires 'max' prefix}}
 affine.for %i = affine_map<(d0) -> (d0, d0 + 1)>(%n) to 4 {} 
  return
}

// -----

func.func @dim_operand_count_and_affine_map(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.for' dim operand count and affine map dim count must match}}
 affine.for %i = affine_map<(d0) -> (d0)>() to 4 {} 
  return
}

// -----

func.func @expected_step_to_be_representable_as(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.for' expected step to be representable as a positive signed integer}}
 affine.for %i = 0 to 4 step -1 {} 
  return
}

// -----

func.func @dim_operand_count_and_integer_set(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.if' dim operand count and integer set dim count must match}}
 affine.if affine_set<(d0) : (d0 >= 0)>() {} 
  return
}

// -----

func.func @parent_of_yield_must_have_same(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
 %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 { } 
  return
}

// -----

func.func @the_number_of_region_arguments_and(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (2), and the number of steps (1) must all match}}
 affine.parallel (%i) = (0, 0) to (10, 10) {} 
  return
}

// -----

func.func @the_number_of_region_arguments_and(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
 affine.parallel (%i) = (0) to (10) step (1, 2) {} 
  return
}

// -----

func.func @rw_specifier_has_to_be_read(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'}}
 affine.prefetch %m[%n], rd, locality<3>, data : memref<10xf32> 
  return
}

// -----

func.func @attribute_localityhint_failed_to_satisfy_constraint(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
 affine.prefetch %m[%n], read, locality<5>, data : memref<10xf32> 
  return
}

// -----

func.func @requires_memref_and_vector_types_of(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
 %0 = affine.vector_load %m[%n] : memref<10xf32>, vector<4xf64> 
  return
}

// -----

func.func @operand_count_and_affine_map_dimension(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.min' op operand count and affine map dimension and symbol count must match}}
 %0 = affine.min affine_map<(d0) -> (d0)>() 
  return
}

// -----

func.func @should_return_an_index_for_each(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.delinearize_index' op should return an index for each basis element and up to one extra index}}
 %0:2 = affine.delinearize_index %n into (2, 3, 4, 5) : index, index 
  return
}

// -----

func.func @should_be_passed_a_basis_element(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{'affine.linearize_index' op should be passed a basis element for each index except possibly the first}}
 %0 = affine.linearize_index [%n, %n] by (2, 3, 4, 5) : index 
  return
}

// -----

func.func @invalid_kind_of_type_specified_expected(%m: memref<10xf32>, %n: index) {
  
 // expected-error @below {{invalid kind of type specified: expected builtin.memref, but found 'f32'}}
 %0 = affine.load %m[%n] : f32 
  return
}

// -----

func.func @mismatch_between_the_number_of_loop(%m: memref<10xf32>, %n: index, %f: f32) {
  
 // expected-error @below {{custom op 'affine.for' mismatch between the number of loop-carried values and results}}
 %0 = affine.for %i = 0 to 10 iter_args(%x = %f) -> (f32, f32) {
  affine.yield %x : f32 }
  return
}

// -----

func.func @types_mismatch_between_yield_op_and(%m: memref<10xf32>, %n: index, %f: f32) {
  
 %0 = affine.for %i = 0 to 10 iter_args(%x = %f) -> (f32) {
  // expected-error @below {{'affine.yield' op types mismatch between yield op and its parent}}
  affine.yield %n : index }
  return
}

// -----

func.func @expects_as_many_subscripts_as_affine(%m: memref<10xf32>, %n: index, %f: f32) {
  
 // expected-error @below {{'affine.load' op expects as many subscripts as affine map inputs}}
 "affine.load"(%m, %n) <{map = affine_map<(d0, d1) -> (d0)>}> : (memref<10xf32>, index) -> f32
  return
}

// -----

func.func @result_type_must_match_element_type(%m: memref<10xf32>, %n: index, %f: f32) {
  
 // expected-error @below {{'affine.load' op result type must match element type of memref}}
 "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0)>}> : (memref<10xf32>, index) -> f64
  return
}

// -----

func.func @value_to_store_must_have_the(%m: memref<10xf32>, %n: index, %f: f32) {
  
 // expected-error @below {{'affine.store' op value to store must have the same type as memref element type}}
 "affine.store"(%n, %m, %n) <{map = affine_map<(d0) -> (d0)>}> : (index, memref<10xf32>, index) -> ()
  return
}

// -----

func.func @parallel_reduces_integers_as_floats(%a: i32) {
  // expected-error @below {{'affine.parallel' op result type cannot match reduction attribute}}
  %0 = affine.parallel (%i) = (0) to (8) reduce ("mulf") -> (i32) {
    affine.yield %a : i32
  }
  return
}

// -----

func.func @parallel_reduces_in_any_way(%a: i32, %b: f32, %c: si32) {
  %0:4 = affine.parallel (%i) = (0) to (8) reduce ("muli", "maximumf", "assign", "mins") -> (i32, f32, i32, si32) {
    affine.yield %a, %b, %a, %c : i32, f32, i32, si32
  }
  return
}

// -----

func.func @parallel_without_bound() {
  // expected-error @below {{'affine.parallel' op expected upper bound map to have at least one result}}
  affine.parallel (%i) = (0) to (min()) {
  }
  return
}

// -----

func.func @loop_variable_with_number() {
  // expected-error @below {{result number not allowed in argument list}}
  affine.for %i#0 = 0 to 7 {
  }
  return
}

// -----

func.func @step(%n: index) {
  // expected-error @below {{'affine.for' op expected step to be representable as a positive signed integer}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = -3 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

func.func @indices_of_copies(%m: memref<8xf32>, %tag: memref<1xi32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %half = arith.divsi %i, %n : index
    // expected-error @below {{'affine.dma_start' op src index must be a valid dimension or symbol identifier}}
    affine.dma_start %m[%half], %m[%n], %tag[%n], %n : memref<8xf32>, memref<8xf32>, memref<1xi32>
  }
  return
}

// -----

func.func @index_of_a_wait(%tag: memref<1xi32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %half = arith.divsi %i, %n : index
    // expected-error @below {{'affine.dma_wait' op index must be a valid dimension or symbol identifier}}
    affine.dma_wait %tag[%half], %n : memref<1xi32>
  }
  return
}

// -----

#at = affine_map<(d0) -> (d0)>
func.func @elements_of_a_copy(%m: memref<8xf32>, %tag: memref<1xi32>, %i: index, %n: i32) {
  // expected-error @below {{'affine.dma_start' op expected numbers of elements to be of index type}}
  "affine.dma_start"(%m, %i, %m, %i, %tag, %i, %n) {src_map = #at, dst_map = #at, tag_map = #at} : (memref<8xf32>, index, memref<8xf32>, index, memref<1xi32>, index, i32) -> ()
  return
}

// -----

#at = affine_map<(d0) -> (d0)>
func.func @elements_of_a_wait(%tag: memref<1xi32>, %i: index, %n: i32) {
  // expected-error @below {{'affine.dma_wait' op expected numbers of elements to be of index type}}
  "affine.dma_wait"(%tag, %i, %n) {tag_map = #at} : (memref<1xi32>, index, i32) -> ()
  return
}

// -----

func.func @no_else(%i: index) {
  // expected-error @below {{'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note @below {{region branch point}}
  %r = "affine.if"(%i) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    %c = arith.constant 1.0 : f32
    affine.yield %c : f32
  }, {}) : (index) -> f32
  return
}
