// RUN: dl-opt %s --convert-complex-to-llvm --verify-diagnostics

// What is a call of a library must be one before.
func.func @exponential(%x: complex<f32>) -> complex<f32> {
  // expected-error @below {{failed to legalize operation 'complex.exp' that was explicitly marked illegal}}
  %0 = complex.exp %x : complex<f32>
  return %0 : complex<f32>
}
