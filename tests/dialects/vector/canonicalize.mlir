// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @broadcasts
//  CHECK-SAME: (%[[S:.*]]: f32, %[[V:.*]]: vector<4xf32>)
//   CHECK-DAG:   %[[A:.*]] = arith.constant dense<1.000000e+00> : vector<4xf32>
//   CHECK-DAG:   %[[B:.*]] = arith.constant dense<2.000000e+00> : vector<2x4xf32>
//       CHECK:   %[[C:.*]] = vector.broadcast %[[S]] : f32 to vector<2x4xf32>
//  CHECK-NEXT:   return %[[V]], %[[A]], %[[B]], %[[C]]
func.func @broadcasts(%s: f32, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<2x4xf32>) {
  %c = arith.constant 1.0 : f32
  %d = arith.constant dense<2.0> : vector<4xf32>
  %0 = vector.broadcast %v : vector<4xf32> to vector<4xf32>
  %1 = vector.broadcast %c : f32 to vector<4xf32>
  %2 = vector.broadcast %d : vector<4xf32> to vector<2x4xf32>
  %3 = vector.broadcast %s : f32 to vector<4xf32>
  %4 = vector.broadcast %3 : vector<4xf32> to vector<2x4xf32>
  return %0, %1, %2, %4 : vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<2x4xf32>
}

// CHECK-LABEL: func.func @casts
//  CHECK-SAME: (%[[V:.*]]: vector<4x2xf32>)
//       CHECK:   %[[D:.*]] = arith.constant dense<2.000000e+00> : vector<8xf32>
//  CHECK-NEXT:   %[[A:.*]] = vector.shape_cast %[[V]] : vector<4x2xf32> to vector<2x4xf32>
//  CHECK-NEXT:   %[[B:.*]] = vector.bitcast %[[V]] : vector<4x2xf32> to vector<4x4xi16>
//  CHECK-NEXT:   return %[[V]], %[[V]], %[[A]], %[[V]], %[[B]], %[[D]]
func.func @casts(%v: vector<4x2xf32>) -> (vector<4x2xf32>, vector<4x2xf32>, vector<2x4xf32>, vector<4x2xf32>, vector<4x4xi16>, vector<8xf32>) {
  %d = arith.constant dense<2.0> : vector<4x2xf32>
  %0 = vector.shape_cast %v : vector<4x2xf32> to vector<4x2xf32>
  %1 = vector.shape_cast %v : vector<4x2xf32> to vector<8xf32>
  %2 = vector.shape_cast %1 : vector<8xf32> to vector<4x2xf32>
  %3 = vector.shape_cast %1 : vector<8xf32> to vector<2x4xf32>
  %4 = vector.bitcast %v : vector<4x2xf32> to vector<4x2xi32>
  %5 = vector.bitcast %4 : vector<4x2xi32> to vector<4x2xf32>
  %6 = vector.bitcast %4 : vector<4x2xi32> to vector<4x4xi16>
  %7 = vector.shape_cast %d : vector<4x2xf32> to vector<8xf32>
  return %0, %2, %3, %5, %6, %7 : vector<4x2xf32>, vector<4x2xf32>, vector<2x4xf32>, vector<4x2xf32>, vector<4x4xi16>, vector<8xf32>
}

// CHECK-LABEL: func.func @transposes
//  CHECK-SAME: (%[[V:.*]]: vector<2x3x4xf32>)
//       CHECK:   %[[D:.*]] = arith.constant dense<2.000000e+00> : vector<4x2xf32>
//  CHECK-NEXT:   %[[A:.*]] = vector.transpose %[[V]], [2, 1, 0] : vector<2x3x4xf32> to vector<4x3x2xf32>
//  CHECK-NEXT:   return %[[V]], %[[A]], %[[D]]
func.func @transposes(%v: vector<2x3x4xf32>) -> (vector<2x3x4xf32>, vector<4x3x2xf32>, vector<4x2xf32>) {
  %d = arith.constant dense<2.0> : vector<2x4xf32>
  %0 = vector.transpose %v, [0, 1, 2] : vector<2x3x4xf32> to vector<2x3x4xf32>
  %1 = vector.transpose %v, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %2 = vector.transpose %1, [0, 2, 1] : vector<4x2x3xf32> to vector<4x3x2xf32>
  %3 = vector.transpose %d, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return %0, %2, %3 : vector<2x3x4xf32>, vector<4x3x2xf32>, vector<4x2xf32>
}

