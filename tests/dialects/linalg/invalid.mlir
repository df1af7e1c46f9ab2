// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @yield(%a: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'linalg.reduce' op init dimensions [4] doesn't match input dimensions after reduction [8]}}
  %0 = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @yield_2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'linalg.reduce' op dimensions for reduction should be in the range [0, 1].}}
  %0 = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 5>}> ({ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @yield_3(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'linalg.reduce' op number of dimensions after reduction 0 doesn't match the init rank 1}}
  %0 = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @yield_4(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'linalg.reduce' op mismatching number of operands and block arguments}}
  %0 = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({ ^bb0(%x: f32): linalg.yield %x : f32 }) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @case(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @below {{'linalg.transpose' op permutation is not valid}}
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%b: tensor<8x4xf32>) permutation = [1, 1]
  return
}

// -----

func.func @case_2(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{'linalg.transpose' op dim(result, 1) = 5 doesn't match dim(input, permutation[1]) = 4}}
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%b: tensor<8x5xf32>) permutation = [1, 0]
  return
}

// -----

func.func @case_3(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{'linalg.transpose' op size of permutation 3 does not match the argument rank 2}}
  %0 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%b: tensor<8x5xf32>) permutation = [1, 0, 2]
  return
}

// -----

func.func @case_4(%a: tensor<4xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{'linalg.broadcast' op input dim 0 should match init dim 0. input: 4, init: 8}}
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%b: tensor<8x5xf32>) dimensions = [1]
  return
}

// -----

func.func @case_5(%a: tensor<4xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 2, init rank: 2}}
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%b: tensor<8x5xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @case_6(%a: tensor<4xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 3}}
  %0 = linalg.broadcast ins(%a: tensor<4xf32>) outs(%b: tensor<8x5xf32>) dimensions = [3]
  return
}

// -----

func.func @map(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{'linalg.map' op expected shape of input (4) to match shape of output (5)}}
  %0 = linalg.map {arith.negf} ins(%a: tensor<4xf32>) outs(%b: tensor<5xf32>)
  return
}

// -----

func.func @map_2(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'linalg.map' op expects number of operands to match the arity of mapper, but got: 2 and 1}}
  %0 = linalg.map ins(%a: tensor<4xf32>) outs(%b: tensor<4xf32>) (%x : f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @map_3(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'linalg.map' op expected element type of input 'f32' to match bbArg type 'f64'}}
  %0 = linalg.map ins(%a: tensor<4xf32>) outs(%b: tensor<4xf32>) (%x : f64, %y: f32) { linalg.yield %y : f32 }
  return
}

// -----

