// RUN: dl-opt %s --vector-forward-transfers --oracle=each-pass | FileCheck %s

// CHECK-LABEL: func.func @read_back
//  CHECK-SAME:   (%[[M:.*]]: memref<8xf32>, %[[V:.*]]: vector<4xf32>)
//       CHECK:   vector.transfer_write %[[V]], %[[M]]
//   CHECK-NOT:   vector.transfer_read
//       CHECK:   return %[[V]]
func.func @read_back(%m: memref<8xf32>, %v: vector<4xf32>) -> vector<4xf32> {
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  vector.transfer_write %v, %m[%c2] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %0 = vector.transfer_read %m[%c2], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// What stands between is written elsewhere: at other positions, or to memory that is new.
// CHECK-LABEL: func.func @apart
//   CHECK-NOT:   vector.transfer_read
//       CHECK:   return
func.func @apart(%m: memref<8xf32>, %v: vector<4xf32>, %w: vector<2xf32>, %i: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %new = memref.alloca() : memref<8xf32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  vector.transfer_write %w, %m[%c4] {in_bounds = [true]} : vector<2xf32>, memref<8xf32>
  vector.transfer_write %w, %new[%c0] {in_bounds = [true]} : vector<2xf32>, memref<8xf32>
  %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// Arguments may be the same memory, positions overlap, and a call may do anything.
func.func private @anything()
// CHECK-LABEL: func.func @between
// CHECK-COUNT-3: vector.transfer_read
func.func @between(%m: memref<8xf32>, %n: memref<8xf32>, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 0.0 : f32
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  vector.transfer_write %v, %n[%c3] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  vector.transfer_write %v, %m[%c3] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %1 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  func.call @anything() : () -> ()
  %2 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Out of bounds nothing is written, and the padding is read.
// CHECK-LABEL: func.func @out_of_bounds
//       CHECK:   vector.transfer_read
func.func @out_of_bounds(%m: memref<?xf32>, %v: vector<4xf32>) -> vector<4xf32> {
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  vector.transfer_write %v, %m[%c2] : vector<4xf32>, memref<?xf32>
  %0 = vector.transfer_read %m[%c2], %pad : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// The first write is read in one branch; the second is covered by the third, the loop between reads other memory.
// CHECK-LABEL: func.func @overwritten
//  CHECK-SAME:   (%[[M:.*]]: memref<8xf32>, %[[V:.*]]: vector<4xf32>, %[[W:.*]]: vector<4xf32>
//       CHECK:   vector.transfer_write %[[V]], %[[M]]
//       CHECK:   scf.if
//       CHECK:   scf.for
//       CHECK:   vector.transfer_write %[[V]], %[[M]]
//   CHECK-NOT:   vector.transfer_write
//       CHECK:   return
func.func @overwritten(%m: memref<8xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %c: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %new = memref.alloca() : memref<8xf32>
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %0 = scf.if %c -> f32 {
    %x = memref.load %m[%c1] : memref<8xf32>
    scf.yield %x : f32
  } else {
    scf.yield %zero : f32
  }
  vector.transfer_write %w, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    memref.store %zero, %new[%k] : memref<8xf32>
    %y = memref.load %new[%k] : memref<8xf32>
    vector.transfer_write %w, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  }
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  return %0 : f32
}

// Lanes that are masked off give the padding, which is the number written.
// CHECK-LABEL: func.func @masked
//  CHECK-SAME:   (%[[M:.*]]: memref<8xf32>, %[[V:.*]]: vector<4xf32>
//       CHECK:   %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
//       CHECK:   %[[R:.*]] = vector.transfer_read
//       CHECK:   return %[[Z]], %[[R]]
func.func @masked(%m: memref<8xf32>, %v: vector<4xf32>, %mask: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : vector<4xf32>
  vector.transfer_write %z, %m[%c0], %mask {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %0 = vector.transfer_read %m[%c0], %pad, %mask {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0], %mask {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  %1 = vector.transfer_read %m[%c0], %pad, %mask {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// The second write is at least a vector behind the first one, or ahead of it, wherever that is.
// CHECK-LABEL: func.func @apart_by_affine_apply
//  CHECK-SAME:   (%{{.*}}: memref<?xf32>, %[[V:[^:]*]]: vector<4xf32>
//       CHECK:   return %[[V]] : vector<4xf32>
func.func @apart_by_affine_apply(%m: memref<?xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %i: index) -> vector<4xf32> {
  %f = arith.constant 0.0 : f32
  %j = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
  vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  vector.transfer_write %w, %m[%j] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  %r = vector.transfer_read %m[%i], %f {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @not_apart_by_affine_apply
//       CHECK:   %[[R:.*]] = vector.transfer_read
//       CHECK:   return %[[R]]
func.func @not_apart_by_affine_apply(%m: memref<?xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %i: index) -> vector<4xf32> {
  %f = arith.constant 0.0 : f32
  %j = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)
  vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  vector.transfer_write %w, %m[%j] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
  %r = vector.transfer_read %m[%i], %f {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
