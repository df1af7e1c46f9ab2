// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @extui(%a: i32) {
  // expected-error @below {{'arith.extui' op operand type 'i32' and result type 'i16' are cast incompatible}}
  %0 = arith.extui %a : i32 to i16
  return
}

// -----

func.func @trunci(%a: i16) {
  // expected-error @below {{'arith.trunci' op operand type 'i16' and result type 'i32' are cast incompatible}}
  %0 = arith.trunci %a : i16 to i32
  return
}

// -----

func.func @extf(%a: f32) {
  // expected-error @below {{'arith.extf' op operand type 'f32' and result type 'f16' are cast incompatible}}
  %0 = arith.extf %a : f32 to f16
  return
}

// -----

func.func @truncf(%a: f32) {
  // expected-error @below {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
  %0 = arith.truncf %a : f32 to f64
  return
}

// -----

func.func @index_cast(%a: i32) {
  // expected-error @below {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = arith.index_cast %a : i32 to i64
  return
}

// -----

func.func @bitcast(%a: i32) {
  // expected-error @below {{'arith.bitcast' op operand type 'i32' and result type 'f64' are cast incompatible}}
  %0 = arith.bitcast %a : i32 to f64
  return
}

// -----

func.func @scaling_extf(%a: f32) {
  // expected-error @below {{'arith.scaling_extf' op operand types 'f32', 'f32' and result type 'f16' are cast incompatible}}
  %0 = arith.scaling_extf %a, %a : f32, f32 to f16
  return
}

// -----

func.func @case() {
  // expected-error @below {{'arith.constant' op integer return type must be signless}}
  %0 = "arith.constant"() {value = 1 : si32} : () -> si32
  return
}

// -----

func.func @case_2() {
  // expected-error @below {{'arith.constant' op value must be an integer, float, or elements attribute}}
  %0 = "arith.constant"() {value = "a" : i32} : () -> i32
  return
}

// -----

func.func @constant() {
  // expected-error @below {{'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[1, 2]> : vector<[2]xi32>
  return
}

// -----

func.func @extui_2(%a: vector<2xi32>) {
  // expected-error @below {{'arith.extui' op requires the same shape for all operands and results}}
  %0 = arith.extui %a : vector<2xi32> to vector<3xi64>
  return
}

// -----

func.func @extui_3(%a: tensor<2xi32>) {
  // expected-error @below {{'arith.extui' op failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.extui %a : tensor<2xi32> to tensor<?xi64>
  return
}

// -----

func.func @index_cast_2(%a: i32) {
  // expected-error @below {{'arith.index_cast' op requires the same shape for all operands and results}}
  %0 = arith.index_cast %a : i32 to vector<3xindex>
  return
}

// -----

func.func @case_3(%a: i32, %b: i64) {
  // expected-error @below {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
  %0 = "arith.cmpi"(%a, %a) {predicate = 1} : (i32, i32) -> i32
  return
}

// -----

func.func @select(%a: i1, %b: i64, %c: i32) {
  // expected-error @below {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%a, %b, %c) : (i1, i64, i32) -> i32
  return
}

// -----

func.func @scalable_to_fixed(%a: vector<[4]xi32>) {
  // expected-error @below {{'arith.trunci' op requires the same shape for all operands and results}}
  %0 = arith.trunci %a : vector<[4]xi32> to vector<4xi8>
  return
}

// -----

func.func @vector_and_tensor(%a: vector<8xi32>) {
  // expected-error @below {{'arith.addui_extended' op all non-scalar operands/results must have the same shape and base type}}
  %0:2 = arith.addui_extended %a, %a : vector<8xi32>, tensor<8xi1>
  return
}

// -----

func.func @cast_changes_encoding(%a: tensor<2xf32, "here">) {
  // expected-error @below {{'arith.extf' op operand type 'tensor<2xf32, "here">' and result type 'tensor<2xf64>' are cast incompatible}}
  %0 = arith.extf %a : tensor<2xf32, "here"> to tensor<2xf64>
  return
}

// -----

// Results have the type of the first operand, by which they are read again.
func.func @other_extents(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  // expected-error @below {{'arith.addf' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  %0 = "arith.addf"(%a, %b) : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
