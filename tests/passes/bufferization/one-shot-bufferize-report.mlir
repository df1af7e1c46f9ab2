// RUN: dl-opt %s --one-shot-bufferize='bufferize-function-boundaries allow-return-allocs-from-loops report-copies' --split-input-file --verify-diagnostics -o /dev/null

func.func @read_later(%x: f32, %i: index) -> (f32, f32) {
  %a = bufferization.alloc_tensor() : tensor<4xf32>
  // expected-note @below {{what is read is defined here}}
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  // expected-remark @+2 {{copies 16 bytes, operand #1: what it overwrites is read later}}
  // expected-note @+1 {{written here}}
  %c = tensor.insert %x into %b[%i] : tensor<4xf32>
  // expected-note @below {{read here}}
  %p = tensor.extract %b[%i] : tensor<4xf32>
  %q = tensor.extract %c[%i] : tensor<4xf32>
  return %p, %q : f32, f32
}

// -----

func.func @constant(%x: f32, %i: index) -> f32 {
  // expected-note @below {{the buffer comes from here}}
  %a = arith.constant dense<1.0> : tensor<4xf32>
  // expected-remark @below {{copies 16 bytes, operand #1: its buffer must not be written}}
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %p = tensor.extract %b[%i] : tensor<4xf32>
  return %p : f32
}

// -----

func.func @loop_swaps(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+2 {{handed on to this operation}}
  // expected-note @+1 {{handed on to this operation}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    // expected-remark @+2 {{copies 16 bytes, operand #0: it is in another buffer than the region got}}
    // expected-remark @+1 {{copies 16 bytes, operand #1: it is in another buffer than the region got}}
    scf.yield %t, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Nothing is copied.
func.func @in_place(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %b = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %b : tensor<4xf32>
}
