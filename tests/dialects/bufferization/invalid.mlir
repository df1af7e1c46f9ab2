// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @alloc_tensor(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %b : i1) {
  // expected-error @below {{'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = bufferization.alloc_tensor() : tensor<?xf32>
  return
}

// -----

func.func @materialize_in_destination(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %b : i1) {
  // expected-error @below {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @materialize_in_destination_2(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %b : i1) {
  // expected-error @below {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
  bufferization.materialize_in_destination %t in %t : (tensor<8xf32>, tensor<8xf32>) -> ()
  return
}

// -----

func.func @dealloc(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %b : i1) {
  // expected-error @below {{'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate}}
  bufferization.dealloc (%m, %m : memref<8xf32>, memref<8xf32>) if (%b)
  return
}

// -----

// expected-error @below {{'bufferization.writable' is expected to be a boolean attribute}}
func.func @writable(%a: tensor<4xf32> {bufferization.writable = 1 : i8}) {
  return
}

// -----

// expected-error @below {{'bufferization.writable' is invalid on external functions}}
func.func private @writable_outside(tensor<4xf32> {bufferization.writable = true})

// -----

// expected-error @below {{invalid value for 'bufferization.access'}}
func.func private @access(tensor<4xf32> {bufferization.access = "sometimes"})

// -----

// expected-error @below {{'bufferization.buffer_layout' is expected to be a memref layout attribute}}
func.func private @layout(tensor<4xf32> {bufferization.buffer_layout = "rows"})

// -----

func.func private @all(tensor<4xf32> {bufferization.access = "read-write", bufferization.buffer_layout = strided<[1], offset: ?>})

// -----

// What is said of arguments is not said of operations.
// expected-error @below {{attribute '"bufferization.writable"' not supported as an op attribute by the bufferization dialect}}
module attributes {bufferization.writable = true} {
}

// -----

func.func @no_memory(%a: i32) {
  // expected-error @below {{'arith.addi' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
  %0 = arith.addi %a, %a {bufferization.manual_deallocation} : i32
  return
}

// -----

func.func @memory() {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  return
}

// -----

func.func private @results() -> (tensor<4xf32> {bufferization.writable = true})

// -----

func.func @more_retained_than_operands() {
  // expected-error @below {{'bufferization.dealloc' op operand count (0) does not match with the total size (2147483647) specified in attribute 'operandSegmentSizes'}}
  "bufferization.dealloc"() <{operandSegmentSizes = array<i32: 0, 0, 2147483647>}> : () -> ()
  return
}
