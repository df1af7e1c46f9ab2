// Values by Python: floor division and remainder of integers are those of // and %.

// EVAL @maps(-7 : index, 3 : index) == -3 : index, 1 : index, -2 : index, -7 : index, 3 : index
func.func @maps(%i: index, %n: index) -> (index, index, index, index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
  %c = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%i)[%n]
  %d = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
  %e = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
  return %a, %b, %c, %d, %e : index, index, index, index, index
}

// FAIL @divide(0 : index): 'affine.apply' op undefined behaviour: an affine expression divides by zero
func.func @divide(%n: index) -> index {
  %c7 = arith.constant 7 : index
  %r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%c7)[%n] // <-
  return %r : index
}

// 2 i + j for i in 0, 1, 2 and j in 0, 2: in row-major order 0 2 2 4 4 6.
// EVAL @for(6 : index) == 18 : index
// EVAL @for(-1 : index) == 0 : index
func.func @for(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %sum = affine.for %i = 0 to min affine_map<()[s0] -> (3, s0)>()[%n] iter_args(%s = %c0) -> index {
    %inner = affine.for %j = 0 to 4 step 2 iter_args(%t = %s) -> index {
      %x = affine.apply affine_map<(d0, d1) -> (2 * d0 + d1)>(%i, %j)
      %u = arith.addi %t, %x : index
      affine.yield %u : index
    }
    affine.yield %inner : index
  }
  return %sum : index
}

// The lower triangle.
// EVAL @triangle() == dense<[[1, 0, 0], [1, 1, 0], [1, 1, 1]]> : tensor<3x3xi8>
func.func @triangle() -> memref<3x3xi8> {
  %one = arith.constant 1 : i8
  %zero = arith.constant 0 : i8
  %m = memref.alloc() : memref<3x3xi8>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        affine.store %one, %m[%i, %j] : memref<3x3xi8>
      } else {
        affine.store %zero, %m[%i, %j] : memref<3x3xi8>
      }
    }
  }
  return %m : memref<3x3xi8>
}

// EVAL @shifted(&dense<[1, 2, 3, 4]> : tensor<4xi32>, 2 : index) == 4 : i32
// FAIL @shifted(&dense<[1, 2, 3, 4]> : tensor<4xi32>, 3 : index): 'affine.load' op undefined behaviour: index 4 is out of bounds for dimension 0 of size 4
func.func @shifted(%m: memref<4xi32>, %i: index) -> i32 {
  %x = affine.load %m[%i + 1] : memref<4xi32> // <-
  return %x : i32
}

// EVAL @vectors(&dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[2, 3, 3], [4, 5, 6]]> : tensor<2x3xi8>
func.func @vectors(%m: memref<2x3xi8>) -> memref<2x3xi8> {
  %c0 = arith.constant 0 : index
  %v = affine.vector_load %m[%c0, 1] : memref<2x3xi8>, vector<2xi8>
  affine.vector_store %v, %m[0, %c0] : memref<2x3xi8>, vector<2xi8>
  return %m : memref<2x3xi8>
}

// EVAL @parallel() == 30 : i64, 4536 : i64
func.func @parallel() -> (i64, i64) {
  %r:2 = affine.parallel (%i, %j) = (0, 1) to (3, 5) step (1, 2) reduce ("addi", "muli") -> (i64, i64) {
    %k = affine.apply affine_map<(d0, d1) -> (3 * d0 + d1)>(%i, %j)
    %x = arith.index_cast %k : index to i64
    affine.yield %x, %x : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}

// Reducing nothing gives the neutral element.
// EVAL @nothing(0 : index) == 0 : i8, 1 : i8
func.func @nothing(%n: index) -> (i8, i8) {
  %r:2 = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("addi", "muli") -> (i8, i8) {
    %x = arith.index_cast %i : index to i8
    affine.yield %x, %x : i8, i8
  }
  return %r#0, %r#1 : i8, i8
}

// 23 = (1 * 3 + 1) * 5 + 3.
// EVAL @linear(23 : index) == 1 : index, 1 : index, 3 : index, 23 : index
func.func @linear(%i: index) -> (index, index, index, index) {
  %d:3 = affine.delinearize_index %i into (2, 3, 5) : index, index, index
  %l = affine.linearize_index [%d#0, %d#1, %d#2] by (2, 3, 5) : index
  return %d#0, %d#1, %d#2, %l : index, index, index, index
}

// EVAL @disjoint(1 : index, 4 : index) == 9 : index
// EVAL @disjoint(1 : index, 5 : index) == poison
func.func @disjoint(%i: index, %j: index) -> index {
  %l = affine.linearize_index disjoint [%i, %j] by (2, 5) : index
  return %l : index
}

// The first of as many sizes as indices has no say: here it is poison, the product of 2^32 and 2^32. As a size between others it decides.
// EVAL @first_size(4294967296 : index) == 9 : index, poison
func.func @first_size(%n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %n]
  %l = affine.linearize_index [%c1, %c4] by (%p, 5) : index
  %m = affine.linearize_index [%c1, %c4, %c1] by (%n, %n, %n) : index
  return %l, %m : index, index
}

// Of poison all indices are poison, and their sum; where nobody uses it that is defined.
// EVAL @of_poison(9 : index) == poison, poison, 9 : index
func.func @of_poison(%n: index) -> (index, index, index) {
  %p = ub.poison : index
  %d:2 = affine.delinearize_index %p into (3, 10) : index, index
  %l = affine.linearize_index [%d#0, %n] by (3, 10) : index
  return %d#1, %l, %n : index, index, index
}

// The first size is a promise.
// EVAL @outside(29 : index) == 9 : index
// EVAL @outside(30 : index) == poison
func.func @outside(%i: index) -> index {
  %d:2 = affine.delinearize_index %i into (3, 10) : index, index
  return %d#1 : index
}
