// RUN: dl-opt %s --memref-emulate-narrow-type --verify-diagnostics --split-input-file
// RUN: not dl-opt %s --memref-emulate-narrow-type=memref-load-bitwidth=12 2>&1 | FileCheck %s
// RUN: not dl-opt %s --memref-emulate-narrow-type=memref-load-bitwidth=4 2>&1 | FileCheck %s

// CHECK: error: {{.*}}option 'memref-load-bitwidth' must be 8, 16, 32 or 64

func.func @rows_of_unknown_length(%n: index) {
  // expected-error @below {{failed to legalize operation 'memref.alloc'}}
  %a = memref.alloc(%n) : memref<2x?xi4>
  return
}

// -----

func.func @three_bits_fill_no_byte() {
  // expected-error @below {{failed to legalize operation 'memref.alloc'}}
  %a = memref.alloc() : memref<2xi3>
  return
}

// -----

func.func @begins_within_a_byte() {
  %a = memref.alloc() : memref<5xi4>
  // expected-error @below {{failed to legalize operation 'memref.subview'}}
  %b = memref.subview %a[1] [2] [1] : memref<5xi4> to memref<2xi4, strided<[1], offset: 1>>
  return
}

// -----

func.func @not_known_to_this_pass() -> index {
  %c0 = arith.constant 0 : index
  %n = arith.constant 3 : index
  %a = memref.alloc(%n) : memref<?xi4>
  // expected-error @below {{failed to legalize operation 'memref.dim'}}
  %0 = memref.dim %a, %c0 : memref<?xi4>
  return %0 : index
}

// -----

func.func @masked_from_anywhere(%i: index, %on: vector<4xi1>, %off: vector<4xi4>) {
  %a = memref.alloc() : memref<8xi4>
  // expected-error @below {{failed to legalize operation 'vector.maskedload'}}
  %0 = vector.maskedload %a[%i], %on, %off : memref<8xi4>, vector<4xi1>, vector<4xi4> into vector<4xi4>
  return
}
