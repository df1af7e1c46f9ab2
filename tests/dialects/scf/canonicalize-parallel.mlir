// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @nested
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index)
func.func @nested(%a: index, %b: index, %c: index) {
  // CHECK-NEXT: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%[[A]], %[[B]]) to (%[[B]], %[[C]]) step (%[[C]], %[[C]]) {
  // CHECK-NEXT:   "test.body"(%[[I]], %[[J]])
  scf.parallel (%i) = (%a) to (%b) step (%c) {
    scf.parallel (%j) = (%b) to (%c) step (%c) {
      "test.body"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @triangle
func.func @triangle(%a: index, %b: index, %c: index) {
  // CHECK-COUNT-2: scf.parallel
  scf.parallel (%i) = (%a) to (%b) step (%c) {
    scf.parallel (%j) = (%a) to (%i) step (%c) {
      "test.body"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @runs_once
//  CHECK-SAME:   (%[[OUT:.*]]: tensor<8xf32>, %[[X:.*]]: tensor<2xf32>)
func.func @runs_once(%out: tensor<8xf32>, %x: tensor<2xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[R:.*]] = tensor.insert_slice %[[X]] into %[[OUT]][3] [2] [1]
  // CHECK-NEXT: return %[[R]]
  %0 = scf.forall (%i) = (3) to (5) step (2) shared_outs(%o = %out) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @one_dimension_runs_once
func.func @one_dimension_runs_once(%out: tensor<8x8xf32>, %x: tensor<2x8xf32>) -> tensor<8x8xf32> {
  // CHECK: scf.forall (%[[I:.*]]) = (0) to (8) step (2) shared_outs(%[[O:.*]] = %{{.*}})
  // CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[I]], 0] [2, 8] [1, 1]
  %0 = scf.forall (%i, %j) = (0, 0) to (8, 8) step (2, 8) shared_outs(%o = %out) -> tensor<8x8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, %j] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
    }
  }
  return %0 : tensor<8x8xf32>
}

// -----

// Dimensions with a mapping stay, but their only value is known.
// CHECK-LABEL: func.func @mapped
func.func @mapped(%out: tensor<8xf32>, %x: tensor<2xf32>) -> tensor<8xf32> {
  // CHECK: scf.forall
  // CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[3] [2] [1]
  %0 = scf.forall (%i) = (3) to (5) step (2) shared_outs(%o = %out) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %0 : tensor<8xf32>
}

// -----

// The first output is not written, the result of the second is not read.
// CHECK-LABEL: func.func @outputs
//  CHECK-SAME:   (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<8xf32>
func.func @outputs(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %x: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK:      %[[R:.*]] = scf.forall (%[[I:.*]]) in (8) shared_outs(%[[O:.*]] = %[[C]]) -> (tensor<8xf32>)
  // CHECK-NEXT:   "test.read"(%[[A]], %[[B]], %[[O]])
  // CHECK-NEXT:   scf.forall.in_parallel {
  // CHECK-NEXT:     tensor.parallel_insert_slice %{{.*}} into %[[O]]
  // CHECK-NEXT:   }
  // CHECK:      return %[[A]], %[[R]]
  %0:3 = scf.forall (%i) in (8) shared_outs(%o = %a, %p = %b, %q = %c) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    "test.read"(%o, %p, %q) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %x into %q[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0#0, %0#2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @size_of_result
//  CHECK-SAME:   (%[[A:.*]]: tensor<?xf32>
func.func @size_of_result(%a: tensor<?xf32>, %x: tensor<1xf32>) -> (tensor<?xf32>, index) {
  // CHECK: tensor.dim %[[A]], %{{.*}}
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (8) shared_outs(%o = %a) -> tensor<?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

// -----

// CHECK-LABEL: func.func @cast_of_output
//  CHECK-SAME:   (%[[A:.*]]: tensor<4xf32>
func.func @cast_of_output(%a: tensor<4xf32>, %x: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]] = scf.forall {{.*}} shared_outs(%{{.*}} = %[[A]]) -> (tensor<4xf32>)
  // CHECK: return %[[R]]
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = scf.forall (%i) in (4) shared_outs(%o = %0) -> tensor<?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
