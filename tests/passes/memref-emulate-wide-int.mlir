// RUN: dl-opt %s --memref-emulate-wide-int=widest-int-supported=16 | FileCheck %s
// RUN: not dl-opt %s --memref-emulate-wide-int=widest-int-supported=12 2>&1 | FileCheck %s --check-prefix=WIDTH

// WIDTH: error: 'builtin.module' op the widest supported integer must have a number of bits that is a power of two, and at least 2

// 70000 = 1 * 65536 + 4464: the low half first.
// CHECK-LABEL: func.func @words
// CHECK: %[[X:.*]] = arith.constant dense<[4464, 1]> : vector<2xi16>
// CHECK: %[[M:.*]] = memref.alloc() : memref<4xvector<2xi16>, 1>
// CHECK: memref.store %[[X]], %[[M]][%{{.*}}] {nontemporal = true} : memref<4xvector<2xi16>, 1>
// CHECK: %[[V:.*]] = memref.load %[[M]][%{{.*}}] : memref<4xvector<2xi16>, 1>
// CHECK: vector.extract
// CHECK: memref.dealloc %[[M]] : memref<4xvector<2xi16>, 1>
func.func @words(%i: index) {
  %x = arith.constant 70000 : i32
  %m = memref.alloc() : memref<4xi32, 1>
  memref.store %x, %m[%i] {nontemporal = true} : memref<4xi32, 1>
  %v = memref.load %m[%i] : memref<4xi32, 1>
  %w = arith.addi %v, %v : i32
  memref.store %w, %m[%i] : memref<4xi32, 1>
  memref.dealloc %m : memref<4xi32, 1>
  return
}

// CHECK-LABEL: func.func @supported
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<4xi16>
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<4xf32>
func.func @supported(%m: memref<4xi16>, %n: memref<4xf32>, %i: index) -> (i16, f32) {
  %v = memref.load %m[%i] : memref<4xi16>
  %w = memref.load %n[%i] : memref<4xf32>
  return %v, %w : i16, f32
}
