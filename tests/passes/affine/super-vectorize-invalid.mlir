// RUN: not dl-opt %s --affine-super-vectorize=virtual-vector-size=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not dl-opt %s --affine-super-vectorize='virtual-vector-size=4,8 vectorize-reductions=true' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not dl-opt %s --affine-super-vectorize='virtual-vector-size=4,8 test-fastest-varying=0' 2>&1 | FileCheck %s --check-prefix=PATTERN

// ZERO: error: Vectorization factor must be greater than zero.
// RANK: error: Vectorizing reductions is supported only for 1-D vectors.
// PATTERN: Fastest varying pattern specified with different size than the vector size.
func.func @f() {
  return
}
