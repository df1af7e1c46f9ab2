// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @no_default(%f: i8) {
  // expected-error @below {{custom op 'cf.switch' expected 'default'}}
  cf.switch %f : i8, [ 255: ^bb1, 127 : ^bb1 ]
^bb1:
  return
}

// -----

func.func @argument_type(%f: f32) {
  // expected-error @below {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^bb1(%f : f32)
^bb1(%x: i32):
  return
}

// -----

func.func @argument_count(%c: i1, %f: f32) {
  // expected-error @below {{branch has 2 operands for successor #1, but target block has 1}}
  cf.cond_br %c, ^bb2, ^bb1(%f, %f: f32, f32)
^bb1(%x: i32):
  return
^bb2:
  return
}

// -----

func.func @values_and_destinations(%f: i8) {
  // expected-error @below {{'cf.switch' op number of case values (0) should match number of case destinations (1)}}
  "cf.switch"(%f)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>, case_operand_segments = array<i32: 0>}> : (i8) -> ()
^bb1:
  return
}

// -----

func.func @value_type(%f: i8) {
  // expected-error @below {{'cf.switch' op 'flag' type ('i8') should match case value type ('i32')}}
  "cf.switch"(%f)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>, case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi32>}> : (i8) -> ()
^bb1:
  return
}

// -----

func.func @entry_successor(%f: i8) {
  cf.br ^bb1
^bb1:
  // expected-error @below {{reference to an undefined block}}
  cf.br ^bb2
}
