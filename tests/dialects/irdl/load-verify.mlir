// RUN: dl-opt %s --irdl-file=%S/Inputs/geo.mlir --verify-diagnostics --split-input-file

func.func @another_coordinate(%p: !geo.point<i32>) {
  // expected-error @below {{expected 'i32' but got 'f32'}}
  %x = "geo.x"(%p) : (!geo.point<i32>) -> f32
  return
}

// -----

func.func @another_type(%p: i32) {
  // expected-error @below {{expected base type 'geo.point' but got 'i32'}}
  %x = "geo.x"(%p) : (i32) -> i32
  return
}

// -----

func.func @another_base(%p: vector<2xi32>) {
  // expected-error @below {{expected base type 'geo.point' but got 'builtin.vector'}}
  %x = "geo.hull"(%p) : (vector<2xi32>) -> !geo.point<i32>
  return
}

// -----

// expected-error @below {{'i64' does not satisfy the constraint}}
func.func private @parameter(!geo.point<i64>)

// -----

// expected-error @below {{expected 1 type arguments, but had 2}}
func.func private @parameters(!geo.point<i32, i32>)

// -----

// expected-error @below {{expected 0 type arguments, but had 1}}
func.func private @no_parameters(!geo.origin<i32>)

// -----

// expected-error @below {{expected base attribute 'builtin.string' but got 'builtin.integer'}}
func.func private @attribute_parameter() attributes {geo.u = #geo.unit<3 : i32>}

// -----

func.func @operands(%p: !geo.point<i32>) {
  // expected-error @below {{op expects exactly 1 operands, but got 2}}
  %x = "geo.x"(%p, %p) : (!geo.point<i32>, !geo.point<i32>) -> i32
  return
}

// -----

func.func @results(%p: !geo.point<i32>) {
  // expected-error @below {{op expects exactly 1 results, but got 0}}
  "geo.x"(%p) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @no_segments(%p: !geo.point<i32>) {
  // expected-error @below {{'operandSegmentSizes' attribute is expected but not provided}}
  "geo.path"(%p) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @segments_of_another_type(%p: !geo.point<i32>) {
  // expected-error @below {{'operandSegmentSizes' attribute is expected to be a dense i32 array}}
  "geo.path"(%p) {operandSegmentSizes = array<i64: 0, 0, 1>} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @two_segments(%p: !geo.point<i32>) {
  // expected-error @below {{'operandSegmentSizes' attribute for specifying operand segments must have 3 elements, but got 2}}
  "geo.path"(%p) {operandSegmentSizes = array<i32: 0, 1>} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @negative_segment(%p: !geo.point<i32>) {
  // expected-error @below {{'operandSegmentSizes' attribute for specifying operand segments must have non-negative values}}
  "geo.path"(%p) {operandSegmentSizes = array<i32: -1, 1, 1>} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @two_optional_values(%p: !geo.point<i32>, %i: index) {
  // expected-error @below {{element 1 in 'operandSegmentSizes' attribute must be equal to 0 or 1}}
  "geo.path"(%i, %i, %p) {operandSegmentSizes = array<i32: 0, 2, 1>} : (index, index, !geo.point<i32>) -> ()
  return
}

// -----

func.func @no_single_value(%p: !geo.point<i32>) {
  // expected-error @below {{element 2 in 'operandSegmentSizes' attribute must be equal to 1}}
  "geo.path"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @sum_of_segments(%p: !geo.point<i32>) {
  // expected-error @below {{sum of elements in 'operandSegmentSizes' attribute must be equal to the number of operands}}
  "geo.path"(%p) {operandSegmentSizes = array<i32: 1, 0, 1>} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @no_attribute(%p: !geo.point<i32>) {
  // expected-error @below {{attribute "unit" is expected but not provided}}
  "geo.measure"(%p) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @another_attribute(%p: !geo.point<i32>) {
  // expected-error @below {{expected base attribute 'geo.unit' but got 'builtin.type'}}
  "geo.measure"(%p) {unit = i32} : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @regions(%p: !geo.point<i32>) {
  // expected-error @below {{'geo.each' op unexpected number of regions: expected 2 but got 1}}
  "geo.each"(%p) ({}) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @region_arguments(%p: !geo.point<i32>) {
  // expected-error @below {{expected region 0 to have 1 arguments but got 0}}
  "geo.each"(%p) ({
    llvm.unreachable
  }, {}) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @region_argument_type(%p: !geo.point<i32>) {
  // expected-note @below {{see the operation}}
  "geo.each"(%p) ({
  // expected-error @below {{expected 'i32' but got 'i64'}}
  ^body(%c: i64):
    llvm.unreachable
  }, {}) : (!geo.point<i32>) -> ()
  return
}

// -----

func.func @region_blocks() {
  // expected-error @below {{expected region 0 to have 1 block(s) but got 2}}
  "geo.each"() ({
  ^body(%c: i64):
    cf.br ^next
  ^next:
    llvm.unreachable
  }, {}) : () -> ()
  return
}

// -----

func.func @unknown_operation() {
  // expected-note @below {{did you mean 'geo.x'?}}
  // expected-error @below {{unregistered operation 'geo.y' found in dialect ('geo') that does not allow unknown operations}}
  "geo.y"() : () -> ()
  return
}
