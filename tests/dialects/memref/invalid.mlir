// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @alloc() {
  // expected-error @below {{'memref.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----

func.func @alloc_2(%i: index) {
  // expected-error @below {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %0 = memref.alloc(%i)[%i] : memref<?xf32>
  return
}

// -----

func.func @load(%i: index, %m: memref<4x4xf32>) {
  // expected-error @below {{'memref.load' op incorrect number of indices for load, expected 2 but got 1}}
  %0 = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @store(%i: index, %m: memref<4x4xf32>, %f: f32) {
  // expected-error @below {{'memref.store' op store index operand count not equal to memref rank}}
  memref.store %f, %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @cast(%m: memref<4x4xf32>) {
  // expected-error @below {{'memref.cast' op operand type 'memref<4x4xf32>' and result type 'memref<4x4xf64>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x4xf32> to memref<4x4xf64>
  return
}

// -----

func.func @copy(%m: memref<4x4xf32>, %n : memref<4x5xf32>) {
  // expected-error @below {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %m, %n : memref<4x4xf32> to memref<4x5xf32>
  return
}

// -----

func.func @cast_2(%m: memref<*xf32>) {
  // expected-error @below {{'memref.cast' op operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

// expected-error @below {{custom op 'memref.global' type should be static shaped memref, but got 'memref<?xf32>'}}
memref.global @x : memref<?xf32>

// -----

func.func @get_global() {
  // expected-error @below {{'memref.get_global' op 'x' does not reference a valid global memref}}
  %0 = memref.get_global @x : memref<2xf32>
  return
}

// -----

memref.global @x : memref<2xf32> 
func.func @get_global_2() {
  // expected-error @below {{'memref.get_global' op result type 'memref<3xf32>' does not match type 'memref<2xf32>' of the global memref @x}}
  %0 = memref.get_global @x : memref<3xf32>
  return
}

// -----

func.func @subview(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<2x2xf32>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2xf32>
  return
}

// -----

func.func @subview_2(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<2x3xf32, strided<[4, 1]>>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x3xf32, strided<[4, 1]>>
  return
}

// -----

func.func @subview_3(%m: memref<8x4xf32>) {
  // expected-error @below {{expected 2 offset values, got 1}}
  %0 = memref.subview %m[0][2][1] : memref<8x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  return
}

// -----

func.func @subview_4(%m: memref<8x4xf32>) {
  // expected-error @below {{slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = memref.subview %m[7, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 28>>
  return
}

// -----

func.func @subview_5(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result type to be 'memref<2x2xf32, strided<[4, 1], offset: 4>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<2x2xf32, strided<[4, 1]>>'}}
  %0 = memref.subview %m[1, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  return
}

// -----

func.func @subview_6(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result element type to be 'f32', but got 'memref<2x2xf64, strided<[4, 1]>>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2xf64, strided<[4, 1]>>
  return
}

// -----

func.func @subview_7(%m: memref<8x4xf32>) {
  // expected-error @below {{different memory spaces specified for base memref type 'memref<8x4xf32>' and subview memref type 'memref<2x2xf32, strided<[4, 1]>, 1>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2xf32, strided<[4, 1]>, 1>
  return
}

// -----

func.func @subview_8(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result rank to be smaller or equal to the source rank, but got 'memref<2x2x1xf32, strided<[4, 1, 1]>>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<8x4xf32> to memref<2x2x1xf32, strided<[4, 1, 1]>>
  return
}

// -----

func.func @collapse_shape(%m: memref<8x4xf32>) {
  // expected-error @below {{'memref.collapse_shape' op collapsed dim size (31) must equal reassociation group size (32)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<8x4xf32> into memref<31xf32>
  return
}

// -----

func.func @collapse_shape_2(%m: memref<8x4xf32>) {
  // expected-error @below {{'memref.collapse_shape' op reassociation indices must be contiguous}}
  %0 = memref.collapse_shape %m [[0], [0, 1]] : memref<8x4xf32> into memref<8x4xf32>
  return
}

// -----

func.func @expand_shape(%m: memref<8x4xf32>) {
  // expected-error @below {{'memref.expand_shape' op collapsed dim size (8) must equal reassociation group size (6)}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 4] : memref<8x4xf32> into memref<2x3x4xf32>
  return
}

// -----

func.func @expand_shape_2(%m: memref<8x4xf32>) {
  // expected-error @below {{'memref.expand_shape' op invalid number of reassociation groups: found 1, expected 2}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4, 4] : memref<8x4xf32> into memref<2x4x4xf32>
  return
}

// -----

func.func @reinterpret_cast(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result type with size = 10 instead of 11 in dim = 1}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10, 10], strides: [10, 1] : memref<8x4xf32> to memref<10x11xf32, strided<[10, 1]>>
  return
}

