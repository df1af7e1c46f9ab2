// RUN: dl-opt %s --vector-linearize --split-input-file | FileCheck %s
// RUN: dl-opt %s --test-vector-linearize --split-input-file | FileCheck %s
// RUN: dl-opt %s --vector-linearize=target-vector-bitwidth=0 --split-input-file | FileCheck %s --check-prefix=NONE

// Nothing has fewer than 0 bits.
// NONE: arith.addf %{{.*}} fastmath<nnan> : vector<2x2xf32>

// CHECK-LABEL: func.func @elementwise
//  CHECK-SAME:   (%[[A:.*]]: vector<2x2xf32>, %[[ON:.*]]: i1)
func.func @elementwise(%a: vector<2x2xf32>, %on: i1) -> vector<2x2xf32> {
  // CHECK: %[[X:.*]] = vector.shape_cast %[[A]] : vector<2x2xf32> to vector<4xf32>
  // CHECK: %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : vector<4xf32>
  // CHECK: %[[S:.*]] = arith.addf %[[X]], %[[C]] fastmath<nnan> : vector<4xf32>
  // CHECK: %[[R:.*]] = arith.select %[[ON]], %[[S]], %[[X]] : vector<4xf32>
  // CHECK: %[[RESULT:.*]] = vector.shape_cast %[[R]] : vector<4xf32> to vector<2x2xf32>
  // CHECK: return %[[RESULT]]
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
  %s = arith.addf %a, %c fastmath<nnan> : vector<2x2xf32>
  %r = arith.select %on, %s, %a : vector<2x2xf32>
  return %r : vector<2x2xf32>
}

// -----

// One scalable dimension: so is the linear one. Two have no linear form.
// CHECK-LABEL: func.func @scalable
func.func @scalable(%a: vector<[2]x4xf32>, %b: vector<[2]x[2]xf32>) -> (vector<[2]x4xf32>, vector<[2]x[2]xf32>) {
  // CHECK: arith.constant dense<2.000000e+00> : vector<[8]xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<[8]xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<[2]x[2]xf32>
  %two = arith.constant dense<2.0> : vector<[2]x4xf32>
  %0 = arith.mulf %a, %two : vector<[2]x4xf32>
  %1 = arith.mulf %b, %b : vector<[2]x[2]xf32>
  return %0, %1 : vector<[2]x4xf32>, vector<[2]x[2]xf32>
}

// -----

// Rows 1 and 2, columns 2 and 3 of four by five: 7, 8, 12, 13.
// CHECK-LABEL: func.func @slices
//  CHECK-SAME:   (%[[A:.*]]: vector<4x5xi8>, %[[B:.*]]: vector<2x2xi8>)
func.func @slices(%a: vector<4x5xi8>, %b: vector<2x2xi8>) -> (vector<2x2xi8>, vector<4x5xi8>) {
  // CHECK-DAG: %[[X:.*]] = vector.shape_cast %[[A]]
  // CHECK-DAG: %[[Y:.*]] = vector.shape_cast %[[B]]
  // CHECK: vector.shuffle %[[X]], %[[X]] [7, 8, 12, 13] : vector<20xi8>, vector<20xi8>
  %0 = vector.extract_strided_slice %a {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x5xi8> to vector<2x2xi8>
  // CHECK: vector.shuffle %[[X]], %[[Y]] [0, 1, 2, 3, 4, 5, 6, 20, 21, 9, 10, 11, 22, 23, 14, 15, 16, 17, 18, 19] : vector<20xi8>, vector<4xi8>
  %1 = vector.insert_strided_slice %b, %a {offsets = [1, 2], strides = [1, 1]} : vector<2x2xi8> into vector<4x5xi8>
  return %0, %1 : vector<2x2xi8>, vector<4x5xi8>
}

// -----

// A slice of fewer dimensions than what it goes into, and offsets for the leading dimensions alone.
// CHECK-LABEL: func.func @slices_of_other_ranks
func.func @slices_of_other_ranks(%a: vector<2x3x2xi8>, %b: vector<2xi8>) -> (vector<1x3x2xi8>, vector<2x3x2xi8>) {
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [6, 7, 8, 9, 10, 11]
  %0 = vector.extract_strided_slice %a {offsets = [1], sizes = [1], strides = [1]} : vector<2x3x2xi8> to vector<1x3x2xi8>
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 10, 11]
  %1 = vector.insert_strided_slice %b, %a {offsets = [1, 1, 0], strides = [1]} : vector<2xi8> into vector<2x3x2xi8>
  return %0, %1 : vector<1x3x2xi8>, vector<2x3x2xi8>
}

// -----

