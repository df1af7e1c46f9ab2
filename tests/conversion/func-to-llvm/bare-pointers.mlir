// RUN: dl-opt %s --convert-func-to-llvm=use-bare-ptr-memref-call-conv=1 | FileCheck %s

// CHECK-LABEL: llvm.func @static
//  CHECK-SAME:   (%[[P:.*]]: !llvm.ptr) -> !llvm.ptr
func.func @static(%m: memref<2x3xf32>) -> memref<2x3xf32> {
  // CHECK: %[[D:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[4, 1]
  // CHECK: %[[ARG:.*]] = llvm.extractvalue %[[D]][1]
  // CHECK: %[[CALL:.*]] = llvm.call @static(%[[ARG]]) : (!llvm.ptr) -> !llvm.ptr
  // CHECK: %[[MADE:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[4, 1]
  // CHECK: %[[R:.*]] = llvm.extractvalue %[[MADE]][0]
  // CHECK: llvm.return %[[R]]
  %r = call @static(%m) : (memref<2x3xf32>) -> memref<2x3xf32>
  return %r : memref<2x3xf32>
}

// A pointer does not say all of this memref.
// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   memref<?xf32>
func.func @dynamic(%m: memref<?xf32>) {
  return
}

// LLVM has no values of this type, whatever points to them.
// CHECK-LABEL: func.func private @element() -> memref<2x!test.memref_element>
func.func private @element() -> memref<2x!test.memref_element>
