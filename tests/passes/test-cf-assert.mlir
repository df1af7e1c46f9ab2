// RUN: dl-opt %s --test-cf-assert | FileCheck %s

// An assertion that fails says so, and the program goes on.

// CHECK-NOT:   @abort
// CHECK:       llvm.mlir.global private constant @[[TEXT:.*]](dense<[110, 111, 0]>
// CHECK-LABEL: func.func @f
// CHECK-SAME:      (%[[GOOD:.*]]: i1)
// CHECK:         llvm.cond_br %[[GOOD]], ^[[REST:bb[0-9]+]], ^[[FAILED:bb[0-9]+]]
// CHECK:       ^[[REST]]:
// CHECK-NEXT:    return
// CHECK:       ^[[FAILED]]:
// CHECK-NEXT:    %[[AT:.*]] = llvm.mlir.addressof @[[TEXT]]
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %[[AT]][0]
// CHECK-NEXT:    llvm.call @puts(%[[P]])
// CHECK-NEXT:    llvm.br ^[[REST]]
func.func @f(%good: i1) {
  cf.assert %good, "no"
  return
}
