// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @constant_of_one_part() {
  // expected-error @below {{'complex.constant' op requires 'value' to be a complex constant, represented as array of two values}}
  %0 = complex.constant [0.1] : complex<f64>
  return
}

// -----

func.func @constant_of_two_types() {
  // expected-error @below {{'complex.constant' op requires attribute's element types ('f32', 'f64') to match the element type of the op's return type ('f64')}}
  %0 = complex.constant [0.1 : f32, 0.2 : f64] : complex<f64>
  return
}

// -----

func.func @constant_of_text() {
  // expected-error @below {{'complex.constant' op requires attribute's elements to be float or integer attributes}}
  %0 = complex.constant ["a", 0.2] : complex<f64>
  return
}

// -----

func.func @bitcast_to_wider(%a: i32) {
  // expected-error @below {{'complex.bitcast' op casting bitwidths do not match}}
  %0 = complex.bitcast %a : i32 to complex<f32>
  return
}

// -----

func.func @bitcast_without_complex(%a: i64) {
  // expected-error @below {{'complex.bitcast' op requires that either input or output has a complex type}}
  %0 = complex.bitcast %a : i64 to f64
  return
}

// -----

func.func @bitcast_of_index(%a: index) {
  // expected-error @below {{'complex.bitcast' op operand must be int/float/complex}}
  %0 = complex.bitcast %a : index to complex<f32>
  return
}

// -----

// expected-error @below {{expected a float type}}
func.func private @number_of_integers() attributes {complex.a = #complex.number<:i32 1, 2>}

// -----

// expected-error @below {{expected type 'complex<f32>'}}
func.func private @number_of_another_type() attributes {complex.a = #complex.number<:f32 1.0, 2.0> : complex<f64>}
