// RUN: dl-opt %s --split-input-file --verify-diagnostics

// Result types follow from operands, up to what may stand for them.

func.func @constant() {
  // expected-error @below {{'shape.const_shape' op inferred type(s) 'tensor<3xindex>' are incompatible with return type(s) of operation 'tensor<2xindex>'}}
  %0 = shape.const_shape [4, 5, 6] : tensor<2xindex>
  return
}

// -----

func.func @extents_of_value(%t: tensor<1x2xf32>, %m: memref<*xf32>) {
  %0 = shape.shape_of %m : memref<*xf32> -> tensor<3xindex>
  %1 = shape.shape_of %t : tensor<1x2xf32> -> tensor<?xindex>
  // expected-error @below {{'shape.shape_of' op inferred type(s) 'tensor<2xindex>' are incompatible with return type(s) of operation 'tensor<3xindex>'}}
  %2 = shape.shape_of %t : tensor<1x2xf32> -> tensor<3xindex>
  return
}

// -----

func.func @shape_and_index(%a: !shape.shape, %b: index) {
  // expected-error @below {{requires all sizes or shapes}}
  %0 = shape.meet %a, %b : !shape.shape, index -> !shape.shape
  return
}

// -----

func.func @numbers_of_extents(%a: tensor<2xindex>, %b: tensor<3xindex>) {
  // expected-error @below {{unequal shape cardinality}}
  %0 = shape.meet %a, %b : tensor<2xindex>, tensor<3xindex> -> tensor<?xindex>
  return
}

// -----

func.func @size_of_shapes(%a: !shape.shape) {
  // expected-error @below {{'shape.max' op inferred type(s) '!shape.shape' are incompatible with return type(s) of operation '!shape.size'}}
  %0 = shape.max %a, %a : !shape.shape, !shape.shape -> !shape.size
  return
}
