// RUN: dl-opt %s --affine-parallelize --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-parallelize=parallel-reductions --split-input-file | FileCheck %s --check-prefix=REDUCE
// RUN: dl-opt %s --affine-parallelize=max-nested=1 --split-input-file | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @rows
// ONE-LABEL: func.func @rows
func.func @rows(%m: memref<64x65xf32>) {
  // Each row is worked on from left to right.
  // CHECK:      affine.parallel (%[[I:.*]]) = (0) to (64)
  // CHECK-NEXT:   affine.for
  // ONE:        affine.parallel
  // ONE-NEXT:     affine.for
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %m[%i, %j] : memref<64x65xf32>
      affine.store %x, %m[%i, %j + 1] : memref<64x65xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @even_and_odd
func.func @even_and_odd(%m: memref<128xf32>) {
  // CHECK: affine.parallel
  affine.for %i = 0 to 63 {
    %x = affine.load %m[%i * 2] : memref<128xf32>
    affine.store %x, %m[%i * 2 + 1] : memref<128xf32>
  }
  return
}

// -----

// The same element for iterations 0 and 50.
// CHECK-LABEL: func.func @far_apart
func.func @far_apart(%m: memref<128xf32>) {
  // CHECK-NOT: affine.parallel
  // CHECK:     affine.for
  affine.for %i = 0 to 51 {
    %x = affine.load %m[%i] : memref<128xf32>
    affine.store %x, %m[%i + 50] : memref<128xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @not_that_far
func.func @not_that_far(%m: memref<128xf32>) {
  // CHECK: affine.parallel
  affine.for %i = 0 to 50 {
    %x = affine.load %m[%i] : memref<128xf32>
    affine.store %x, %m[%i + 50] : memref<128xf32>
  }
  return
}

// -----

// Two views of one buffer.
// CHECK-LABEL: func.func @views
func.func @views(%m: memref<128xf32>) {
  %v = memref.subview %m[1] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 1>>
  // CHECK-NOT: affine.parallel
  // CHECK:     affine.for
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<128xf32>
    affine.store %x, %v[%i] : memref<64xf32, strided<[1], offset: 1>>
  }
  return
}

// -----

// CHECK-LABEL: func.func @sum
// REDUCE-LABEL: func.func @sum
func.func @sum(%m: memref<128xi32>, %init: i32) -> i32 {
  // CHECK-NOT: affine.parallel
  // CHECK:     affine.for
  // REDUCE:      %[[S:.*]] = affine.parallel (%[[I:.*]]) = (0) to (128) reduce ("addi") -> (i32) {
  // REDUCE-NEXT:   %[[X:.*]] = affine.load %{{.*}}[%[[I]]]
  // REDUCE-NEXT:   affine.yield %[[X]]
  // REDUCE:      %[[R:.*]] = arith.addi %{{.*}}, %[[S]]
  // REDUCE:      return %[[R]]
  %r = affine.for %i = 0 to 128 iter_args(%a = %init) -> i32 {
    %x = affine.load %m[%i] : memref<128xi32>
    %s = arith.addi %a, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}

// -----

// Each iteration looks at another part of the buffer, which overlaps the next one.
// CHECK-LABEL: func.func @view_of_each_iteration
func.func @view_of_each_iteration(%m: memref<128xf32>) {
  // CHECK-NOT: affine.parallel
  // CHECK:     affine.for
  affine.for %i = 0 to 64 {
    %v = memref.subview %m[%i] [2] [1] : memref<128xf32> to memref<2xf32, strided<[1], offset: ?>>
    %x = affine.load %v[0] : memref<2xf32, strided<[1], offset: ?>>
    affine.store %x, %v[1] : memref<2xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// CHECK-LABEL: func.func @buffer_of_each_iteration
func.func @buffer_of_each_iteration(%m: memref<128xf32>) {
  // CHECK: affine.parallel
  affine.for %i = 0 to 64 {
    %b = memref.alloc() : memref<1xf32>
    %x = affine.load %m[%i] : memref<128xf32>
    affine.store %x, %b[0] : memref<1xf32>
    %y = affine.load %b[0] : memref<1xf32>
    affine.store %y, %m[%i + 64] : memref<128xf32>
  }
  return
}
