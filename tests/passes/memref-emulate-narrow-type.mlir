// RUN: dl-opt %s --memref-emulate-narrow-type --split-input-file | FileCheck %s
// RUN: dl-opt %s --memref-emulate-narrow-type='memref-load-bitwidth=32 disable-atomic-rmw' --split-input-file | FileCheck %s --check-prefix=WORD
// RUN: dl-opt %s --test-emulate-narrow-int=memref-load-bitwidth=8 --split-input-file | FileCheck %s

// Element i is in byte i / 2, from bit 4 (i mod 2) on. Five elements take three bytes.
// CHECK-DAG: #[[BYTE:.*]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-DAG: #[[BIT:.*]] = affine_map<()[s0] -> (s0 * 4 - (s0 floordiv 2) * 8)>
// CHECK-LABEL: func.func @load
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<3xi8>, %[[I:[a-z0-9]+]]: index) -> i4
// WORD-LABEL: func.func @load
//  WORD-SAME:   memref<1xi32>
func.func @load(%m: memref<5xi4>, %i: index) -> i4 {
  // CHECK-DAG: %[[AT:[a-z0-9]+]] = affine.apply #[[BYTE]]()[%[[I]]]
  // CHECK-DAG: %[[B:[a-z0-9]+]] = affine.apply #[[BIT]]()[%[[I]]]
  // CHECK: %[[W:[a-z0-9]+]] = memref.load %[[M]][%[[AT]]] : memref<3xi8>
  // CHECK: %[[N:[a-z0-9]+]] = arith.index_cast %[[B]] : index to i8
  // CHECK: %[[S:[a-z0-9]+]] = arith.shrui %[[W]], %[[N]] : i8
  // CHECK: %[[R:[a-z0-9]+]] = arith.trunci %[[S]] : i8 to i4
  // CHECK: return %[[R]]
  %0 = memref.load %m[%i] : memref<5xi4>
  return %0 : i4
}

// -----

// Rows follow each other without gaps: element (i, j) is number 5 i + j.
// CHECK-DAG: affine_map<()[s0, s1] -> ((s0 * 5 + s1) floordiv 2)>
// CHECK-DAG: affine_map<()[s0, s1] -> (s0 * 20 + s1 * 4 - ((s0 * 5 + s1) floordiv 2) * 8)>
// CHECK-LABEL: func.func @store
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<8xi8>, %{{.*}}: index, %{{.*}}: index, %[[V:[a-z0-9]+]]: i4)
// WORD-LABEL: func.func @store
func.func @store(%m: memref<3x5xi4>, %i: index, %j: index, %v: i4) {
  // CHECK: %[[AT:[a-z0-9]+]] = affine.apply
  // CHECK: %[[N:[a-z0-9]+]] = arith.index_cast %{{.*}} : index to i8
  // CHECK: %[[WIDE:[a-z0-9]+]] = arith.extui %[[V]] : i4 to i8
  // CHECK: %[[OWN:[a-z0-9]+]] = arith.shli %[[WIDE]], %[[N]] : i8
  // CHECK: %[[ONES:[a-z0-9_]+]] = arith.constant 15 : i8
  // CHECK: %[[PLACE:[a-z0-9]+]] = arith.shli %[[ONES]], %[[N]] : i8
  // CHECK: %[[OTHERS:[a-z0-9]+]] = arith.xori %[[PLACE]], %{{.*}} : i8
  // CHECK: memref.atomic_rmw andi %[[OTHERS]], %[[M]][%[[AT]]] : (i8, memref<8xi8>) -> i8
  // CHECK: memref.atomic_rmw ori %[[OWN]], %[[M]][%[[AT]]] : (i8, memref<8xi8>) -> i8
  // WORD-NOT: atomic
  // WORD: %[[OLD:[a-z0-9]+]] = memref.load %{{.*}} : memref<2xi32>
  // WORD: %[[KEPT:[a-z0-9]+]] = arith.andi %[[OLD]], %{{.*}} : i32
  // WORD: %[[NEW:[a-z0-9]+]] = arith.ori %[[KEPT]], %{{.*}} : i32
  // WORD: memref.store %[[NEW]], %{{.*}} : memref<2xi32>
  memref.store %v, %m[%i, %j] : memref<3x5xi4>
  return
}

