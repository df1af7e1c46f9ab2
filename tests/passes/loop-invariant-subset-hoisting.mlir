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

// -----

// The same place, said in another way, and places that one value sets apart. What is written last leaves first.
// CHECK-LABEL: func.func @places
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[S:.*]] = tensor.extract_slice %[[T]][%[[N]]] [4] [1]
// CHECK: %[[R:.*]] = tensor.extract_slice %[[T]][0] [%[[N]]] [1]
// CHECK: %[[F:.*]]:3 = scf.for %{{.*}} iter_args(%[[W:[a-z0-9]+]] = %[[T]], %[[P:[a-z0-9]+]] = %[[S]], %[[Q:[a-z0-9]+]] = %[[R]])
// CHECK:   scf.yield %[[W]], %{{.*}}, %{{.*}} :
// CHECK: %[[X:.*]] = tensor.insert_slice %[[F]]#2 into %[[F]]#0[%{{.*}}] [%[[N]]] [1]
// CHECK: %[[Y:.*]] = tensor.insert_slice %[[F]]#1 into %[[X]][%[[N]]] [4] [1]
// CHECK: return %[[Y]]
func.func @places(%t: tensor<?xf32>, %n: index, %a: index, %b: index, %c: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.subi %c1, %c1 : index
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<?xf32>) {
    %p = tensor.extract_slice %w[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    %q = tensor.extract_slice %w[%n] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %x = arith.negf %p : tensor<?xf32>
    %y = arith.negf %q : tensor<4xf32>
    %u = tensor.insert_slice %y into %w[%n] [4] [1] : tensor<4xf32> into tensor<?xf32>
    %v = tensor.insert_slice %x into %u[%zero] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Out of both loops.
// CHECK-LABEL: func.func @nest
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<16xf32>
// CHECK-DAG: %[[S:.*]] = tensor.extract_slice %[[T]][0] [4] [1]
// CHECK-DAG: %[[R:.*]] = tensor.extract_slice %[[T]][4] [4] [1]
// CHECK: scf.for %{{.*}} iter_args(%[[W:[a-z0-9]+]] = %[[T]], %[[P:[a-z0-9]+]] = %[[S]], %[[Q:[a-z0-9]+]] = %[[R]])
// CHECK:   scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %[[W]], %{{[a-z0-9]+}} = %{{[a-z0-9]+}})
// CHECK-NOT: tensor.{{extract|insert}}_slice
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
// CHECK: return
func.func @nest(%t: tensor<16xf32>, %a: index, %b: index, %c: index) -> tensor<16xf32> {
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<16xf32>) {
    %p = tensor.extract_slice %w[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %u = arith.negf %p : tensor<4xf32>
    %x = tensor.insert_slice %u into %w[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
    %y = scf.for %j = %a to %b step %c iter_args(%z = %x) -> (tensor<16xf32>) {
      %q = tensor.extract_slice %z[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
      %v = arith.negf %q : tensor<4xf32>
      %n = tensor.insert_slice %v into %z[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
      scf.yield %n : tensor<16xf32>
    }
    scf.yield %y : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// -----

// The inner loop, which carries the tensor, reads what may be the same part.
// CHECK-LABEL: func.func @nest_overlaps
// CHECK: scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (tensor<16xf32>)
func.func @nest_overlaps(%t: tensor<16xf32>, %a: index, %b: index, %c: index) -> tensor<16xf32> {
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<16xf32>) {
    %p = tensor.extract_slice %w[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %u = arith.negf %p : tensor<4xf32>
    %x = tensor.insert_slice %u into %w[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
    %y = scf.for %j = %a to %b step %c iter_args(%z = %x) -> (tensor<16xf32>) {
      %q = tensor.extract_slice %z[%j] [4] [1] : tensor<16xf32> to tensor<4xf32>
      %n = tensor.insert_slice %q into %z[%j] [4] [1] : tensor<4xf32> into tensor<16xf32>
      scf.yield %n : tensor<16xf32>
    }
    scf.yield %y : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// -----

// CHECK-LABEL: func.func @transfers
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<8x8xf32>
// CHECK: %[[S:.*]] = vector.transfer_read %[[T]][%[[I:.*]], %[[J:.*]]], %{{.*}} {in_bounds = [true]} : tensor<8x8xf32>, vector<4xf32>
// CHECK: %[[F:.*]]:2 = scf.for %{{.*}} iter_args(%[[W:[a-z0-9]+]] = %[[T]], %[[P:[a-z0-9]+]] = %[[S]])
// CHECK:   vector.transfer_read %[[W]]
// CHECK:   %[[V:.*]] = arith.addf %[[P]]
// CHECK:   scf.yield %[[W]], %[[V]]
// CHECK: vector.transfer_write %[[F]]#1, %[[F]]#0[%[[I]], %[[J]]] {in_bounds = [true]}
func.func @transfers(%t: tensor<8x8xf32>, %a: index, %b: index, %c: index, %j: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<8x8xf32>) {
    %p = vector.transfer_read %w[%c0, %j], %z {in_bounds = [true]} : tensor<8x8xf32>, vector<4xf32>
    %o = vector.transfer_read %w[%c1, %j], %z {in_bounds = [true]} : tensor<8x8xf32>, vector<4xf32>
    %v = arith.addf %p, %o : vector<4xf32>
    %n = vector.transfer_write %v, %w[%c0, %j] {in_bounds = [true]} : vector<4xf32>, tensor<8x8xf32>
    scf.yield %n : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// Lanes past the end are padding in each iteration, whatever was written there; mlir-opt 22 hoists this.
// CHECK-LABEL: func.func @padding
// CHECK: scf.for
// CHECK:   vector.transfer_read
// CHECK:   vector.transfer_write
func.func @padding(%t: tensor<6xf32>, %a: index, %b: index, %c: index) -> tensor<6xf32> {
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %a to %b step %c iter_args(%w = %t) -> (tensor<6xf32>) {
    %p = vector.transfer_read %w[%c4], %z : tensor<6xf32>, vector<4xf32>
    %v = vector.shuffle %p, %p [3, 3, 0, 1] : vector<4xf32>, vector<4xf32>
    %n = vector.transfer_write %v, %w[%c4] : vector<4xf32>, tensor<6xf32>
    scf.yield %n : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}
