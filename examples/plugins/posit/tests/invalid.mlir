// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected a posit of 8, 16 or 32 bits, but got 12}}
func.func private @twelve(!posit.p<12>)

// -----

func.func @bits(%x: i16) {
  // expected-error @below {{'posit.from_bits' op expected as many bits in the result as in the operand, but got '!posit.p<8>' of 'i16'}}
  %y = posit.from_bits %x : i16 -> !posit.p<8>
  return
}

// -----

func.func @integers(%x: i16) {
  // expected-error @below {{'posit.neg' op operand #0 must be posit, but got 'i16'}}
  %y = posit.neg %x : i16
  return
}
