// RUN: dl-opt %s --convert-cf-to-llvm | FileCheck %s

// CHECK: llvm.func @abort()
// CHECK: llvm.func @puts(!llvm.ptr)
// CHECK: llvm.mlir.global private constant @[[MSG:assert_msg.*]](dense<[110, 111, 0]> : tensor<3xi8>)

// CHECK-LABEL: func.func @assert
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @assert(%c: i1) {
  // CHECK-NEXT:  llvm.cond_br %[[C]], ^[[GO:.*]], ^[[FAIL:.*]]
  // CHECK-NEXT: ^[[GO]]:
  // CHECK-NEXT:  return
  // CHECK-NEXT: ^[[FAIL]]:
  // CHECK-NEXT:  %[[A:.*]] = llvm.mlir.addressof @[[MSG]] : !llvm.ptr
  // CHECK-NEXT:  %[[TEXT:.*]] = llvm.getelementptr %[[A]][0]
  // CHECK-NEXT:  llvm.call @puts(%[[TEXT]])
  // CHECK-NEXT:  llvm.call @abort()
  // CHECK-NEXT:  llvm.unreachable
  cf.assert %c, "no"
  return
}
