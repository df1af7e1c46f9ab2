// RUN: dl-opt %s --convert-vector-to-scf | FileCheck %s
// RUN: dl-opt %s --convert-vector-to-scf=full-unroll | FileCheck %s --check-prefix=UNROLL
// RUN: dl-opt %s --convert-vector-to-scf=target-rank=2 | FileCheck %s --check-prefix=RANK2

// A loop over the rows; those past the end of the memory are of padding.
// CHECK-LABEL: func.func @rows
//  CHECK-SAME:   (%[[M:.*]]: memref<?x8xf32>, %[[I:.*]]: index)
// CHECK-DAG: %[[P:.*]] = arith.constant 4.200000e+00 : f32
// CHECK-DAG: %[[PADDING:.*]] = arith.constant dense<4.200000e+00> : vector<8xf32>
// CHECK: %[[BUFFER:.*]] = memref.alloca() : memref<vector<4x8xf32>>
// CHECK: %[[ROWS:.*]] = vector.type_cast %[[BUFFER]] : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
// CHECK: scf.for %[[K:.*]] =
// CHECK:   %[[AT:.*]] = affine.apply
// CHECK:   %[[INSIDE:.*]] = arith.cmpi sgt, %{{.*}}, %[[AT]] : index
// CHECK:   scf.if %[[INSIDE]]
// CHECK:     %[[ROW:.*]] = vector.transfer_read %[[M]][%{{.*}}, %{{.*}}], %[[P]] {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
// CHECK:     memref.store %[[ROW]], %[[ROWS]][%[[K]]]
// CHECK:   } else {
// CHECK:     memref.store %[[PADDING]], %[[ROWS]][%[[K]]]
// CHECK: %[[V:.*]] = memref.load %[[BUFFER]][]
// CHECK: return %[[V]]

// UNROLL-LABEL: func.func @rows
// UNROLL-NOT: scf.for
// UNROLL-COUNT-4: scf.if

// What has few enough dimensions stays.
// RANK2-LABEL: func.func @rows
// RANK2: vector.transfer_read {{.*}} vector<4x8xf32>
// RANK2-NOT: scf
func.func @rows(%m: memref<?x8xf32>, %i: index) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 4.2 : f32
  %v = vector.transfer_read %m[%i, %c0], %p {in_bounds = [false, true]} : memref<?x8xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}

// Nothing is written past the end.
// CHECK-LABEL: func.func @write
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<?x8xf32>
// CHECK: scf.for
// CHECK:   scf.if
// CHECK:     vector.transfer_write %{{[0-9]+}}, %[[M]][
// CHECK: return
func.func @write(%m: memref<?x8xf32>, %i: index, %v: vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%i, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, memref<?x8xf32>
  return
}

// A tensor stays, unless that is asked for.
// CHECK-LABEL: func.func @tensor
// CHECK-NOT: scf
// CHECK: vector.transfer_read
func.func @tensor(%t: tensor<4x8xf32>) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