func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<7x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 7}}
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<7x2xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_2(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{'linalg.matmul' op expected type of operand #2 ('tensor<4x2xf32>') to match type of corresponding result ('tensor<4x3xf32>')}}
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8x2xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @matmul_3(%a: tensor<4x8xf32>, %b: memref<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{'linalg.matmul' op expected to have pure tensor or buffer semantics}}
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, memref<8x2xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_4(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{'linalg.matmul' op expected operand #1 rank (1) to match the result rank of indexing_map (2)}}
  %0 = linalg.matmul ins(%a, %b: tensor<4x8xf32>, tensor<8xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @case_7(%a: tensor<4x8xf32>, %c: tensor<4x2xf32>) {
  %0 = linalg.matmul ins(%a: tensor<4x8xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x2xf32>
  // expected-error @below {{custom op 'linalg.matmul' [parseNamedStructuredOpRegion] ods-gen generated region expects 3 args, got 2}}
  return
}

// -----

func.func @yield_5(%a: tensor<4x8xf32>) {
  // expected-error @below {{custom op 'linalg.generic' unexpected iterator_type (foo)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "foo"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_6(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.generic' op expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_7(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.generic' op invalid indexing maps are non-invertible: ((d0, d1) -> (d0, d0))}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @index(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.index' op expected dim (2) to be lower than the number of loops (2) of the enclosing LinalgOp}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): %i = linalg.index 2 : index linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_8(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x, %x: f32, f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_9(%a: tensor<4x8xf32>, %f: i32) {
  // expected-error @below {{'linalg.yield' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %f: i32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_10(%a: tensor<4x8xf32>, %f: i32) {
  // expected-error @below {{'linalg.yield' op expected parent op with LinalgOp interface}}
  linalg.yield %f: i32
}

// -----

func.func @index_2(%a: tensor<4x8xf32>, %f: i32) {
  // expected-error @below {{'linalg.index' op expected parent op with LinalgOp interface}}
  %i = linalg.index 2 : index
  return
}

// -----

func.func @softmax(%a: tensor<4x8xf32>, %f: i32) {
  // expected-error @below {{'linalg.softmax' op incorrect dimension specified}}
  %0 = linalg.softmax dimension(2) ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_2(%a: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'linalg.softmax' op incompatible output shape}}
  %0 = linalg.softmax dimension(0) ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sub(%a: memref<4x8xi1>) {
  // expected-error @below {{custom op 'linalg.sub' unsupported operation: sub with bools}}
  linalg.sub ins(%a, %a : memref<4x8xi1>, memref<4x8xi1>) outs(%a : memref<4x8xi1>)
  return
}

// -----

func.func @exp(%a: memref<4x8xi32>) {
  // expected-error @below {{custom op 'linalg.exp' unsupported non numeric type}}
  linalg.exp ins(%a : memref<4x8xi32>) outs(%a : memref<4x8xi32>)
  return
}

// -----

func.func @case_8(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) {
  // expected-error @below {{'linalg.matmul' op expected the number of indexing_map (2) to be equal to the number of input/output operands (3)}}
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>] ins(%a, %b: tensor<4x8xf32>, tensor<8x2xf32>) outs(%c: tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @yield_11(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.generic' op unexpected result less than 0 at expression #1 in (d0, d1) -> (d0, d1 - 5)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1 - 5)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @exp_2(%a: tensor<?xf32>, %b: tensor<*xf32>) {
  // expected-error @below {{custom op 'linalg.exp' unsupported non numeric type}}
  %0 = linalg.exp ins(%b : tensor<*xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @yield_12(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.generic' op unexpected symbols in indexing_map #0}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_13(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.generic' op expected operand #0 rank (2) to match the result rank of indexing_map (1)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_14(%a: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.yield' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: i32): linalg.yield %x: i32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @yield_15(%a: tensor<4x8xf32>) {
  // expected-error @below {{cannot name an operation with no results}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x: f32 }
  return
}

// -----

func.func @map_4(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<4xi32>) {
  // expected-error @below {{'linalg.map' op expected type of bb argument #1 ('f64') to match element or self type of the corresponding operand ('f32')}}
  %0 = linalg.map ins(%a: tensor<4xf32>) outs(%b: tensor<4xf32>) (%x : f32, %y: f64) { linalg.yield %x : f32 }
  return
}

// -----

func.func @yield_16(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @below {{'linalg.reduce' op input element type 'f32' does not match corresponding block argument type 'f64'}}
  %0:2 = linalg.reduce ins(%a, %b: tensor<4xf32>, tensor<4xf32>) outs(%i, %i: tensor<f32>, tensor<f32>) dimensions = [0] (%x : f32, %y: f64, %z: f32, %w : f32) { linalg.yield %x, %x : f32, f32 }
  return
}

// -----

func.func @named_without_operands() {
  // expected-error @below {{'linalg.erf' op expected 2 operands, but found 0}}
  "linalg.erf"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    linalg.yield
  }) : () -> ()
  return
}

// -----

func.func @unsigned_maximum_of_floats(%t: tensor<1x4x4x1xf32>, %f: tensor<2x2xf32>, %o: tensor<1x3x3x1xf32>) {
  // expected-error @below {{unsupported operation: unsigned max not on uint}}
  %0 = linalg.pooling_nhwc_max_unsigned ins(%t, %f : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// -----

func.func @unsigned_minimum_of_bits(%t: tensor<1x4x1xi1>, %f: tensor<2xi1>, %o: tensor<1x3x1xi1>) {
  // expected-error @below {{unsupported operation: unsigned min not on uint}}
  %0 = linalg.pooling_nwc_min_unsigned ins(%t, %f : tensor<1x4x1xi1>, tensor<2xi1>) outs(%o : tensor<1x3x1xi1>) -> tensor<1x3x1xi1>
  return
}

// -----

func.func @scalars_only(%x: f32) {
  // expected-error @below {{'linalg.generic' op expected to have pure tensor or buffer semantics}}
  linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} ins(%x : f32) {
  ^bb0(%a: f32):
    linalg.yield
  }
  return
}

// -----

func.func @element_types_of_a_body(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected element type of input 'f32' to match bbArg type 'f64'}}
  %0 = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f64, %out: f32) {
    linalg.yield %x : f64
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @nothing_to_transpose() {
  // expected-error @below {{'linalg.transpose' op expected 2 operands, but found 0}}
  linalg.transpose permutation = [1, 0]
  return
}

// -----

func.func @fill_with_many(%a: tensor<4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected op with scalar input}}
  %0 = linalg.fill ins(%a : tensor<4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// The body of a product multiplies both inputs and adds that to the output.
func.func @product_nothing(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected add/mul op in the body}}
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    linalg.yield %acc : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @product_square(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected add/mul op in the body}}
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %l : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @product_no_sum(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected add/mul op in the body}}
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    linalg.yield %m : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @product_sums_multiplied(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected add/mul op in the body}}
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.addf %l, %r : f32
    %s = arith.mulf %acc, %m : f32
    linalg.yield %s : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @product_constant_factor(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected add/mul op in the body}}
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %c = arith.constant 1.0 : f32
    %m = arith.mulf %l, %c : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Operations of one operand may stand in between, and both operations take their operands in any order.
func.func @product_through_others(%a: tensor<2x2xf32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "linalg.matvec"(%a, %x, %y) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %n = arith.negf %r : f32
    %m = arith.mulf %n, %l : f32
    %e = arith.extf %m : f32 to f64
    %w = arith.extf %acc : f32 to f64
    %s = arith.addf %e, %w : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  }) : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
