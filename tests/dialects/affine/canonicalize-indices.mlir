// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() -> (index, index, index, index) {
  // CHECK-DAG: %[[CN2:.*]] = arith.constant -2 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[C22:.*]] = arith.constant 22 : index
  // CHECK: return %[[CN2]], %[[C1]], %[[C3]], %[[C22]]
  %c-22 = arith.constant -22 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:3 = affine.delinearize_index %c-22 into (2, 3, 5) : index, index, index
  %1 = affine.linearize_index [%c1, %c1, %c2] by (3, 5) : index
  return %0#0, %0#1, %0#2, %1 : index, index, index, index
}

// -----

// CHECK-LABEL: func.func @single
//  CHECK-SAME:   (%[[X:.*]]: index, %{{.*}}: index)
func.func @single(%x: index, %n: index) -> (index, index, index) {
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
  %0 = affine.delinearize_index %x into (%n) : index
  %1 = affine.delinearize_index %x into () : index
  %2 = affine.linearize_index [%x] by (5) : index
  return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: func.func @units
//  CHECK-SAME:   (%[[X:.*]]: index, %[[N:.*]]: index)
func.func @units(%x: index, %n: index) -> (index, index, index, index, index) {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[R:.*]]:2 = affine.delinearize_index %[[X]] into (%[[N]], 4) : index, index
  // CHECK-NEXT: return %[[ZERO]], %[[R]]#0, %[[ZERO]], %[[R]]#1, %[[ZERO]]
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0:5 = affine.delinearize_index %x into (1, %n, 1, %c4, %c1) : index, index, index, index, index
  return %0#0, %0#1, %0#2, %0#3, %0#4 : index, index, index, index, index
}

// -----

// CHECK-LABEL: func.func @zeros
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index, %[[N:.*]]: index)
func.func @zeros(%x: index, %y: index, %n: index) -> (index, index, index) {
  // CHECK-NEXT: %[[A:.*]] = affine.linearize_index [%[[X]], %[[Y]]] by (3, 5)
  // CHECK-NEXT: %[[B:.*]] = affine.linearize_index disjoint [%[[X]], %[[Y]]] by (3, %[[N]])
  // CHECK-NEXT: %[[C:.*]] = affine.linearize_index [%[[X]], %[[N]], %[[Y]]] by (3, 1, 5)
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  %c0 = arith.constant 0 : index
  %0 = affine.linearize_index [%c0, %x, %y] by (2, 3, 5) : index
  %1 = affine.linearize_index disjoint [%x, %n, %y] by (3, 1, %n) : index
  %2 = affine.linearize_index [%x, %n, %y] by (3, 1, 5) : index
  return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: func.func @apart_again
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index, %[[Z:.*]]: index, %[[N:.*]]: index)
func.func @apart_again(%x: index, %y: index, %z: index, %n: index) -> (index, index, index) {
  // CHECK-NEXT: return %[[X]], %[[Y]], %[[Z]]
  %0 = affine.linearize_index disjoint [%x, %y, %z] by (%n, 4, %n) : index
  %1:3 = affine.delinearize_index %0 into (4, %n) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}

// -----

// CHECK-LABEL: func.func @partly_apart_again
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index, %[[Z:.*]]: index, %[[N:.*]]: index)
func.func @partly_apart_again(%x: index, %y: index, %z: index, %n: index) -> (index, index, index) {
  // CHECK-NEXT: %[[L:.*]] = affine.linearize_index disjoint [%[[X]], %[[Y]]] by (%[[N]], 4)
  // CHECK-NEXT: %[[R:.*]]:2 = affine.delinearize_index %[[L]] into (8)
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[Z]]
  %0 = affine.linearize_index disjoint [%x, %y, %z] by (%n, 4, %n) : index
  %1:3 = affine.delinearize_index %0 into (8, %n) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}

// -----

// Indices that may be larger than their dimension reach into the next one.
// CHECK-LABEL: func.func @not_disjoint
func.func @not_disjoint(%x: index, %y: index) -> (index, index) {
  // CHECK: affine.linearize_index
  // CHECK: affine.delinearize_index
  %0 = affine.linearize_index [%x, %y] by (3, 4) : index
  %1:2 = affine.delinearize_index %0 into (3, 4) : index, index
  return %1#0, %1#1 : index, index
}

// -----

