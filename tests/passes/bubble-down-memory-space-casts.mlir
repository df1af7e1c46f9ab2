// RUN: dl-opt %s --bubble-down-memory-space-casts --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @accesses
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<8xf32, 1>, %[[I:[a-z0-9]+]]: index)
//       CHECK:   %[[V:.*]] = memref.load %[[M]][%[[I]]] : memref<8xf32, 1>
//       CHECK:   memref.store %[[V]], %[[M]][%[[I]]] : memref<8xf32, 1>
//       CHECK:   vector.load %[[M]][%[[I]]] : memref<8xf32, 1>, vector<4xf32>
func.func @accesses(%m: memref<8xf32, 1>, %i: index) -> vector<4xf32> {
  %c = memref.memory_space_cast %m : memref<8xf32, 1> to memref<8xf32>
  %v = memref.load %c[%i] : memref<8xf32>
  memref.store %v, %c[%i] : memref<8xf32>
  %r = vector.load %c[%i] : memref<8xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// Views are in the space of their source, and cast where something else uses them.
// CHECK-LABEL: func.func @views
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<8xf32, 1>
//       CHECK:   %[[S:.*]] = memref.subview %[[M]][0] [4] [1] : memref<8xf32, 1> to memref<4xf32, strided<[1]>, 1>
//       CHECK:   memref.load %[[S]]
//       CHECK:   %[[E:.*]] = memref.expand_shape %[[M]] {{.*}} : memref<8xf32, 1> into memref<2x4xf32, 1>
//       CHECK:   %[[C:.*]] = memref.memory_space_cast %[[E]] : memref<2x4xf32, 1> to memref<2x4xf32>
//       CHECK:   "test.use"(%[[C]])
func.func @views(%m: memref<8xf32, 1>, %i: index) -> f32 {
  %c = memref.memory_space_cast %m : memref<8xf32, 1> to memref<8xf32>
  %s = memref.subview %c[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %v = memref.load %s[%i] : memref<4xf32, strided<[1]>>
  %e = memref.expand_shape %c [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  "test.use"(%e) : (memref<2x4xf32>) -> ()
  return %v : f32
}

// What frees a buffer takes the cast one, and a buffer that is stored stays what it was cast to.
// CHECK-LABEL: func.func @others
//       CHECK:   %[[C:.*]] = memref.memory_space_cast
//       CHECK:   memref.store %[[C]], %{{.*}}[] : memref<memref<8xf32>>
//       CHECK:   memref.dealloc %[[C]] : memref<8xf32>
func.func @others(%m: memref<8xf32, 1>, %p: memref<memref<8xf32>>) {
  %c = memref.memory_space_cast %m : memref<8xf32, 1> to memref<8xf32>
  memref.store %c, %p[] : memref<memref<8xf32>>
  memref.dealloc %c : memref<8xf32>
  return
}

// A cast to another space than the default one is meant.
// CHECK-LABEL: func.func @to_a_certain_space
//       CHECK:   %[[C:.*]] = memref.memory_space_cast
//       CHECK:   memref.load %[[C]][%{{.*}}] : memref<8xf32, 2>
func.func @to_a_certain_space(%m: memref<8xf32, 1>, %i: index) -> f32 {
  %c = memref.memory_space_cast %m : memref<8xf32, 1> to memref<8xf32, 2>
  %v = memref.load %c[%i] : memref<8xf32, 2>
  return %v : f32
}

// CHECK-LABEL: func.func @other_types
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<8x4xf32, 1>)
//       CHECK:   %[[U:.*]] = memref.cast %[[M]] : memref<8x4xf32, 1> to memref<*xf32, 1>
//       CHECK:   %[[C:.*]] = memref.memory_space_cast %[[U]] : memref<*xf32, 1> to memref<*xf32>
//       CHECK:   %[[T:.*]] = memref.transpose %[[M]] {{.*}} : memref<8x4xf32, 1> to memref<4x8xf32, {{.*}}, 1>
//       CHECK:   %[[D:.*]] = memref.memory_space_cast %[[T]]
//       CHECK:   return %[[C]], %[[D]]
func.func @other_types(%m: memref<8x4xf32, 1>) -> (memref<*xf32>, memref<4x8xf32, strided<[1, 4]>>) {
  %c = memref.memory_space_cast %m : memref<8x4xf32, 1> to memref<8x4xf32>
  %u = memref.cast %c : memref<8x4xf32> to memref<*xf32>
  %t = memref.transpose %c (i, j) -> (j, i) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  return %u, %t : memref<*xf32>, memref<4x8xf32, strided<[1, 4]>>
}
