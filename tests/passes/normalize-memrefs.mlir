// RUN: dl-opt %s --normalize-memrefs --allow-unregistered-dialect --split-input-file | FileCheck %s

#tile = affine_map<(i, j) -> (i floordiv 8, j floordiv 16, i mod 8, j mod 16)>

// CHECK-LABEL: func.func @tiles
//  CHECK-SAME:   (%[[I:[a-z0-9]+]]: index)
//       CHECK:   %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x16xf32>
//       CHECK:   affine.for %[[J:[a-z0-9]+]] = 0 to 64
//  CHECK-NEXT:     affine.load %[[A]][%[[J]] floordiv 8, (%[[J]] + 3) floordiv 16, %[[J]] mod 8, (%[[J]] + 3) mod 16] : memref<8x32x8x16xf32>
//       CHECK:   memref.dealloc %[[A]] : memref<8x32x8x16xf32>
func.func @tiles(%i: index) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<64x512xf32, #tile>
  affine.for %j = 0 to 64 {
    %v = affine.load %a[%j, %j + 3] : memref<64x512xf32, #tile>
    affine.store %v, %a[%j, 0] : memref<64x512xf32, #tile>
    affine.prefetch %a[%j, 0], read, locality<3>, data : memref<64x512xf32, #tile>
  }
  memref.dealloc %a : memref<64x512xf32, #tile>
  return
}

// -----

// Accesses by any index of a dimension get new ones.
// CHECK-LABEL: func.func @plain_accesses
//  CHECK-SAME:   (%[[A:[a-z0-9]+]]: memref<8x4xf32>, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index)
//       CHECK:   %[[V:.*]] = memref.load %[[A]][%[[J]], %[[I]]] : memref<8x4xf32>
//       CHECK:   memref.store %[[V]], %[[A]][%[[I]], %[[J]]] : memref<8x4xf32>
func.func @plain_accesses(%a: memref<4x8xf32, affine_map<(i, j) -> (j, i)>>, %i: index, %j: index) {
  %v = memref.load %a[%i, %j] : memref<4x8xf32, affine_map<(i, j) -> (j, i)>>
  memref.store %v, %a[%j, %i] : memref<4x8xf32, affine_map<(i, j) -> (j, i)>>
  return
}

// -----

// A symbol that does not matter goes. Bounds are those of the positions: 10 * 9 + 9.
// CHECK-LABEL: func.func @symbol
//       CHECK:   memref.alloca() : memref<100xf32>
func.func @symbol(%s: index) {
  %a = memref.alloca()[%s] : memref<10x10xf32, affine_map<(i, j)[s] -> (i * 10 + j)>>
  return
}

// -----

// CHECK-LABEL: func.func @strided
//       CHECK:   %[[A:.*]] = memref.alloc() : memref<30xf32, 1>
//       CHECK:   affine.load %[[A]][%{{.*}} * 8 + 2] : memref<30xf32, 1>
func.func @strided() {
  %a = memref.alloc() : memref<4x6xf32, strided<[8, 1]>, 1>
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i, 2] : memref<4x6xf32, strided<[8, 1]>, 1>
    "test.use"(%v) : (f32) -> ()
  }
  return
}

// -----