// CHECK-LABEL: func.func @last_one_apart
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
func.func @last_one_apart(%x: index, %y: index) -> (index, index, index) {
  // CHECK-NEXT: %[[R:.*]]:2 = affine.delinearize_index %[[Y]] into (8, 8)
  // CHECK-NEXT: return %[[X]], %[[R]]#0, %[[R]]#1
  %0 = affine.linearize_index disjoint [%x, %y] by (2, 64) : index
  %1:3 = affine.delinearize_index %0 into (2, 8, 8) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}

// -----

// CHECK: #[[PRODUCT:.*]] = affine_map<()[s0, s1] -> ((s0 * s1) * 16)>
// CHECK-LABEL: func.func @together_again
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index, %[[M:.*]]: index, %[[N:.*]]: index)
func.func @together_again(%x: index, %y: index, %m: index, %n: index) -> (index, index) {
  // CHECK-NEXT: %[[SIZE:.*]] = affine.apply #[[PRODUCT]]()[%[[M]], %[[N]]]
  // CHECK-NEXT: %[[R:.*]] = affine.linearize_index [%[[Y]], %[[X]], %[[Y]]] by (3, %[[SIZE]], 4)
  // CHECK-NEXT: return %[[X]], %[[R]]
  %0:3 = affine.delinearize_index %x into (%m, 4, %n) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (4, %n) : index
  %2:4 = affine.delinearize_index %x into (2, %m, %n, 8) : index, index, index, index
  %3 = affine.linearize_index [%y, %2#0, %2#1, %2#2, %2#3, %y] by (3, 2, %m, %n, 8, 4) : index
  return %1, %3 : index, index
}

// -----

// CHECK-LABEL: func.func @other_sizes
func.func @other_sizes(%x: index) -> index {
  // CHECK: affine.delinearize_index
  // CHECK: affine.linearize_index
  %0:2 = affine.delinearize_index %x into (3, 4) : index, index
  %1 = affine.linearize_index [%0#0, %0#1] by (3, 5) : index
  return %1 : index
}

// -----

// CHECK: #[[PLUS:.*]] = affine_map<()[s0, s1] -> (s0 + s1 + 7)>
// CHECK: #[[NESTED:.*]] = affine_map<()[s0] -> (s0 * 2 + s0 ceildiv 4)>
// CHECK-LABEL: func.func @summed_up
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
func.func @summed_up(%x: index, %y: index) -> (index, index) {
  // CHECK-NEXT: %[[A:.*]] = affine.apply #[[PLUS]]()[%[[Y]], %[[X]]]
  // CHECK-NEXT: %[[B:.*]] = affine.apply #[[NESTED]]()[%[[X]]]
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0:3 = affine.delinearize_index %x into (3, 4, 5) : index, index, index
  %1 = affine.apply affine_map<()[s0, s1, s2, s3] -> (s0 + s1 * 5 + s2 * 20 + s3 + 7)>()[%0#2, %0#1, %0#0, %y]
  %2:2 = affine.delinearize_index %x into (20) : index, index
  %3 = affine.apply affine_map<()[s0, s1] -> ((s0 + s1 * 20) ceildiv 4 + (s1 * 20 + s0) * 2)>()[%2#1, %2#0]
  return %1, %3 : index, index
}

// -----

// CHECK: #[[SAME:.*]] = affine_map<()[s0, s1] -> (s0 + s1 * 5)>
// CHECK-LABEL: func.func @summed_up_in_part
func.func @summed_up_in_part(%x: index) -> index {
  // CHECK: affine.apply #[[SAME]]
  %0:3 = affine.delinearize_index %x into (3, 4, 5) : index, index, index
  %1 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 5)>()[%0#2, %0#1]
  return %1 : index
}

// -----

// A part of what was taken apart is put together: it is one index.
// CHECK-LABEL: func.func @part
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
//  CHECK-NEXT:   %[[P:.*]]:2 = affine.delinearize_index %[[X]] into (3, 20)
//  CHECK-NEXT:   %[[L:.*]] = affine.linearize_index [%[[Y]], %[[P]]#1] by (7, 20)
//  CHECK-NEXT:   return %[[L]]
func.func @part(%x: index, %y: index) -> index {
  %0:3 = affine.delinearize_index %x into (3, 4, 5) : index, index, index
  %1 = affine.linearize_index [%y, %0#1, %0#2] by (7, 4, 5) : index
  return %1 : index
}

// -----

// What else uses the parts takes that index apart.
// CHECK-LABEL: func.func @part_with_other_users
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
//  CHECK-NEXT:   %[[P:.*]]:2 = affine.delinearize_index %[[X]] into (3, 20)
//  CHECK-NEXT:   %[[Q:.*]]:2 = affine.delinearize_index %[[P]]#1 into (4, 5)
//  CHECK-NEXT:   %[[L:.*]] = affine.linearize_index [%[[Y]], %[[P]]#1] by (7, 20)
//  CHECK-NEXT:   return %[[L]], %[[Q]]#1
func.func @part_with_other_users(%x: index, %y: index) -> (index, index) {
  %0:3 = affine.delinearize_index %x into (3, 4, 5) : index, index, index
  %1 = affine.linearize_index [%y, %0#1, %0#2] by (7, 4, 5) : index
  return %1, %0#2 : index, index
}

// -----

// The size that is put before the first index is not a promise: what is taken apart stays as large as it is.
// CHECK-LABEL: func.func @part_of_a_size_of_its_own
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
//  CHECK-NEXT:   %[[P:.*]]:2 = affine.delinearize_index %[[X]] into (8)
//  CHECK-NEXT:   %[[L:.*]] = affine.linearize_index [%[[P]]#0, %[[Y]]] by (12, 16)
//  CHECK-NEXT:   return %[[L]], %[[P]]#1
func.func @part_of_a_size_of_its_own(%x: index, %y: index) -> (index, index) {
  %0:3 = affine.delinearize_index %x into (4, 8) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %y] by (3, 4, 16) : index
  return %1, %0#2 : index, index
}

// -----

// What is left of a number after a remainder by the same divisor is a multiple of it.
// CHECK-LABEL: func.func @remainder_of_multiple
//  CHECK-SAME:   (%[[X:.*]]: index, %[[S:.*]]: index)
//  CHECK-NEXT:   %[[C0:.*]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[R:.*]] = affine.apply
//  CHECK-NEXT:   return %[[C0]], %[[R]]
func.func @remainder_of_multiple(%x: index, %s: index) -> (index, index) {
  %0 = affine.apply affine_map<()[s0, s1] -> ((s0 - s0 mod s1) mod s1)>()[%x, %s]
  %1 = affine.apply affine_map<()[s0, s1] -> ((s0 + s0 mod s1) mod s1)>()[%x, %s]
  return %0, %1 : index, index
}

// -----

// Disjoint indices are a promise, but not to those that use the others.
// CHECK-LABEL: func.func @part_of_a_promised_size
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
//  CHECK-NEXT:   %[[P:.*]]:3 = affine.delinearize_index %[[X]] into (4, 8)
//  CHECK-NEXT:   %[[Q:.*]]:2 = affine.delinearize_index %[[X]] into (12, 8)
//  CHECK-NEXT:   %[[L:.*]] = affine.linearize_index disjoint [%[[Q]]#0, %[[Y]]] by (12, 16)
//  CHECK-NEXT:   return %[[L]], %[[P]]#2
func.func @part_of_a_promised_size(%x: index, %y: index) -> (index, index) {
  %0:3 = affine.delinearize_index %x into (4, 8) : index, index, index
  %1 = affine.linearize_index disjoint [%0#0, %0#1, %y] by (3, 4, 16) : index
  return %1, %0#2 : index, index
}

// -----

// A part may be a size as well: it is one of the new parts then.
// CHECK-LABEL: func.func @part_as_size
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index, %[[M:.*]]: index, %[[N:.*]]: index)
//  CHECK-NEXT:   %[[S:.*]] = affine.apply
//  CHECK-NEXT:   %[[P:.*]]:3 = affine.delinearize_index %[[X]] into (%[[S]], %[[N]], 256)
//  CHECK-NEXT:   %[[Q:.*]]:2 = affine.delinearize_index %[[P]]#0 into (2, %[[M]])
//  CHECK-NEXT:   affine.linearize_index [%[[Y]], %[[P]]#0, %[[P]]#1, %[[P]]#2, %[[Y]]] by (3, %[[S]], %[[Q]]#0, 8, 4)
func.func @part_as_size(%x: index, %y: index, %m: index, %n: index) -> index {
  %0:4 = affine.delinearize_index %x into (2, %m, %n, 256) : index, index, index, index
  %1 = affine.linearize_index [%y, %0#0, %0#1, %0#2, %0#3, %y] by (3, 2, %m, %0#0, 8, 4) : index
  return %1 : index
}
