// RUN: dl-opt %s --lower-vector-to-from-elements-to-shuffle-tree | FileCheck %s
// RUN: mlir-opt %s --lower-vector-to-from-elements-to-shuffle-tree | FileCheck %s
// REQUIRES: mlir-opt

// CHECK-LABEL: func.func @two_lengths
//  CHECK-SAME:   (%[[A:.*]]: vector<3xf32>, %[[B:.*]]: vector<5xf32>)
func.func @two_lengths(%a: vector<3xf32>, %b: vector<5xf32>) -> vector<4xf32> {
  // CHECK-NEXT: %[[R:.*]] = vector.shuffle %[[A]], %[[B]] [2, 7, 3, 2] : vector<3xf32>, vector<5xf32>
  // CHECK-NEXT: return %[[R]]
  %0:3 = vector.to_elements %a : vector<3xf32>
  %1:5 = vector.to_elements %b : vector<5xf32>
  %r = vector.from_elements %0#2, %1#4, %1#0, %0#2 : vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @one_vector
//  CHECK-SAME:   (%[[A:.*]]: vector<4xf32>)
func.func @one_vector(%a: vector<4xf32>) -> vector<2xf32> {
  // CHECK-NEXT: %[[R:.*]] = vector.shuffle %[[A]], %[[A]] [1, 2] : vector<4xf32>, vector<4xf32>
  %0:4 = vector.to_elements %a : vector<4xf32>
  %r = vector.from_elements %0#1, %0#2 : vector<2xf32>
  return %r : vector<2xf32>
}

// C reaches from 0 to 4 in the result, A from 1 to 3 and B from 2 to 5: C and A are 5 long together, and B is given that length.
// CHECK-LABEL: func.func @reach
//  CHECK-SAME:   (%[[A:.*]]: vector<4xf32>, %[[B:.*]]: vector<4xf32>, %[[C:.*]]: vector<4xf32>)
func.func @reach(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<6xf32> {
  // CHECK-NEXT: %[[CA:.*]] = vector.shuffle %[[C]], %[[A]] [0, 5, -1, 7, 2]
  // CHECK-NEXT: %[[BB:.*]] = vector.shuffle %[[B]], %[[B]] [0, -1, -1, 1, -1]
  // CHECK-NEXT: vector.shuffle %[[CA]], %[[BB]] [0, 1, 5, 3, 4, 8] : vector<5xf32>, vector<5xf32>
  %0:4 = vector.to_elements %a : vector<4xf32>
  %1:4 = vector.to_elements %b : vector<4xf32>
  %2:4 = vector.to_elements %c : vector<4xf32>
  %r = vector.from_elements %2#0, %0#1, %1#0, %0#3, %2#2, %1#1 : vector<6xf32>
  return %r : vector<6xf32>
}

// CHECK-LABEL: func.func @three_levels
//  CHECK-SAME:   (%[[A:.*]]: vector<2xf32>, %[[B:.*]]: vector<2xf32>, %[[C:.*]]: vector<2xf32>, %[[D:.*]]: vector<2xf32>, %[[E:.*]]: vector<2xf32>)
func.func @three_levels(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>, %d: vector<2xf32>, %e: vector<2xf32>) -> vector<10xf32> {
  // CHECK-NEXT: %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 2, 3]
  // CHECK-NEXT: %[[CD:.*]] = vector.shuffle %[[C]], %[[D]] [0, 1, 2, 3]
  // CHECK-NEXT: %[[EE:.*]] = vector.shuffle %[[E]], %[[E]] [0, 1, -1, -1]
  // CHECK-NEXT: %[[ABCD:.*]] = vector.shuffle %[[AB]], %[[CD]] [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK-NEXT: %[[EEEE:.*]] = vector.shuffle %[[EE]], %[[EE]] [0, 1, -1, -1, -1, -1, -1, -1]
  // CHECK-NEXT: vector.shuffle %[[ABCD]], %[[EEEE]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  %0:2 = vector.to_elements %a : vector<2xf32>
  %1:2 = vector.to_elements %b : vector<2xf32>
  %2:2 = vector.to_elements %c : vector<2xf32>
  %3:2 = vector.to_elements %d : vector<2xf32>
  %4:2 = vector.to_elements %e : vector<2xf32>
  %r = vector.from_elements %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1 : vector<10xf32>
  return %r : vector<10xf32>
}

// CHECK-LABEL: func.func @an_element_of_no_vector
func.func @an_element_of_no_vector(%a: vector<2xf32>, %s: f32) -> vector<3xf32> {
  // CHECK-NOT: shuffle
  // CHECK: vector.from_elements
  %0:2 = vector.to_elements %a : vector<2xf32>
  %r = vector.from_elements %0#1, %0#0, %s : vector<3xf32>
  return %r : vector<3xf32>
}

// CHECK-LABEL: func.func @several_dimensions
func.func @several_dimensions(%a: vector<2x2xf32>) -> vector<2x2xf32> {
  // CHECK-NOT: shuffle
  // CHECK: vector.from_elements
  %0:4 = vector.to_elements %a : vector<2x2xf32>
  %r = vector.from_elements %0#2, %0#1, %0#0, %0#3 : vector<2x2xf32>
  return %r : vector<2x2xf32>
}