// Functions that call each other change together, declarations as well.
// CHECK-LABEL: func.func private @outside(memref<2x4xf32>) -> memref<2x4xf32>
// CHECK-LABEL: func.func @caller
//  CHECK-SAME:   (%[[A:[a-z0-9]+]]: memref<2x4xf32>) -> memref<2x4xf32>
//       CHECK:   %[[R:.*]] = call @outside(%[[A]]) : (memref<2x4xf32>) -> memref<2x4xf32>
//       CHECK:   call @callee(%[[R]]) : (memref<2x4xf32>) -> ()
//       CHECK:   return %[[R]]
// CHECK-LABEL: func.func @callee
//  CHECK-SAME:   memref<2x4xf32>
#tile = affine_map<(i) -> (i floordiv 4, i mod 4)>
func.func private @outside(memref<8xf32, #tile>) -> memref<8xf32, #tile>
func.func @caller(%a: memref<8xf32, #tile>) -> memref<8xf32, #tile> {
  %r = call @outside(%a) : (memref<8xf32, #tile>) -> memref<8xf32, #tile>
  call @callee(%r) : (memref<8xf32, #tile>) -> ()
  return %r : memref<8xf32, #tile>
}
func.func @callee(%a: memref<8xf32, #tile>) {
  return
}

// -----

// An operation that may not take another shape keeps its function as it is, and those that are tied to it by calls; not one that calls it without such
// a buffer.
// CHECK-LABEL: func.func @unknown
//       CHECK:   "test.unknown"(%{{.*}}) : (memref<8xf32, #{{.*}}>) -> ()
// CHECK-LABEL: func.func @calls_unknown
//  CHECK-SAME:   memref<8xf32, #
// CHECK-LABEL: func.func @without
//       CHECK:   memref.alloc() : memref<2x4xf32>
#tile = affine_map<(i) -> (i floordiv 4, i mod 4)>
func.func @unknown(%a: memref<8xf32, #tile>) {
  "test.unknown"(%a) : (memref<8xf32, #tile>) -> ()
  return
}
func.func @calls_unknown(%a: memref<8xf32, #tile>) {
  call @unknown(%a) : (memref<8xf32, #tile>) -> ()
  return
}
func.func @nothing() {
  return
}
func.func @without() {
  call @nothing() : () -> ()
  %a = memref.alloc() : memref<8xf32, #tile>
  return
}

// -----

// A function whose name is a value keeps its type.
// CHECK-LABEL: func.func @used_as_value
//  CHECK-SAME:   memref<8xf32, #
#tile = affine_map<(i) -> (i floordiv 4, i mod 4)>
func.func @used_as_value(%a: memref<8xf32, #tile>) {
  return
}
func.func @takes_it() {
  %f = constant @used_as_value : (memref<8xf32, #tile>) -> ()
  return
}

// -----

// Positions below zero, a symbol that matters, dynamic extents, extents and vectors that depend on the shape, and indices that are not affine.
// CHECK-LABEL: func.func @negative
//       CHECK:   memref.alloc() : memref<4xf32, #
// CHECK-LABEL: func.func @symbolic
//       CHECK:   memref.alloc()[%{{.*}}] : memref<4xf32, #
// CHECK-LABEL: func.func @dynamic
//       CHECK:   memref.alloc(%{{.*}}) : memref<?xf32, #
// CHECK-LABEL: func.func @extent
//       CHECK:   memref.dim %{{.*}} : memref<4x8xf32, #
// CHECK-LABEL: func.func @vectors
//       CHECK:   affine.vector_load %{{.*}} : memref<4x8xf32, #
// CHECK-LABEL: func.func @not_affine
//       CHECK:   memref.load %{{.*}} : memref<4x8xf32, #
func.func @negative() {
  %a = memref.alloc() : memref<4xf32, affine_map<(i) -> (i - 1)>>
  return
}
func.func @symbolic(%s: index) {
  %a = memref.alloc()[%s] : memref<4xf32, affine_map<(i)[s] -> (i + s)>>
  return
}
func.func @dynamic(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>>
  return
}
func.func @extent(%a: memref<4x8xf32, affine_map<(i, j) -> (j, i)>>) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<4x8xf32, affine_map<(i, j) -> (j, i)>>
  return %n : index
}
func.func @vectors(%a: memref<4x8xf32, affine_map<(i, j) -> (j, i)>>) -> vector<4xf32> {
  %v = affine.vector_load %a[0, 0] : memref<4x8xf32, affine_map<(i, j) -> (j, i)>>, vector<4xf32>
  return %v : vector<4xf32>
}
func.func @not_affine(%a: memref<4x8xf32, affine_map<(i, j) -> (j, i)>>, %p: memref<4xindex>) {
  affine.for %k = 0 to 4 {
    %i = affine.load %p[%k] : memref<4xindex>
    %v = memref.load %a[%i, %i] : memref<4x8xf32, affine_map<(i, j) -> (j, i)>>
    "test.use"(%v) : (f32) -> ()
  }
  return
}

// -----

// Tiles are whole where the buffer ends within one.
// CHECK-LABEL: func.func @part_of_a_tile
//       CHECK:   memref.alloc() : memref<2x8xf32>
func.func @part_of_a_tile() {
  %a = memref.alloc() : memref<13xf32, affine_map<(i) -> (i floordiv 8, i mod 8)>>
  return
}

// A view of a buffer begins where the buffer does, and indices know where it began.
// CHECK-LABEL: func.func @reinterpreted
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<4x8xf32>, %[[X:[^:]*]]: f32)
//       CHECK:   %[[R:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [21], strides: [1] : memref<4x8xf32> to memref<21xf32>
//       CHECK:   affine.for %[[I:.*]] = 0 to 2 {
//       CHECK:     affine.store %[[X]], %[[R]][%[[I]] * 8 + 12] : memref<21xf32>
func.func @reinterpreted(%a: memref<4x8xf32>, %x: f32) {
  %r = memref.reinterpret_cast %a to offset: [10], sizes: [2, 3], strides: [8, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 10>>
  affine.for %i = 0 to 2 {
    affine.store %x, %r[%i, 2] : memref<2x3xf32, strided<[8, 1], offset: 10>>
  }
  return
}
