// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @extract_slice(%m: tensor<8x4xf32>) {
  // expected-error @below {{offset 0 is out-of-bounds: 9 >= 8}}
  %0 = tensor.extract_slice %m[9, 0][2, 2][1, 1] : tensor<8x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @extract_slice_2(%m: tensor<8x4xf32>) {
  // expected-error @below {{expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %m[0, 0][2, 2][1, 1] : tensor<8x4xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @extract_slice_3(%m: tensor<8x4xf32>) {
  // expected-error @below {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %m[0, 0][2, 2][1, 1] : tensor<8x4xf32> to tensor<2x2xf64>
  return
}

// -----

func.func @insert_slice(%m: tensor<8x4xf32>, %n: tensor<2x3xf32>) {
  // expected-error @below {{expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %n into %m[0, 0][2, 2][1, 1] : tensor<2x3xf32> into tensor<8x4xf32>
  return
}

// -----

func.func @insert_slice_2(%m: tensor<8x4xf32>, %n: tensor<2x2x2xf32>) {
  // expected-error @below {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.insert_slice %n into %m[0, 0][2, 2][1, 1] : tensor<2x2x2xf32> into tensor<8x4xf32>
  return
}

// -----

func.func @cast(%m: tensor<8x4xf32>) {
  // expected-error @below {{'tensor.cast' op operand type 'tensor<8x4xf32>' and result type 'tensor<8x5xf32>' are cast incompatible}}
  %0 = tensor.cast %m : tensor<8x4xf32> to tensor<8x5xf32>
  return
}

// -----

func.func @collapse_shape(%m: tensor<8x?xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.collapse_shape %m [[0, 1]] : tensor<8x?xf32> into tensor<8xf32>
  return
}

// -----

func.func @collapse_shape_2(%m: tensor<8x4xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected collapsed rank (2) to equal the number of reassociation maps (1).}}
  %0 = tensor.collapse_shape %m [[0, 1]] : tensor<8x4xf32> into tensor<32x1xf32>
  return
}

// -----

func.func @collapse_shape_3(%m: tensor<8x4xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 32}}
  %0 = tensor.collapse_shape %m [[0, 1]] : tensor<8x4xf32> into tensor<31xf32>
  return
}

// -----

func.func @expand_shape(%m: tensor<8x4xf32>) {
  // expected-error @below {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf32> into tensor<2x3x4xf32>
  return
}

// -----

func.func @empty(%i: index) {
  // expected-error @below {{'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.empty() : tensor<?xf32>
  return
}

// -----

func.func @extract(%m: tensor<8x4xf32>, %i: index) {
  // expected-error @below {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %m[%i] : tensor<8x4xf32>
  return
}

// -----

func.func @insert(%m: tensor<8x4xf32>, %i: index, %f: f32) {
  // expected-error @below {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %f into %m[%i] : tensor<8x4xf32>
  return
}

// -----

func.func @generate(%f: f32) {
  // expected-error @below {{'tensor.generate' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.generate { ^bb0(%i: index): tensor.yield %f : f32 } : tensor<?xf32>
  return
}

// -----

func.func @generate_2(%f: f32, %i: index) {
  // expected-error @below {{must have one body argument per input dimension}}
  %0 = tensor.generate %i { ^bb0(%i1: index, %j: index): tensor.yield %f : f32 } : tensor<?xf32>
  return
}

// -----

func.func @generate_3(%f: f64, %i: index) {
  // expected-error @below {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %0 = tensor.generate %i { ^bb0(%i1: index): tensor.yield %f : f64 } : tensor<?xf32>
  return
}

// -----

func.func @pad(%m: tensor<8x4xf32>, %f: f32) {
  // expected-error @below {{specified type 'tensor<10x7xf32>' does not match the inferred type 'tensor<10x6xf32>'}}
  %0 = tensor.pad %m low[1, 1] high[1, 1] { ^bb0(%i: index, %j: index): tensor.yield %f : f32 } : tensor<8x4xf32> to tensor<10x7xf32>
  return
}

// -----

func.func @pad_2(%m: tensor<8x4xf32>, %f: f32) {
  // expected-error @below {{expected the block to have 2 arguments}}
  %0 = tensor.pad %m low[1, 1] high[1, 1] { ^bb0(%i: index): tensor.yield %f : f32 } : tensor<8x4xf32> to tensor<10x6xf32>
  return
}

// -----

func.func @concat(%m: tensor<8x4xf32>, %f: f32) {
  // expected-error @below {{'tensor.concat' op result type 'tensor<15x4xf32>'does not match inferred shape 'tensor<16x4xf32>' static sizes}}
  %0 = tensor.concat dim(0) %m, %m : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<15x4xf32>
  return
}

// -----

func.func @concat_2(%m: tensor<8x4xf32>, %f: f32) {
  // expected-error @below {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %0 = tensor.concat dim(3) %m, %m : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @reshape(%m: tensor<8x4xf32>, %s: tensor<2xindex>) {
  // expected-error @below {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %0 = tensor.reshape %m(%s) : (tensor<8x4xf32>, tensor<2xindex>) -> tensor<8x3xf32>
  return
}

// -----

func.func @reshape_2(%m: tensor<8x4xf32>, %s: tensor<2xindex>) {
  // expected-error @below {{'tensor.reshape' op length of shape operand differs from the result's tensor rank}}
  %0 = tensor.reshape %m(%s) : (tensor<8x4xf32>, tensor<2xindex>) -> tensor<32xf32>
  return
}

// -----

func.func @splat(%m: f32, %i: index) {
  // expected-error @below {{'tensor.splat' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.splat %m : tensor<?xf32>
  return
}

// -----

func.func @bitcast(%m: tensor<8xf32>) {
  // expected-error @below {{'tensor.bitcast' op operand type 'tensor<8xf32>' and result type 'tensor<8xi64>' are cast incompatible}}
  %0 = tensor.bitcast %m : tensor<8xf32> to tensor<8xi64>
  return
}

// -----

func.func @gather_at_one_number(%a: tensor<4x5xf32>, %i: tensor<index>) {
  // expected-error @below {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<4x5xf32>, tensor<index>) -> tensor<1x5xf32>
  return
}

// -----

func.func @insert_into_what_is_not_shared(%a: tensor<1xf32>, %b: tensor<8xf32>) {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %b) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      // expected-error @below {{'tensor.parallel_insert_slice' op may only insert into an output block argument}}
      tensor.parallel_insert_slice %a into %b[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return
}

// -----

func.func @collapse_to_other_elements(%t: tensor<f32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected collapsed type to be 'tensor<f32>', but got 'tensor<index>'}}
  %0 = tensor.collapse_shape %t [] : tensor<f32> into tensor<index>
  return
}

// -----

func.func @gather_at_unknown_number(%t: tensor<?xf32>, %i: tensor<?x?xindex>) {
  // expected-error @below {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x?xindex>) -> tensor<?xf32>
  return
}

// -----

func.func @empty_group(%t: tensor<4x2xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op reassociation indices must not be empty}}
  %0 = tensor.collapse_shape %t [[0, 1], []] : tensor<4x2xf32> into tensor<8x1xf32>
  return
}
