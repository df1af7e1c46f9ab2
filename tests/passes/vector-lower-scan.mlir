// RUN: dl-opt %s --vector-lower-scan | FileCheck %s
// RUN: dl-opt %s --vector-lower-scan --oracle=each-pass | FileCheck %s

// Each slice is combined with the sum so far, which does not begin with the initial value.
// CHECK-LABEL: func.func @inclusive
//  CHECK-SAME:   (%[[V:.*]]: vector<3x2xf32>,
//       CHECK:   %[[A:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]}
//       CHECK:   vector.insert_strided_slice %[[A]],
//       CHECK:   %[[B:.*]] = vector.extract_strided_slice %[[V]] {offsets = [1, 0], sizes = [1, 2], strides = [1, 1]}
//       CHECK:   %[[AB:.*]] = arith.addf %[[A]], %[[B]] : vector<1x2xf32>
//       CHECK:   vector.insert_strided_slice %[[AB]],
//       CHECK:   %[[C:.*]] = vector.extract_strided_slice %[[V]] {offsets = [2, 0], sizes = [1, 2], strides = [1, 1]}
//       CHECK:   %[[ABC:.*]] = arith.addf %[[AB]], %[[C]] : vector<1x2xf32>
//       CHECK:   %[[ALL:.*]] = vector.insert_strided_slice %[[ABC]],
//       CHECK:   %[[SUM:.*]] = vector.shape_cast %[[ABC]] : vector<1x2xf32> to vector<2xf32>
//       CHECK:   return %[[ALL]], %[[SUM]]
func.func @inclusive(%v: vector<3x2xf32>, %init: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %0:2 = vector.scan <add>, %v, %init {inclusive = true, reduction_dim = 0} : vector<3x2xf32>, vector<2xf32>
  return %0#0, %0#1 : vector<3x2xf32>, vector<2xf32>
}

// The initial value comes first, and the last slice is not read.
// CHECK-LABEL: func.func @exclusive
//  CHECK-SAME:   (%[[V:.*]]: vector<2x2xi32>, %[[INIT:.*]]: vector<2xi32>)
//       CHECK:   %[[A:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0, 0], sizes = [2, 1], strides = [1, 1]}
//   CHECK-NOT:   vector.extract_strided_slice
//       CHECK:   %[[FIRST:.*]] = vector.shape_cast %[[INIT]] : vector<2xi32> to vector<2x1xi32>
//       CHECK:   %[[NEXT:.*]] = arith.maxsi %[[FIRST]], %[[A]] : vector<2x1xi32>
func.func @exclusive(%v: vector<2x2xi32>, %init: vector<2xi32>) -> (vector<2x2xi32>, vector<2xi32>) {
  %0:2 = vector.scan <maxsi>, %v, %init {inclusive = false, reduction_dim = 1} : vector<2x2xi32>, vector<2xi32>
  return %0#0, %0#1 : vector<2x2xi32>, vector<2xi32>
}

// How many slices there are must be known, not how long they are.
// CHECK-LABEL: func.func @scalable_slices
//  CHECK-SAME:   (%[[V:[^:]*]]: vector<2x[4]xi32>, %[[INIT:[^:]*]]: vector<[4]xi32>)
//       CHECK:   %[[A:.*]] = vector.extract_strided_slice %[[V]] {offsets = [0, 0], sizes = [1, 4], strides = [1, 1]}
//       CHECK:   %[[FIRST:.*]] = vector.shape_cast %[[INIT]] : vector<[4]xi32> to vector<1x[4]xi32>
//       CHECK:   %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[A]] : vector<1x[4]xi32>
//       CHECK:   vector.shape_cast %[[NEXT]] : vector<1x[4]xi32> to vector<[4]xi32>
func.func @scalable_slices(%v: vector<2x[4]xi32>, %init: vector<[4]xi32>) -> (vector<2x[4]xi32>, vector<[4]xi32>) {
  %0:2 = vector.scan <add>, %v, %init {inclusive = false, reduction_dim = 0} : vector<2x[4]xi32>, vector<[4]xi32>
  return %0#0, %0#1 : vector<2x[4]xi32>, vector<[4]xi32>
}

// CHECK-LABEL: func.func @scalable
//       CHECK:   vector.scan
func.func @scalable(%v: vector<[4]xi32>, %init: vector<i32>) -> vector<[4]xi32> {
  %0:2 = vector.scan <add>, %v, %init {inclusive = true, reduction_dim = 0} : vector<[4]xi32>, vector<i32>
  return %0#0 : vector<[4]xi32>
}
