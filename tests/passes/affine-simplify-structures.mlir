// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(affine-simplify-structures))' --split-input-file | FileCheck %s
// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s --check-prefix=CANON

// 2 * d0 = 2 * d1 + 1 has no integer solution, though it has rational ones.
// CHECK-LABEL: func.func @no_integer_point
// CANON-LABEL: func.func @no_integer_point
func.func @no_integer_point(%i: index, %j: index, %m: memref<8xf32>, %x: f32) {
  // CHECK-NOT: affine.if
  // CANON-NOT: affine.if
  affine.if affine_set<(d0, d1) : (d0 * 2 - d1 * 2 - 1 == 0)>(%i, %j) {
    affine.store %x, %m[0] : memref<8xf32>
  }
  // CHECK: return
  // CANON: return
  return
}

// -----

// With room for a solution the branch stays.
// CHECK-LABEL: func.func @some_integer_point
// CANON-LABEL: func.func @some_integer_point
func.func @some_integer_point(%i: index, %j: index, %m: memref<8xf32>, %x: f32) {
  // CHECK: affine.if
  // CANON: affine.if
  affine.if affine_set<(d0, d1) : (d0 * 2 - d1 * 3 - 1 == 0)>(%i, %j) {
    affine.store %x, %m[0] : memref<8xf32>
  }
  return
}

// -----

// What d0 mod 4 lies between is known.
// CHECK-LABEL: func.func @every_point
// CANON-LABEL: func.func @every_point
//  CANON-SAME:   (%{{.*}}: index, %[[A:.*]]: f32, %{{.*}}: f32)
func.func @every_point(%i: index, %a: f32, %b: f32) -> f32 {
  // CHECK-NOT: affine.if
  // CANON-NOT: affine.if
  %r = affine.if affine_set<(d0) : (d0 mod 4 >= 0, 3 - d0 mod 4 >= 0)>(%i) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  // CHECK: return
  // CANON: return %[[A]]
  return %r : f32
}

// -----

// d0 >= 4 follows from d0 >= 5, which stays.
// CHECK: #[[SET:.*]] = affine_set<()[s0] : (s0 - 5 >= 0)>
// CHECK-LABEL: func.func @redundant
func.func @redundant(%i: index, %m: memref<8xf32>, %x: f32) {
  // CHECK: affine.if #[[SET]]()[
  affine.if affine_set<(d0) : (d0 - 4 >= 0, d0 - 5 >= 0, d0 * 2 - 9 >= 0)>(%i) {
    affine.store %x, %m[0] : memref<8xf32>
  }
  return
}

// -----

// Maps anywhere are simplified, on operations of any dialect.
// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-LABEL: func.func @map
func.func @map() {
  // CHECK-NEXT: memref.alloc() {test.map = #[[MAP]]}
  %m = memref.alloc() {test.map = affine_map<(d0) -> (d0 + d0 - 1 + 1)>} : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
