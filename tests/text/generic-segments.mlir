// RUN: dl-opt %s | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// How many operands each group has need not be said where there are none.
// CHECK: %{{.*}} = memref.alloc() : memref<4xf32>
// GENERIC: "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
// CHECK: %{{.*}} = memref.alloc() {alignment = 8 : i64} : memref<4xf32>
func.func @f() {
  %0 = "memref.alloc"() : () -> memref<4xf32>
  %1 = "memref.alloc"() <{alignment = 8 : i64}> : () -> memref<4xf32>
  return
}
