// RUN: dl-opt %s --vector-lower-masked-accesses | FileCheck %s

// CHECK-LABEL: func.func @load
//  CHECK-SAME:   (%[[M:.*]]: memref<?x?xf32>, %[[I:.*]]: index, %[[ON:.*]]: vector<2xi1>, %[[P:.*]]: vector<2xf32>)
//   CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
//       CHECK:   %[[A:.*]] = vector.extract %[[ON]][0] : i1 from vector<2xi1>
//       CHECK:   %[[V:.*]] = scf.if %[[A]] -> (vector<2xf32>) {
//  CHECK-NEXT:     %[[X:.*]] = memref.load %[[M]][%[[I]], %[[I]]] {alignment = 8 : i64}
//  CHECK-NEXT:     %[[Y:.*]] = vector.insert %[[X]], %[[P]] [0]
//  CHECK-NEXT:     scf.yield %[[Y]]
//  CHECK-NEXT:   } else {
//  CHECK-NEXT:     scf.yield %[[P]]
//   CHECK-DAG:   %[[J:.*]] = arith.addi %[[I]], %[[C1]]
//   CHECK-DAG:   %[[B:.*]] = vector.extract %[[ON]][1]
//       CHECK:   %[[W:.*]] = scf.if %[[B]] -> (vector<2xf32>) {
//  CHECK-NEXT:     memref.load %[[M]][%[[I]], %[[J]]]
//       CHECK:     scf.yield %[[V]]
//       CHECK:   return %[[W]]
func.func @load(%m: memref<?x?xf32>, %i: index, %on: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.maskedload %m[%i, %i], %on, %p {alignment = 8} : memref<?x?xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: func.func @store
//  CHECK-SAME:   (%[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[ON:.*]]: vector<2xi1>, %[[V:.*]]: vector<2xf32>)
//       CHECK:   %[[A:.*]] = vector.extract %[[ON]][0]
//       CHECK:   scf.if %[[A]] {
//  CHECK-NEXT:     %[[X:.*]] = vector.extract %[[V]][0]
//  CHECK-NEXT:     memref.store %[[X]], %[[M]][%[[I]]]
//  CHECK-NEXT:   }
//       CHECK:   scf.if
//  CHECK-NEXT:     vector.extract %[[V]][1]
func.func @store(%m: memref<?xf32>, %i: index, %on: vector<2xi1>, %v: vector<2xf32>) {
  vector.maskedstore %m[%i], %on, %v : memref<?xf32>, vector<2xi1>, vector<2xf32>
  return
}

// CHECK-LABEL: func.func @gather
//  CHECK-SAME:   (%[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[AT:.*]]: vector<1xi32>, %[[ON:.*]]: vector<1xi1>, %[[P:.*]]: vector<1xf32>)
//       CHECK:   %[[LIST:.*]] = arith.index_cast %[[AT]] : vector<1xi32> to vector<1xindex>
//       CHECK:   %[[A:.*]] = vector.extract %[[ON]][0]
//       CHECK:   %[[J:.*]] = vector.extract %[[LIST]][0]
//       CHECK:   %[[K:.*]] = arith.addi %[[I]], %[[J]]
//       CHECK:   scf.if %[[A]] -> (vector<1xf32>) {
//  CHECK-NEXT:     %[[X:.*]] = vector.load %[[M]][%[[K]]] : memref<?xf32>, vector<1xf32>
//  CHECK-NEXT:     %[[Y:.*]] = vector.extract %[[X]][0]
//  CHECK-NEXT:     vector.insert %[[Y]], %[[P]] [0]
func.func @gather(%m: memref<?xf32>, %i: index, %at: vector<1xi32>, %on: vector<1xi1>, %p: vector<1xf32>) -> vector<1xf32> {
  %0 = vector.gather %m[%i] [%at], %on, %p : memref<?xf32>, vector<1xi32>, vector<1xi1>, vector<1xf32> into vector<1xf32>
  return %0 : vector<1xf32>
}

// CHECK-LABEL: func.func @gather_tensor
//       CHECK:   scf.if
//  CHECK-NEXT:     tensor.extract
func.func @gather_tensor(%t: tensor<?xf32>, %i: index, %at: vector<1xindex>, %on: vector<1xi1>, %p: vector<1xf32>) -> vector<1xf32> {
  %0 = vector.gather %t[%i] [%at], %on, %p : tensor<?xf32>, vector<1xindex>, vector<1xi1>, vector<1xf32> into vector<1xf32>
  return %0 : vector<1xf32>
}

// As many lanes as the machine has (of which mlir-opt 22 loads two), rows, and elements that are apart.
// CHECK-LABEL: func.func @kept
//       CHECK:   vector.maskedload
//       CHECK:   vector.gather
//       CHECK:   vector.gather
func.func @kept(%m: memref<?xf32>, %i: index, %on: vector<[2]xi1>, %p: vector<[2]xf32>, %at: vector<2x2xindex>, %pn: vector<2x2xi1>,
                %q: vector<2x2xf32>, %s: memref<?xf32, strided<[2]>>, %bt: vector<2xindex>, %qn: vector<2xi1>, %r: vector<2xf32>)
    -> (vector<[2]xf32>, vector<2x2xf32>, vector<2xf32>) {
  %0 = vector.maskedload %m[%i], %on, %p : memref<?xf32>, vector<[2]xi1>, vector<[2]xf32> into vector<[2]xf32>
  %1 = vector.gather %m[%i] [%at], %pn, %q : memref<?xf32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  %2 = vector.gather %s[%i] [%bt], %qn, %r : memref<?xf32, strided<[2]>>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0, %1, %2 : vector<[2]xf32>, vector<2x2xf32>, vector<2xf32>
}

// Every third element of a whole buffer is one in a row, at three times the index.
// CHECK-LABEL: func.func @gather_in_a_row
//  CHECK-SAME:   (%[[M:.*]]: memref<8x3xf32>, %[[AT:.*]]: vector<2xindex>,
//   CHECK-DAG:   %[[C3:.*]] = arith.constant dense<3> : vector<2xindex>
//   CHECK-DAG:   %[[ROW:.*]] = memref.collapse_shape %[[M]] {{.*}} into memref<24xf32>
//       CHECK:   %[[P:.*]] = arith.muli %[[AT]], %[[C3]]
//       CHECK:   %[[I:.*]] = vector.extract %[[P]][0]
//       CHECK:   vector.load %[[ROW]][%[[I]]] : memref<24xf32>, vector<1xf32>
func.func @gather_in_a_row(%m: memref<8x3xf32>, %at: vector<2xindex>, %on: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[0, 0] [8, 1] [1, 1] : memref<8x3xf32> to memref<8xf32, strided<[3]>>
  %0 = vector.gather %s[%c0] [%at], %on, %p : memref<8xf32, strided<[3]>>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}

// Not where it begins elsewhere.
// CHECK-LABEL: func.func @gather_from_the_middle
//       CHECK:   vector.gather
func.func @gather_from_the_middle(%m: memref<8x3xf32>, %at: vector<2xindex>, %on: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[0, 1] [8, 1] [1, 1] : memref<8x3xf32> to memref<8xf32, strided<[3], offset: 1>>
  %0 = vector.gather %s[%c0] [%at], %on, %p : memref<8xf32, strided<[3], offset: 1>>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}