// CHECK-LABEL: func.func @parts
//  CHECK-SAME:   (%[[A:.*]]: vector<2x3x2xi8>, %[[B:.*]]: vector<3x2xi8>, %[[S:.*]]: i8)
func.func @parts(%a: vector<2x3x2xi8>, %b: vector<3x2xi8>, %s: i8) -> (vector<2xi8>, i8, vector<2x3x2xi8>, vector<2x3x2xi8>) {
  // CHECK-DAG: %[[X:.*]] = vector.shape_cast %[[A]]
  // CHECK-DAG: %[[Y:.*]] = vector.shape_cast %[[B]]
  // CHECK: %[[P:.*]] = vector.shuffle %[[X]], %[[X]] [10, 11]
  %0 = vector.extract %a[1, 2] : vector<2xi8> from vector<2x3x2xi8>
  // CHECK: %[[E:.*]] = vector.extract %[[X]][9] : i8 from vector<12xi8>
  %1 = vector.extract %a[1, 1, 1] : i8 from vector<2x3x2xi8>
  // CHECK: vector.shuffle %[[X]], %[[Y]] [12, 13, 14, 15, 16, 17, 6, 7, 8, 9, 10, 11] : vector<12xi8>, vector<6xi8>
  %2 = vector.insert %b, %a[0] : vector<3x2xi8> into vector<2x3x2xi8>
  // CHECK: vector.insert %[[S]], %[[X]] [3] : i8 into vector<12xi8>
  %3 = vector.insert %s, %a[0, 1, 1] : i8 into vector<2x3x2xi8>
  return %0, %1, %2, %3 : vector<2xi8>, i8, vector<2x3x2xi8>, vector<2x3x2xi8>
}

// -----

// Where a position is known only when running, and in scalable vectors, no mask of a shuffle can say what is taken.
// CHECK-LABEL: func.func @parts_that_stay
func.func @parts_that_stay(%a: vector<2x3xi8>, %i: index, %b: vector<2x[4]xi8>) -> (vector<3xi8>, vector<[4]xi8>) {
  // CHECK-NOT: shuffle
  // CHECK: vector.extract %{{.*}}[%{{.*}}] : vector<3xi8> from vector<2x3xi8>
  %0 = vector.extract %a[%i] : vector<3xi8> from vector<2x3xi8>
  // CHECK: vector.extract %{{.*}}[1] : vector<[4]xi8> from vector<2x[4]xi8>
  %1 = vector.extract %b[1] : vector<[4]xi8> from vector<2x[4]xi8>
  return %0, %1 : vector<3xi8>, vector<[4]xi8>
}

// -----

// Rows by number: those of the second vector are 4 and 5. Nothing is known of what is poison.
// CHECK-LABEL: func.func @rows
func.func @rows(%a: vector<4x2xi8>, %b: vector<2x2xi8>) -> vector<3x2xi8> {
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [10, 11, -1, -1, 2, 3] : vector<8xi8>, vector<4xi8>
  %0 = vector.shuffle %a, %b [5, -1, 1] : vector<4x2xi8>, vector<2x2xi8>
  return %0 : vector<3x2xi8>
}

// -----

// CHECK-LABEL: func.func @same_in_a_row
//  CHECK-SAME:   (%[[A:.*]]: vector<2x2xi32>, %[[S:.*]]: i32)
func.func @same_in_a_row(%a: vector<2x2xi32>, %s: i32) -> (vector<2x4xi16>, vector<2x2xi32>, vector<2x4xi32>, vector<4x1xi32>) {
  // CHECK: %[[X:.*]] = vector.shape_cast %[[A]]
  // CHECK: vector.bitcast %[[X]] : vector<4xi32> to vector<8xi16>
  %0 = vector.bitcast %a : vector<2x2xi32> to vector<2x4xi16>
  // CHECK: vector.broadcast %[[S]] : i32 to vector<4xi32>
  %1 = vector.broadcast %s : i32 to vector<2x2xi32>
  // CHECK: vector.interleave %[[X]], %[[X]] : vector<4xi32> -> vector<8xi32>
  %2 = vector.interleave %a, %a : vector<2x2xi32> -> vector<2x4xi32>
  // CHECK: %[[T:.*]]:4 = vector.to_elements %[[X]] : vector<4xi32>
  %3:4 = vector.to_elements %a : vector<2x2xi32>
  // CHECK: vector.from_elements %[[T]]#3, %[[T]]#2, %[[S]], %[[T]]#0 : vector<4xi32>
  %4 = vector.from_elements %3#3, %3#2, %s, %3#0 : vector<4x1xi32>
  return %0, %1, %2, %4 : vector<2x4xi16>, vector<2x2xi32>, vector<2x4xi32>, vector<4x1xi32>
}

