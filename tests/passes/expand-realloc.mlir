// RUN: dl-opt %s --expand-realloc | FileCheck %s
// RUN: dl-opt %s --expand-realloc=emit-deallocs=false | FileCheck %s --check-prefix=KEEP

// A buffer that is large enough stays, else what it holds is copied to a larger one.
// CHECK-LABEL: func.func @larger
//  CHECK-SAME:   (%[[M:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: %[[OLD:.*]] = memref.dim %[[M]]
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[OLD]], %[[N]]
// CHECK: scf.if %[[MORE]]
// CHECK:   %[[NEW:.*]] = memref.alloc(%[[N]])
// CHECK:   %[[START:.*]] = memref.subview %[[NEW]][0] [%[[OLD]]] [1]
// CHECK:   memref.copy %[[M]], %[[START]]
// CHECK:   memref.dealloc %[[M]]
// CHECK:   scf.yield %[[NEW]]
// CHECK: } else {
// CHECK:   memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[N]]], strides: [1]

// KEEP-LABEL: func.func @larger
// KEEP: memref.copy
// KEEP-NOT: memref.dealloc
func.func @larger(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
