// RUN: dl-opt %s --flatten-memref | FileCheck %s

// CHECK: #[[MAP:.+]] = affine_map<()[s0, s1] -> (s0 * 8 + s1)>

// CHECK-LABEL: func.func @load
// CHECK-SAME: (%[[M:[a-z0-9]+]]: memref<4x8xf32>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index)
// CHECK: %[[AT:.+]] = affine.apply #[[MAP]]()[%[[I]], %[[J]]]
// CHECK: %[[FLAT:.+]] = memref.reinterpret_cast %[[M]] to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32> to memref<32xf32, strided<[1]>>
// CHECK: memref.load %[[FLAT]][%[[AT]]] : memref<32xf32, strided<[1]>>
func.func @load(%m: memref<4x8xf32>, %i: index, %j: index) -> f32 {
  %v = memref.load %m[%i, %j] : memref<4x8xf32>
  return %v : f32
}

// CHECK-LABEL: func.func @strided
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [3], sizes: [64], strides: [1] : memref<4x8xf32, strided<[16, 2], offset: 3>> to memref<64xf32, strided<[1], offset: 3>>
// CHECK: memref.store %{{.+}}, %{{.+}}[%{{.+}}] : memref<64xf32, strided<[1], offset: 3>>
func.func @strided(%m: memref<4x8xf32, strided<[16, 2], offset: 3>>, %i: index, %j: index, %x: f32) {
  memref.store %x, %m[%i, %j] : memref<4x8xf32, strided<[16, 2], offset: 3>>
  return
}

// The extent is the farthest end of a dimension.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[M:[a-z0-9]+]]: memref<?x?xf32>
// CHECK: %[[BASE:[a-z0-9_]+]], %[[OFFSET:[a-z0-9_]+]], %[[SIZES:[a-z0-9_]+]]:2, %[[STRIDES:[a-z0-9_]+]]:2 = memref.extract_strided_metadata %[[M]]
// CHECK: %[[END:.+]] = affine.max #{{.+}}()[%[[STRIDES]]#0, %[[SIZES]]#0, %[[SIZES]]#1]
// CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[END]]], strides: [1] : memref<?x?xf32> to memref<?xf32, strided<[1]>>
func.func @dynamic(%m: memref<?x?xf32>, %i: index, %j: index, %x: f32) {
  memref.store %x, %m[%i, %j] : memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @own(
// CHECK: %[[ALL:.+]] = memref.alloc() {alignment = 64 : i64} : memref<32xf32, strided<[1]>>
// CHECK: memref.load %[[ALL]][%{{.+}}] : memref<32xf32, strided<[1]>>
// CHECK: memref.dealloc %[[ALL]] : memref<32xf32, strided<[1]>>
func.func @own(%i: index) -> f32 {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
  %v = memref.load %0[%i, %i] : memref<4x8xf32>
  memref.dealloc %0 : memref<4x8xf32>
  return %v : f32
}

// mlir-opt makes an allocation of unknown size without the size here.
// CHECK-LABEL: func.func @own_dynamic
// CHECK-SAME: (%[[N:[a-z0-9]+]]: index)
// CHECK: %[[SIZE:.+]] = affine.apply #{{.+}}()[%[[N]]]
// CHECK: %[[ALL:.+]] = memref.alloca(%[[SIZE]]) : memref<?xf32, strided<[1]>>
// CHECK: memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [4, %[[N]]], strides: [%[[N]], 1] : memref<?xf32, strided<[1]>> to memref<4x?xf32>
func.func @own_dynamic(%n: index) {
  %0 = memref.alloca(%n) : memref<4x?xf32>
  call @take(%0) : (memref<4x?xf32>) -> ()
  return
}
func.func private @take(memref<4x?xf32>)

// CHECK-LABEL: func.func @vectors
// CHECK: vector.load %{{.+}}[%{{.+}}] : memref<32xf32, strided<[1]>>, vector<4xf32>
// CHECK: vector.maskedload %{{.+}}[%{{.+}}], %{{.+}}, %{{.+}} : memref<32xf32, strided<[1]>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK: vector.transfer_read %{{.+}}[%{{.+}}], %{{.+}} {in_bounds = [true]} : memref<32xf32, strided<[1]>>, vector<4xf32>
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%{{.+}}] {in_bounds = [true]} : vector<4xf32>, memref<32xf32, strided<[1]>>
// CHECK: vector.maskedstore %{{.+}}[%{{.+}}], %{{.+}}, %{{.+}} : memref<32xf32, strided<[1]>>, vector<4xi1>, vector<4xf32>
// CHECK: vector.store %{{.+}}, %{{.+}}[%{{.+}}] : memref<32xf32, strided<[1]>>, vector<4xf32>
func.func @vectors(%m: memref<4x8xf32>, %i: index, %j: index, %mask: vector<4xi1>) {
  %zero = arith.constant 0.0 : f32
  %a = vector.load %m[%i, %j] : memref<4x8xf32>, vector<4xf32>
  %b = vector.maskedload %m[%i, %j], %mask, %a : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %c = vector.transfer_read %m[%i, %j], %zero {in_bounds = [true]} : memref<4x8xf32>, vector<4xf32>
  vector.transfer_write %c, %m[%j, %i] {in_bounds = [true]} : vector<4xf32>, memref<4x8xf32>
  vector.maskedstore %m[%i, %j], %mask, %b : memref<4x8xf32>, vector<4xi1>, vector<4xf32>
  vector.store %b, %m[%i, %j] : memref<4x8xf32>, vector<4xf32>
  return
}

// A column, several rows, what may end outside of the buffer, elements apart, rows that overlap, and one dimension.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: memref.reinterpret_cast
// CHECK: return
func.func @kept(%m: memref<4x8xf32>, %apart: memref<4x8xf32, strided<[16, 2]>>, %over: memref<4x4xf32, strided<[3, 1]>>, %one: memref<8xf32>, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %a = vector.transfer_read %m[%i, %i], %zero {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<4x8xf32>, vector<4xf32>
  %b = vector.load %m[%i, %i] : memref<4x8xf32>, vector<2x4xf32>
  %c = vector.transfer_read %m[%i, %i], %zero : memref<4x8xf32>, vector<4xf32>
  vector.transfer_write %a, %m[%i, %i] : vector<4xf32>, memref<4x8xf32>
  vector.transfer_write %c, %apart[%i, %i] {in_bounds = [true]} : vector<4xf32>, memref<4x8xf32, strided<[16, 2]>>
  vector.store %b, %m[%i, %i] : memref<4x8xf32>, vector<2x4xf32>
  %d = memref.load %over[%i, %i] : memref<4x4xf32, strided<[3, 1]>>
  memref.store %d, %one[%i] : memref<8xf32>
  return %d : f32
}