// CHECK-LABEL: func.func @elements
//  CHECK-SAME: (%[[V:.*]]: vector<2x4xf32>, %[[S:.*]]: f32)
//   CHECK-DAG:   %[[A:.*]] = arith.constant 2.000000e+00 : f32
//   CHECK-DAG:   %[[B:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<1x4xf32>
//       CHECK:   return %[[V]], %[[A]], %[[B]], %[[S]], %[[V]], %[[V]], %[[C]]
func.func @elements(%v: vector<2x4xf32>, %s: f32) -> (vector<2x4xf32>, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2x4xf32>, vector<1x4xf32>) {
  %d = arith.constant dense<2.0> : vector<2x4xf32>
  %b = vector.broadcast %s : f32 to vector<2x4xf32>
  %0 = vector.extract %v[] : vector<2x4xf32> from vector<2x4xf32>
  %1 = vector.extract %d[0, 1] : f32 from vector<2x4xf32>
  %2 = vector.extract %d[1] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %b[1, 1] : f32 from vector<2x4xf32>
  %4 = vector.insert %v, %d[] : vector<2x4xf32> into vector<2x4xf32>
  %5 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<2x4xf32> to vector<2x4xf32>
  %6 = vector.extract_strided_slice %d {offsets = [0], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : vector<2x4xf32>, f32, vector<4xf32>, f32, vector<2x4xf32>, vector<2x4xf32>, vector<1x4xf32>
}

// CHECK-LABEL: func.func @masks
//  CHECK-SAME: (%[[I:.*]]: index)
//   CHECK-DAG:   %[[TWO:.*]] = arith.constant 2 : index
//   CHECK-DAG:   %[[ALL:.*]] = arith.constant dense<true> : vector<4xi1>
//   CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<false> : vector<4xi1>
//   CHECK-DAG:   %[[NONE2:.*]] = arith.constant dense<false> : vector<4x4xi1>
//       CHECK:   %[[A:.*]] = vector.constant_mask [2, 4] : vector<4x4xi1>
//  CHECK-NEXT:   %[[B:.*]] = vector.create_mask %[[I]] : vector<4xi1>
//  CHECK-NEXT:   %[[C:.*]] = vector.create_mask %[[TWO]], %[[I]] : vector<4x4xi1>
//  CHECK-NEXT:   return %[[ALL]], %[[NONE]], %[[A]], %[[NONE2]], %[[B]], %[[C]]
func.func @masks(%i: index) -> (vector<4xi1>, vector<4xi1>, vector<4x4xi1>, vector<4x4xi1>, vector<4xi1>, vector<4x4xi1>) {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %cn = arith.constant -1 : index
  %0 = vector.constant_mask [4] : vector<4xi1>
  %1 = vector.constant_mask [0] : vector<4xi1>
  %2 = vector.create_mask %c2, %c9 : vector<4x4xi1>
  %3 = vector.create_mask %c2, %cn : vector<4x4xi1>
  %4 = vector.create_mask %i : vector<4xi1>
  %5 = vector.create_mask %c2, %i : vector<4x4xi1>
  return %0, %1, %2, %3, %4, %5 : vector<4xi1>, vector<4xi1>, vector<4x4xi1>, vector<4x4xi1>, vector<4xi1>, vector<4x4xi1>
}

// CHECK-LABEL: func.func @reduction_of_nothing
//  CHECK-SAME: (%[[V:[a-z0-9]+]]: vector<4xf32>, %[[A:[a-z0-9]+]]: vector<4xf32>)
//  CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[V]] : vector<4xf32>
//  CHECK-NEXT:   return %[[S]]
func.func @reduction_of_nothing(%v: vector<4xf32>, %a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [] : vector<4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @moves_something
func.func @moves_something(%v: vector<4x4xf32>, %w: vector<4xf32>, %s: f32) -> (vector<4x4xf32>, vector<4x4xf32>, f32, vector<4x4xf32>) {
  // CHECK-NEXT: vector.transpose
  %0 = vector.transpose %v, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  // CHECK-NEXT: vector.broadcast
  %1 = vector.broadcast %w : vector<4xf32> to vector<4x4xf32>
  // CHECK-NEXT: vector.extract
  %2 = vector.extract %v[0, 1] : f32 from vector<4x4xf32>
  // CHECK-NEXT: vector.insert
  %3 = vector.insert %w, %v[0] : vector<4xf32> into vector<4x4xf32>
  return %0, %1, %2, %3 : vector<4x4xf32>, vector<4x4xf32>, f32, vector<4x4xf32>
}

// A masked read whose value no one uses goes, with the mask around it.
// CHECK-LABEL: func.func @dead_mask
//  CHECK-NEXT:   return
func.func @dead_mask(%mask: vector<4xi1>, %m: memref<?xf32>, %i: index, %s: f32) {
  %0 = vector.mask %mask { vector.transfer_read %m[%i], %s : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// CHECK-LABEL: func.func @dead_write
//  CHECK-NEXT:   vector.transfer_write
//  CHECK-NEXT:   return
func.func @dead_write(%v: vector<4xf32>, %m: memref<?xf32>, %t: tensor<?xf32>, %i: index) {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32>
  return
}
