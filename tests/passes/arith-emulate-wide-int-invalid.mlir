// RUN: dl-opt %s --arith-emulate-wide-int=widest-int-supported=32 --split-input-file --verify-diagnostics

// An operation that is not emulated needs the integer as it was: nothing else makes that of its halves.
func.func @needs_the_integer(%on: vector<2xi1>) {
  // expected-error @below {{failed to legalize unresolved materialization from ('vector<2x2xi32>') to ('vector<2xi64>') that remained live after conversion}}
  %c = arith.constant dense<0> : vector<2xi64>
  // expected-note @below {{see existing live user here}}
  %0 = vector.mask %on { vector.multi_reduction <xor>, %c, %c [] : vector<2xi64> to vector<2xi64> } : vector<2xi1> -> vector<2xi64>
  return
}
