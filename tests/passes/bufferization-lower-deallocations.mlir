// RUN: dl-opt %s --bufferization-lower-deallocations | FileCheck %s

// CHECK-LABEL: func.func @nothing_retained
//  CHECK-SAME:   (%[[M:.*]]: memref<4xf32>, %[[C:.*]]: i1)
// CHECK-NEXT: scf.if %[[C]] {
// CHECK-NEXT: memref.dealloc %[[M]]
func.func @nothing_retained(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// One buffer is compared with each retained one.
// CHECK-LABEL: func.func @one
//  CHECK-SAME:   (%[[M:.*]]: memref<4xf32>, %[[C:.*]]: i1, %[[R:.*]]: memref<?xf32>)
// CHECK-NEXT: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK-NEXT: %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[R]]
// CHECK-NEXT: %[[NE:.*]] = arith.cmpi ne, %[[P]], %[[Q]]
// CHECK-NEXT: %[[FREE:.*]] = arith.andi %[[NE]], %[[C]]
// CHECK-NEXT: scf.if %[[FREE]] {
// CHECK-NEXT: memref.dealloc %[[M]]
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: %[[SAME:.*]] = arith.xori %[[NE]], %[[TRUE]]
// CHECK-NEXT: %[[OWNED:.*]] = arith.andi %[[SAME]], %[[C]]
// CHECK-NEXT: return %[[OWNED]]
func.func @one(%m: memref<4xf32>, %c: i1, %r: memref<?xf32>) -> i1 {
  %0 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<?xf32>)
  return %0 : i1
}

// Several buffers go through a function.
// CHECK-LABEL: func.func @several
// CHECK: call @dealloc_helper(
// CHECK: func.func private @dealloc_helper(%{{.*}}: memref<?xindex>, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>)
func.func @several(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %d)
  return
}
