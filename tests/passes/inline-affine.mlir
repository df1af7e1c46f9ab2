// RUN: dl-opt %s --inline='default-pipeline=' --split-input-file | FileCheck %s

func.func private @load_at(%m: memref<?xf32>, %i: index) -> f32 {
  %v = affine.load %m[%i] : memref<?xf32>
  return %v : f32
}

// CHECK-LABEL: func.func @into_loop
func.func @into_loop(%m: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    // CHECK: affine.load
    // CHECK-NOT: call
    %v = func.call @load_at(%m, %i) : (memref<?xf32>, index) -> f32
  }
  return
}

// -----

func.func @load_from(%m: memref<?xf32>, %i: index) -> f32 {
  %v = affine.load %m[symbol(%i)] : memref<?xf32>
  return %v : f32
}

// The variable of a loop is no symbol. Upstream inlines both calls all the same, and the verifier refuses what comes of it.
// CHECK-LABEL: func.func @variable_as_symbol
func.func @variable_as_symbol(%m: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    // CHECK: call @load_from
    %v = func.call @load_from(%m, %i) : (memref<?xf32>, index) -> f32
  }
  return
}

// -----

func.func @scaled(%i: index) -> index {
  %j = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%i]
  return %j : index
}

// CHECK-LABEL: func.func @variable_of_apply
func.func @variable_of_apply(%m: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    // CHECK: call @scaled
    %v = func.call @scaled(%i) : (index) -> index
  }
  return
}

// No affine operations where maps may not be.
// CHECK-LABEL: func.func @in_other_loop
func.func @in_other_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: call @scaled
    %v = func.call @scaled(%i) : (index) -> index
  }
  return
}
