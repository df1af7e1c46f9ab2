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