// -----

// The dimensions before the last one have extent 1: on where all their sizes are above zero.
// CHECK-LABEL: func.func @mask
//  CHECK-SAME:   (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @mask(%n: index, %m: index) -> (vector<1x8xi1>, vector<2x8xi1>) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: %[[ON:.*]] = arith.cmpi sgt, %[[N]], %[[ZERO]]
  // CHECK: %[[SIZE:.*]] = arith.select %[[ON]], %[[M]], %[[ZERO]]
  // CHECK: vector.create_mask %[[SIZE]] : vector<8xi1>
  %0 = vector.create_mask %n, %m : vector<1x8xi1>
  // CHECK: vector.create_mask %[[N]], %[[M]] : vector<2x8xi1>
  %1 = vector.create_mask %n, %m : vector<2x8xi1>
  return %0, %1 : vector<1x8xi1>, vector<2x8xi1>
}

// -----

// One row of memory is in one piece, several need not be.
// CHECK-LABEL: func.func @memory
//  CHECK-SAME:   (%[[M:.*]]: memref<?x?xf32>, %[[I:.*]]: index)
func.func @memory(%m: memref<?x?xf32>, %i: index) {
  // CHECK: %[[ROW:.*]] = vector.load %[[M]][%[[I]], %[[I]]] : memref<?x?xf32>, vector<4xf32>
  // CHECK: %[[ROWS:.*]] = vector.load %[[M]][%[[I]], %[[I]]] : memref<?x?xf32>, vector<2x4xf32>
  // CHECK: vector.store %[[ROW]], %[[M]][%[[I]], %[[I]]] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  // CHECK: vector.store %[[ROWS]], %[[M]][%[[I]], %[[I]]] : memref<?x?xf32>, vector<2x4xf32>
  %0 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<1x4xf32>
  %1 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<2x4xf32>
  vector.store %0, %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<1x4xf32>
  vector.store %1, %m[%i, %i] : memref<?x?xf32>, vector<2x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @not_vectors_of_several_dimensions
func.func @not_vectors_of_several_dimensions(%a: tensor<2x2xf32>, %b: vector<f32>, %c: vector<4xf32>) -> (tensor<2x2xf32>, vector<f32>, vector<4xf32>) {
  // CHECK-NOT: vector.shape_cast
  // CHECK: arith.addf %{{.*}} : tensor<2x2xf32>
  // CHECK: arith.addf %{{.*}} : vector<f32>
  // CHECK: arith.addf %{{.*}} : vector<4xf32>
  %0 = arith.addf %a, %a : tensor<2x2xf32>
  %1 = arith.addf %b, %b : vector<f32>
  %2 = arith.addf %c, %c : vector<4xf32>
  return %0, %1, %2 : tensor<2x2xf32>, vector<f32>, vector<4xf32>
}

// -----

// Across rows elements move, or are combined: those operations stay.
// CHECK-LABEL: func.func @across_rows
func.func @across_rows(%a: vector<2x4xf32>, %b: vector<4xf32>) -> (vector<4x2xf32>, vector<4xf32>, vector<2x4xf32>) {
  // CHECK: vector.transpose %{{.*}}, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  // CHECK: vector.multi_reduction <add>, %{{.*}} : vector<2x4xf32> to vector<4xf32>
  // CHECK: vector.broadcast %{{.*}} : vector<4xf32> to vector<2x4xf32>
  %0 = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %1 = vector.multi_reduction <add>, %a, %b [0] : vector<2x4xf32> to vector<4xf32>
  %2 = vector.broadcast %b : vector<4xf32> to vector<2x4xf32>
  return %0, %1, %2 : vector<4x2xf32>, vector<4xf32>, vector<2x4xf32>
}

// -----

// A reshape between vectors that both become the same one is nothing.
// CHECK-LABEL: func.func @reshape
func.func @reshape(%a: vector<2x4xf32>) -> vector<4x2xf32> {
  // CHECK: %[[X:.*]] = vector.shape_cast %{{.*}} : vector<2x4xf32> to vector<8xf32>
  // CHECK-NEXT: %[[Y:.*]] = arith.negf %[[X]]
  // CHECK-NEXT: %[[Z:.*]] = arith.addf %[[Y]], %[[Y]]
  // CHECK-NEXT: vector.shape_cast %[[Z]] : vector<8xf32> to vector<4x2xf32>
  %0 = arith.negf %a : vector<2x4xf32>
  %1 = vector.shape_cast %0 : vector<2x4xf32> to vector<4x2xf32>
  %2 = arith.addf %1, %1 : vector<4x2xf32>
  return %2 : vector<4x2xf32>
}
