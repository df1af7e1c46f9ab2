// RUN: dl-opt %s --allow-unregistered-dialect --loop-invariant-subset-hoisting --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @hoisted
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[T]][0] [4] [1]
// CHECK: %[[F:.*]]:2 = scf.for %{{.*}} iter_args(%[[W:[a-z0-9]+]] = %[[T]], %[[P:[a-z0-9]+]] = %[[S]])
// CHECK:   %[[O:.*]] = tensor.extract_slice %[[W]][8] [4] [1]
// CHECK:   %[[V:.*]] = arith.addf %[[P]], %[[O]]
// CHECK:   scf.yield %[[W]], %[[V]]
// CHECK: %[[R:.*]] = tensor.insert_slice %[[F]]#1 into %[[F]]#0[0] [4] [1]
// CHECK: return %[[R]]
func.func @hoisted(%t: tensor<16xf32>, %a: index, %b: index, %c: index) -> tensor<16xf32> {
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<16xf32>) {
    %p = tensor.extract_slice %w[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %o = tensor.extract_slice %w[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %v = arith.addf %p, %o : tensor<4xf32>
    %n = tensor.insert_slice %v into %w[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %n : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// -----

// Another slice overlaps; the place differs from iteration to iteration; the slice is taken after the insertion.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor<16xf32>)
// CHECK: scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor<16xf32>)
// CHECK: scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor<16xf32>)
func.func @kept(%t: tensor<16xf32>, %q: tensor<4xf32>, %a: index, %b: index, %c: index) -> tensor<16xf32> {
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<16xf32>) {
    %p = tensor.extract_slice %w[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %o = tensor.extract_slice %w[3] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %v = arith.addf %p, %o : tensor<4xf32>
    %n = tensor.insert_slice %v into %w[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %n : tensor<16xf32>
  }
  %1 = scf.for %i = %a to %b step %c iter_args(%w = %0) -> (tensor<16xf32>) {
    %p = tensor.extract_slice %w[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %n = tensor.insert_slice %p into %w[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %n : tensor<16xf32>
  }
  %2 = scf.for %i = %a to %b step %c iter_args(%w = %1) -> (tensor<16xf32>) {
    %n = tensor.insert_slice %q into %w[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
    %p = tensor.extract_slice %n[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    "any.use"(%p) : (tensor<4xf32>) -> ()
    scf.yield %n : tensor<16xf32>
  }
  return %2 : tensor<16xf32>
}