// -----

// An extent that is not known is the number of rows: n of 5 take the half of 5 n, rounded up.
// CHECK-DAG: affine_map<()[s0] -> ((s0 * 5) ceildiv 2)>
// CHECK-LABEL: func.func @allocate
// WORD-LABEL: func.func @allocate
func.func @allocate(%n: index) {
  // CHECK: %[[SIZE:[a-z0-9]+]] = affine.apply
  // CHECK: %[[A:[a-z0-9_]+]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?xi8, 1>
  // CHECK: memref.dealloc %[[A]] : memref<?xi8, 1>
  // CHECK: memref.alloca() : memref<1xi8>
  %a = memref.alloc(%n) {alignment = 64 : i64} : memref<?x5xi4, 1>
  memref.dealloc %a : memref<?x5xi4, 1>
  %b = memref.alloca() : memref<i4>
  return
}

// -----

// 1, 2, 3 of four bits: 0x21, 0x03. In words of 32 bits: 0x321 = 801.
// CHECK: memref.global "private" constant @weights : memref<2xi8> = dense<[33, 3]>
// CHECK: memref.global "private" @same : memref<2xi8> = dense<-18>
// CHECK: memref.global "private" @room : memref<3xi8> = uninitialized
// WORD: memref.global "private" constant @weights : memref<1xi32> = dense<801>
memref.global "private" constant @weights : memref<3xi4> = dense<[1, 2, 3]>
memref.global "private" @same : memref<2x2xi4> = dense<-2>
memref.global "private" @room : memref<6xi4> = uninitialized

// CHECK-LABEL: func.func @global
func.func @global() -> memref<3xi4> {
  // CHECK: memref.get_global @weights : memref<2xi8>
  %0 = memref.get_global @weights : memref<3xi4>
  return %0 : memref<3xi4>
}

// -----

// The second row of eight begins with a byte, number 4, and with a word, number 1.
// CHECK-LABEL: func.func @views
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<12xi8>)
func.func @views(%m: memref<3x8xi4>) -> i4 {
  // CHECK: %[[ROW:[a-z0-9_]+]] = memref.subview %[[M]][4] [4] [1] : memref<12xi8> to memref<4xi8, strided<[1], offset: 4>>
  // WORD: memref.subview %{{[a-z0-9]+}}[1] [1] [1] : memref<3xi32> to memref<1xi32, strided<[1], offset: 1>>
  %row = memref.subview %m[1, 0] [1, 8] [1, 1] : memref<3x8xi4> to memref<8xi4, strided<[1], offset: 8>>
  // CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [3], strides: [1] : memref<12xi8> to memref<3xi8
  %flat = memref.reinterpret_cast %m to offset: [0], sizes: [6], strides: [1] : memref<3x8xi4> to memref<6xi4>
  // CHECK: %[[ONE:[a-z0-9_]+]] = arith.constant 1 : index
  // CHECK: memref.load %[[ROW]][%[[ONE]]]
  %c3 = arith.constant 3 : index
  %0 = memref.load %row[%c3] : memref<8xi4, strided<[1], offset: 8>>
  return %0 : i4
}

// -----

// Signed and wide integers, floats and indices are no narrow integers; functions hand packed buffers on.
// CHECK-LABEL: func.func private @callee(memref<2xi8>, memref<4xi8>, memref<4xf16>)
// WORD-LABEL: func.func private @callee(memref<1xi32>, memref<1xi32>, memref<4xf16>)
func.func private @callee(memref<4xi4>, memref<4xi8>, memref<4xf16>)
func.func @call(%a: memref<4xi4>, %b: memref<4xi8>, %c: memref<4xf16>) {
  // CHECK: call @callee(%{{.*}}) : (memref<2xi8>, memref<4xi8>, memref<4xf16>) -> ()
  call @callee(%a, %b, %c) : (memref<4xi4>, memref<4xi8>, memref<4xf16>) -> ()
  return
}
