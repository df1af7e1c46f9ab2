// Values by hand.

// EVAL @parts(dense<[[1, 2], [3, 4]]> : vector<2x2xi8>, 1 : index) == 3 : i8, dense<[3, 4]> : vector<2xi8>, dense<[[1, 2], [9, 4]]> : vector<2x2xi8>, dense<[[1, 3], [2, 4]]> : vector<2x2xi8>
func.func @parts(%v: vector<2x2xi8>, %i: index) -> (i8, vector<2xi8>, vector<2x2xi8>, vector<2x2xi8>) {
  %c9 = arith.constant 9 : i8
  %a = vector.extract %v[%i, 0] : i8 from vector<2x2xi8>
  %b = vector.extract %v[1] : vector<2xi8> from vector<2x2xi8>
  %c = vector.insert %c9, %v[%i, 0] : i8 into vector<2x2xi8>
  %d = vector.transpose %v, [1, 0] : vector<2x2xi8> to vector<2x2xi8>
  return %a, %b, %c, %d : i8, vector<2xi8>, vector<2x2xi8>, vector<2x2xi8>
}

// A position outside of the vector is poison.
// EVAL @outside(dense<[1, 2]> : vector<2xi8>, 1 : index) == 2 : i8
// EVAL @outside(dense<[1, 2]> : vector<2xi8>, 2 : index) == poison
func.func @outside(%v: vector<2xi8>, %i: index) -> i8 {
  %a = vector.extract %v[%i] : i8 from vector<2xi8>
  return %a : i8
}

// EVAL @moves(dense<[1, 2, 3, 4]> : vector<4xi8>) == dense<[[1, 2, 3, 4], [1, 2, 3, 4]]> : vector<2x4xi8>, dense<[4, 1, 2]> : vector<3xi8>, dense<[2, 3]> : vector<2xi8>, dense<[1, 7, 7, 4]> : vector<4xi8>, dense<[[1, 2], [3, 4]]> : vector<2x2xi8>, dense<[1, 3]> : vector<2xi8>, dense<[2, 4]> : vector<2xi8>
func.func @moves(%v: vector<4xi8>) -> (vector<2x4xi8>, vector<3xi8>, vector<2xi8>, vector<4xi8>, vector<2x2xi8>, vector<2xi8>, vector<2xi8>) {
  %c7 = arith.constant dense<7> : vector<2xi8>
  %a = vector.broadcast %v : vector<4xi8> to vector<2x4xi8>
  %b = vector.shuffle %v, %v [3, 4, 1] : vector<4xi8>, vector<4xi8>
  %c = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4xi8> to vector<2xi8>
  %d = vector.insert_strided_slice %c7, %v {offsets = [1], strides = [1]} : vector<2xi8> into vector<4xi8>
  %e = vector.shape_cast %v : vector<4xi8> to vector<2x2xi8>
  %f, %g = vector.deinterleave %v : vector<4xi8> -> vector<2xi8>
  return %a, %b, %c, %d, %e, %f, %g : vector<2x4xi8>, vector<3xi8>, vector<2xi8>, vector<4xi8>, vector<2x2xi8>, vector<2xi8>, vector<2xi8>
}

// EVAL @masks(2 : index) == dense<[[true, true, false], [false, false, false]]> : vector<2x3xi1>, dense<[true, true, true]> : vector<3xi1>
func.func @masks(%n: index) -> (vector<2x3xi1>, vector<3xi1>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = vector.create_mask %c1, %n : vector<2x3xi1>
  %b = vector.create_mask %c9 : vector<3xi1>
  return %a, %b : vector<2x3xi1>, vector<3xi1>
}

// EVAL @reductions(dense<[3, -1, 5]> : vector<3xi8>) == 7 : i8, 17 : i8, -1 : i8, -1 : i8
func.func @reductions(%v: vector<3xi8>) -> (i8, i8, i8, i8) {
  %c10 = arith.constant 10 : i8
  %a = vector.reduction <add>, %v : vector<3xi8> into i8
  %b = vector.reduction <add>, %v, %c10 : vector<3xi8> into i8
  %c = vector.reduction <minsi>, %v : vector<3xi8> into i8
  %d = vector.reduction <maxui>, %v : vector<3xi8> into i8
  return %a, %b, %c, %d : i8, i8, i8, i8
}

// EVAL @load(&dense<[1, 2, 3, 4]> : tensor<4xi8>, 2 : index) == dense<[3, 4]> : vector<2xi8>
// FAIL @load(&dense<[1, 2, 3, 4]> : tensor<4xi8>, 3 : index): 'vector.load' op undefined behaviour: index 4 is out of bounds for dimension 0 of size 4
func.func @load(%m: memref<4xi8>, %i: index) -> vector<2xi8> {
  %v = vector.load %m[%i] : memref<4xi8>, vector<2xi8> // <-
  return %v : vector<2xi8>
}