// -----

func.func @reinterpret_cast_2(%m: memref<8x4xf32>) {
  // expected-error @below {{expected result type with stride = 10 instead of 9 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10, 10], strides: [10, 1] : memref<8x4xf32> to memref<10x10xf32, strided<[9, 1]>>
  return
}

// -----

func.func @reinterpret_cast_3(%m: memref<8x4xf32>) {
  // expected-error @below {{expected 1 offset values, got 2}}
  %0 = memref.reinterpret_cast %m to offset: [0, 1], sizes: [10, 10], strides: [10, 1] : memref<8x4xf32> to memref<10x10xf32, strided<[10, 1]>>
  return
}

// -----

func.func @transpose(%m: memref<8x4xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (i, j) -> (i, i) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  return
}

// -----

func.func @generic_atomic_rmw(%m: memref<8x4xf32>, %i: index, %f : f32) {
  // expected-error @below {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x4xf32> { ^bb0(%x: f64): memref.atomic_yield %f : f32 }
  return
}

// -----

func.func @generic_atomic_rmw_2(%m: memref<8x4xf32>, %i: index, %f : i32) {
  // expected-error @below {{'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'}}
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<8x4xf32> { ^bb0(%x: f32): memref.atomic_yield %f : i32 }
  return
}

// -----

func.func @atomic_rmw(%m: memref<8x4xf32>, %i: index, %f : f32) {
  // expected-error @below {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %f, %m[%i, %i] : (f32, memref<8x4xf32>) -> f32
  return
}

// -----

func.func @atomic_rmw_2(%m: memref<8x4xf32>, %i: index, %f : f32) {
  // expected-error @below {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<8x4xf32>) -> f32
  return
}

// -----

func.func @view(%m: memref<100xi8>, %i: index) {
  // expected-error @below {{'memref.view' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = memref.view %m[%i][] : memref<100xi8> to memref<?xf32>
  return
}

// -----

