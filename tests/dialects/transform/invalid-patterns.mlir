// RUN: dl-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @no_patterns(%a: !transform.any_op) {
  // expected-error @below {{'transform.apply_patterns' op expected children ops to implement PatternDescriptorOpInterface}}
  transform.apply_patterns to %a {
    // expected-note @below {{op without interface}}
    %0 = arith.constant 1 : i32
  } : !transform.any_op
  // expected-error @below {{'transform.apply_patterns' op expected children ops to implement PatternDescriptorOpInterface}}
  transform.apply_patterns to %a {
    transform.apply_patterns.canonicalization
    // expected-note @below {{op without interface}}
    "foo.bar"() : () -> ()
  } : !transform.any_op
  return
}

// -----

func.func @other_patterns(%a: !transform.any_op) {
  // expected-error @below {{'transform.apply_conversion_patterns' op expected pattern children ops to implement ConversionPatternDescriptorOpInterface}}
  transform.apply_conversion_patterns to %a {
    // expected-note @below {{op without interface}}
    transform.apply_patterns.canonicalization
  } {illegal_dialects = ["math"]} : !transform.any_op
  return
}

// -----

func.func @type_converters(%a: !transform.any_op) {
  // expected-error @below {{'transform.apply_conversion_patterns' op expected default converter child op to implement TypeConverterBuilderOpInterface}}
  transform.apply_conversion_patterns to %a {
  } with type_converter {
    // expected-note @below {{op without interface}}
    %0 = arith.constant 1 : i32
  } {illegal_dialects = ["math"]} : !transform.any_op
  // expected-error @below {{'transform.apply_conversion_patterns' op expected exactly one op in default type converter region}}
  transform.apply_conversion_patterns to %a {
  } with type_converter {
  } {illegal_dialects = ["math"]} : !transform.any_op
  return
}

// -----

func.func @dialects(%a: !transform.any_op) {
  transform.apply_conversion_patterns to %a {
    transform.apply_conversion_patterns.dialect_to_llvm "arith"
    // expected-error @below {{'transform.apply_conversion_patterns.dialect_to_llvm' op unknown dialect or dialect not loaded: there_is_none}}
    transform.apply_conversion_patterns.dialect_to_llvm "there_is_none"
    // expected-error @below {{'transform.apply_conversion_patterns.dialect_to_llvm' op dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded: llvm}}
    transform.apply_conversion_patterns.dialect_to_llvm "llvm"
  } {illegal_dialects = ["math"]} : !transform.any_op
  return
}

// -----

func.func @bounds(%a: !transform.any_op) {
  // expected-error @below {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of lower bounds, expected 1 but found 2}}
  transform.affine.simplify_bounded_affine_ops %a with [%a : !transform.any_op] within [2, 3] and [4] : !transform.any_op
  // expected-error @below {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of upper bounds, expected 1 but found 0}}
  transform.affine.simplify_bounded_affine_ops %a with [%a : !transform.any_op] within [2] and [] : !transform.any_op
  return
}
