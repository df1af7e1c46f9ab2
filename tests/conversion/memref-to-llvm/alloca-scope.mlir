// RUN: dl-opt %s --finalize-memref-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @without_results
// CHECK-NEXT: %[[STACK:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT: llvm.br ^[[BODY:.*]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK: llvm.alloca
// CHECK: llvm.intr.stackrestore %[[STACK]] : !llvm.ptr
// CHECK-NEXT: llvm.br ^[[REST:.*]]
// CHECK-NEXT: ^[[REST]]:
// CHECK-NEXT: return
func.func @without_results() {
  memref.alloca_scope {
    %m = memref.alloca() : memref<4xf32>
    "test.use"(%m) : (memref<4xf32>) -> ()
    memref.alloca_scope.return
  }
  return
}

// CHECK-LABEL: func.func @with_results
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: llvm.br ^[[BODY:.*]]
// CHECK: ^[[BODY]]:
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: llvm.intr.stackrestore
// CHECK-NEXT: llvm.br ^[[JOINED:.*]](%[[SUM]] : f32)
// CHECK: ^[[JOINED]](%[[RESULT:.*]]: f32):
// CHECK-NEXT: llvm.br ^[[REST:.*]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: return %[[RESULT]]
func.func @with_results(%x: f32) -> f32 {
  %r = memref.alloca_scope -> f32 {
    %y = arith.addf %x, %x : f32
    memref.alloca_scope.return %y : f32
  }
  return %r : f32
}