func.func @realloc(%m : memref<8xf32>, %i: index) {
  // expected-error @below {{unnecessary dimension operand for result type 'memref<8xf32>'}}
  %0 = memref.realloc %m(%i) : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @realloc_2(%m : memref<8xf32>, %i: index) {
  // expected-error @below {{missing dimension operand for result type 'memref<?xf32>'}}
  %0 = memref.realloc %m : memref<8xf32> to memref<?xf32>
  return
}

// -----

func.func @realloc_3(%m : memref<8xf32>, %i: index) {
  // expected-error @below {{different element types specified for source memref type 'memref<8xf32>' and result memref type 'memref<16xf64>'}}
  %0 = memref.realloc %m : memref<8xf32> to memref<16xf64>
  return
}

// -----

func.func @reshape(%m : memref<8xf32>, %s: memref<2xindex>) {
  // expected-error @below {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %0 = memref.reshape %m(%s) : (memref<8xf32>, memref<2xindex>) -> memref<8xf32> %1 = memref.reshape %m(%s) : (memref<8xf32>, memref<2xindex>) -> memref<*xf32>
  return
}

// -----

func.func @alloca(%m : memref<8xf32, affine_map<(d0)[s0] -> (d0 + s0)>>, %s: memref<2xindex>) {
  // expected-error @below {{'memref.alloca' op symbol operand count does not equal memref symbol count: expected 1, got 0}}
  %0 = memref.alloca() : memref<8xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// -----

func.func @reinterpret_cast_without_offset(%m: memref<?x?xf32>) {
  // expected-error @below {{expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (0 vs 1)}}
  %0 = "memref.reinterpret_cast"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 4, 1>}> : (memref<?x?xf32>) -> memref<4x4xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

func.func @collapse_to_one_element(%m: memref<1x2xf32>) {
  // expected-error @below {{rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = memref.collapse_shape %m [] : memref<1x2xf32> into memref<f32>
  return
}

// -----

func.func @subview_without_stride(%m: memref<?x?xf32>) {
  // expected-error @below {{expected the number of 'strides' to match the number of dynamic entries in 'static_strides' (0 vs 1)}}
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 1, -9223372036854775808>}> : (memref<?x?xf32>) -> memref<4x4xf32, strided<[?, ?]>>
  return
}

// -----

func.func @alloc_strided() {
  // expected-error @below {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0}}
  %0 = memref.alloc() : memref<4xf32, strided<[1], offset: ?>>
  return
}

// -----

// No operation around it frees what is allocated on the stack.
// expected-error @below {{requires an ancestor op with AutomaticAllocationScope trait}}
%0 = memref.alloca() : memref<4xf32>

// -----

func.func @reinterpret_cast_to_known_offset(%a: memref<?xf32>, %n: index) {
  // expected-error @below {{expected result type with offset = dynamic instead of 0}}
  %0 = memref.reinterpret_cast %a to offset: [%n], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32>
  return
}

// -----

func.func @reinterpret_cast_to_known_size(%a: memref<?xf32>, %n: index) {
  // expected-error @below {{expected result type with size = dynamic instead of 4 in dim = 0}}
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<4xf32>
  return
}

// -----

func.func @reinterpret_cast_forgets(%a: memref<?xf32>) {
  %0 = memref.reinterpret_cast %a to offset: [2], sizes: [4], strides: [1] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

func.func @assume_alignment(%a: memref<4xf32>) {
  // expected-error @below {{'memref.assume_alignment' op alignment must be power of 2}}
  %0 = memref.assume_alignment %a, 24 : memref<4xf32>
  return
}

// -----

func.func @segments_of_another_type(%size: index) {
  // expected-error @+1 {{attribute 'operandSegmentSizes': expected a DenseI32ArrayAttr}}
  %0 = "memref.alloc"(%size) <{operandSegmentSizes = array<i64: 1, 0>}> : (index) -> memref<?xf32>
  return
}

// -----

func.func @copy_of_no_buffer(%m: f32, %t: memref<1xi32>, %i: index) {
  // expected-error @below {{expected source to be of memref type}}
  memref.dma_start %m[%i], %m[%i], %i, %t[%i] : f32, f32, memref<1xi32>
  return
}

// -----

func.func @too_few_indices(%m: memref<4x4xf32>, %i: index) {
  // expected-error @below {{expected at least 6 operands}}
  "memref.dma_start"(%m, %i, %i, %i) : (memref<4x4xf32>, index, index, index) -> ()
  return
}

// -----

func.func @index_of_another_type(%m: memref<4xf32>, %t: memref<1xi32>, %i: index, %x: f32) {
  // expected-error @below {{expected destination indices to be of index type}}
  "memref.dma_start"(%m, %i, %m, %x, %i, %t, %i) : (memref<4xf32>, index, memref<4xf32>, f32, index, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @stride_of_another_type(%m: memref<4xf32>, %t: memref<1xi32>, %i: index, %x: f32) {
  // expected-error @below {{expected stride and num elements per stride to be of type index}}
  "memref.dma_start"(%m, %i, %m, %i, %i, %t, %i, %i, %x) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index, index, f32) -> ()
  return
}

// -----

func.func @fewer_strides_than_sizes(%m: memref<4x4xf32>) {
  // expected-error @below {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed}}
  %0 = memref.subview %m[0, 0] [2, 2] [1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  return
}

// -----

// expected-error @below {{initial value shape expected to be 2, 2 but was 4}}
"memref.global"() <{sym_name = "shape", type = memref<2x2xf32>, initial_value = dense<1.0> : tensor<4xf32>}> : () -> ()

// -----

func.func @a_layout_that_means_the_identity(%m: memref<?x?x?xf32>) {
  // expected-error @below {{expected collapsed type to be 'memref<?x?xf32>' but found}}
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x?xf32> into memref<?x?xf32, strided<[?, 1]>>
  return
}

// -----

// Of an operation that nobody knows it is not said that it frees what is allocated on the stack in it.
"test.unknown"() ({
  // expected-error @below {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
  %0 = memref.alloca() : memref<4xf32>
  "test.end"() : () -> ()
}) : () -> ()

// -----

// Operations without regions are symbols, too.
// expected-error @below {{'memref.global' op unsupported: a symbol name that is not UTF-8}}
"memref.global"() <{sym_name = "\AA", type = memref<2xf32>}> : () -> ()

// -----

// expected-error @below {{'memref.global' op initial value expected to be of a tensor type, but was of type 'vector<2xi32>'}}
"memref.global"() <{initial_value = dense<[1, 2]> : vector<2xi32>, sym_name = "vector", type = memref<2xi32>}> : () -> ()

// -----

func.func @scope_without_results() {
  // expected-error @below {{'memref.alloca_scope' op along control flow edge from Operation memref.alloca_scope.return to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  %0 = "memref.alloca_scope"() ({
    // expected-note @below {{region branch point}}
    "memref.alloca_scope.return"() : () -> ()
  }) : () -> i32
  return
}

// -----

// Sizes that are not given are zero.
func.func @alloc_without_sizes(%n: index) {
  // expected-error @below {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%n) : (index) -> memref<?xf32>
  return
}
