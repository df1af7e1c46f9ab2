// RUN: dl-opt %s --memref-expand | FileCheck %s

// Atomic operations stay, for LLVM has them.
// CHECK-LABEL: func.func @largest
// CHECK: memref.atomic_rmw maxnumf
func.func @largest(%m: memref<8xf32>, %x: f32, %i: index) -> f32 {
  %0 = memref.atomic_rmw maxnumf %x, %m[%i] : (f32, memref<8xf32>) -> f32
  return %0 : f32
}

// CHECK-LABEL: func.func @reshape
//  CHECK-SAME:   (%[[M:.*]]: memref<*xf32>, %[[S:.*]]: memref<2xindex>)
// CHECK: %[[ROWS:.*]] = memref.load %[[S]][%c0] : memref<2xindex>
// CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[ROWS]], 4], strides: [4, 1]
func.func @reshape(%m: memref<*xf32>, %s: memref<2xindex>) -> memref<?x4xf32> {
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<2xindex>) -> memref<?x4xf32>
  return %0 : memref<?x4xf32>
}
