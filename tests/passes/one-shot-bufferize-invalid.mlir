// RUN: dl-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file --verify-diagnostics

// Each iteration would yield another buffer.
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %r = tensor.insert %v into %t[%i] : tensor<4xf32>
    // expected-error @below {{Yield operand #0 is not equivalent to the corresponding iter bbArg}}
    scf.yield %u, %r : tensor<4xf32>, tensor<4xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Only `restrict` says that nothing else names the buffer.
func.func @to_tensor(%m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @below {{to_tensor ops without `restrict` are not supported by One-Shot Analysis}}
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// -----

func.func @no_interface(%a: tensor<4xf32>) -> tensor<4xf32> {
  // The message as upstream has it, without the operation's name.
  // expected-error-re @below {{{{^}}op was not bufferized}}
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What the call writes is returned as it was before, which no copy can do without a rank.
func.func private @write(tensor<*xf32>)
func.func @unranked(%t: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @below {{not bufferizable under the given constraints: cannot avoid RaW conflict}}
  call @write(%t) : (tensor<*xf32>) -> ()
  return %t : tensor<*xf32>
}

// -----

// No branch says what the argument is.
// expected-error @below {{could not infer buffer type of block argument}}
// expected-error @below {{failed to bufferize op}}
func.func @unreachable(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
^bb1(%u: tensor<4xf32>):
  return %u : tensor<4xf32>
}

// -----

// Memory has no quantized numbers.
// expected-error @below {{'func.func' op invalid memref element type}}
// expected-error @below {{failed to bufferize op}}
func.func @quantized(%t: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  return
}

// -----

// expected-error @below {{'func.func' op invalid memref element type}}
// expected-error @below {{failed to bufferize op}}
func.func private @declared() -> tensor<4x!quant.uniform<i8:f32, 0.5>>