// EVAL @store(&dense<[1, 2, 3]> : tensor<3xi8>, 1 : index) == dense<[1, 8, 9]> : tensor<3xi8>
// FAIL @store(&dense<[1, 2, 3]> : tensor<3xi8>, 2 : index): 'vector.store' op undefined behaviour: index 3 is out of bounds
func.func @store(%m: memref<3xi8>, %i: index) -> memref<3xi8> {
  %v = arith.constant dense<[8, 9]> : vector<2xi8>
  vector.store %v, %m[%i] : memref<3xi8>, vector<2xi8> // <-
  return %m : memref<3xi8>
}

// Lanes that are off may lie outside of the memref.
// EVAL @masked(&dense<[1, 2, 3]> : tensor<3xi8>, dense<[true, false]> : vector<2xi1>) == dense<[3, 7]> : vector<2xi8>, dense<[1, 2, 7]> : tensor<3xi8>
// FAIL @masked(&dense<[1, 2, 3]> : tensor<3xi8>, dense<true> : vector<2xi1>): 'vector.maskedload' op undefined behaviour: index 3 is out of bounds
// FAIL @masked(&dense<[1, 2, 3]> : tensor<3xi8>, poison): undefined behaviour: use of poison
func.func @masked(%m: memref<3xi8>, %mask: vector<2xi1>) -> (vector<2xi8>, memref<3xi8>) {
  %c2 = arith.constant 2 : index
  %c7 = arith.constant dense<7> : vector<2xi8>
  %v = vector.maskedload %m[%c2], %mask, %c7 : memref<3xi8>, vector<2xi1>, vector<2xi8> into vector<2xi8> // <-
  vector.maskedstore %m[%c2], %mask, %c7 : memref<3xi8>, vector<2xi1>, vector<2xi8>
  return %v, %m : vector<2xi8>, memref<3xi8>
}

// The transposed lower right corner, padded.
// EVAL @transfer_read(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[5, 0], [6, 0]]> : vector<2x2xi8>
func.func @transfer_read(%t: tensor<2x3xi8>) -> vector<2x2xi8> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %v = vector.transfer_read %t[%c1, %c1], %zero {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
      : tensor<2x3xi8>, vector<2x2xi8>
  return %v : vector<2x2xi8>
}

// FAIL @broken_promise(&dense<[1, 2, 3]> : tensor<3xi8>, 2 : index): 'vector.transfer_read' op undefined behaviour: index 3 is out of bounds for dimension 0 of size 3
// EVAL @broken_promise(&dense<[1, 2, 3]> : tensor<3xi8>, 1 : index) == dense<[2, 3]> : vector<2xi8>
func.func @broken_promise(%m: memref<3xi8>, %i: index) -> vector<2xi8> {
  %zero = arith.constant 0 : i8
  %v = vector.transfer_read %m[%i], %zero {in_bounds = [true]} : memref<3xi8>, vector<2xi8> // <-
  return %v : vector<2xi8>
}

// EVAL @transfer_write(dense<0> : tensor<3xi8>, dense<[true, true]> : vector<2xi1>) == dense<[0, 0, 8]> : tensor<3xi8>
// EVAL @transfer_write(dense<0> : tensor<3xi8>, dense<[false, true]> : vector<2xi1>) == dense<[0, 0, 0]> : tensor<3xi8>
func.func @transfer_write(%t: tensor<3xi8>, %mask: vector<2xi1>) -> tensor<3xi8> {
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<[8, 9]> : vector<2xi8>
  %r = vector.transfer_write %v, %t[%c2], %mask : vector<2xi8>, tensor<3xi8>
  return %r : tensor<3xi8>
}

// 2 * 5 + 3 * 7 + 1.
// EVAL @contract() == 32 : i32
func.func @contract() -> i32 {
  %a = arith.constant dense<[2, 3]> : vector<2xi32>
  %b = arith.constant dense<[5, 7]> : vector<2xi32>
  %c1 = arith.constant 1 : i32
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %a, %b, %c1 : vector<2xi32>, vector<2xi32> into i32
  return %r : i32
}

// EVAL @multi_reduction(dense<[[1, 2], [3, 4]]> : vector<2x2xi32>) == dense<[14, 26]> : vector<2xi32>
func.func @multi_reduction(%v: vector<2x2xi32>) -> vector<2xi32> {
  %acc = arith.constant dense<[10, 20]> : vector<2xi32>
  %r = vector.multi_reduction <add>, %v, %acc [0] : vector<2x2xi32> to vector<2xi32>
  return %r : vector<2xi32>
}
