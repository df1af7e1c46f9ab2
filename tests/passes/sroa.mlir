// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(sroa))' --split-input-file | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(sroa,mem2reg))' --split-input-file | FileCheck %s --check-prefix=VALUES
// The functions of a module are looked into as well.
// RUN: dl-opt %s --sroa --split-input-file | FileCheck %s

// Each element that is accessed has memory of its own.
// CHECK-LABEL: func.func @swap
// VALUES-LABEL: func.func @swap
//  VALUES-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @swap(%x: i32, %y: i32) -> (i32, i32) {
  // CHECK-COUNT-2: memref.alloca() : memref<i32>
  // CHECK-NOT: memref<4xi32>
  // VALUES-NEXT: arith.constant
  // VALUES-NEXT: arith.constant
  // VALUES-NEXT: return %[[Y]], %[[X]]
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloca() : memref<4xi32>
  memref.store %x, %a[%c3] : memref<4xi32>
  memref.store %y, %a[%c1] : memref<4xi32>
  %0 = memref.load %a[%c1] : memref<4xi32>
  %1 = memref.load %a[%c3] : memref<4xi32>
  return %0, %1 : i32, i32
}

// -----

// Which element it is must be known, and there must not be too many.
// CHECK-LABEL: func.func @not_split
func.func @not_split(%x: i32, %i: index) -> (i32, i32) {
  // CHECK: memref.alloca() : memref<4xi32>
  // CHECK: memref.alloca() : memref<17xi32>
  // CHECK: memref.alloca() : memref<2xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<4xi32>
  memref.store %x, %a[%i] : memref<4xi32>
  %0 = memref.load %a[%c0] : memref<4xi32>
  %b = memref.alloca() : memref<17xi32>
  memref.store %x, %b[%c0] : memref<17xi32>
  %1 = memref.load %b[%c0] : memref<17xi32>
  %c = memref.alloca() : memref<2xi32>
  memref.store %x, %c[%c2] : memref<2xi32>
  return %0, %1 : i32, i32
}
