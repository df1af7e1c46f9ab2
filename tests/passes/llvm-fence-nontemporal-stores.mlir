// RUN: dl-opt %s --llvm-fence-nontemporal-stores | FileCheck %s

// CHECK-LABEL: llvm.func @streams
//       CHECK: ^bb1:
//  CHECK-NEXT:   llvm.fence seq_cst
//  CHECK-NEXT:   llvm.return
//       CHECK: ^bb2:
//  CHECK-NEXT:   llvm.fence seq_cst
//  CHECK-NEXT:   llvm.return
llvm.func @streams(%p: !llvm.ptr, %v: vector<4xf32>, %c: i1) {
  llvm.store %v, %p {alignment = 16 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.return
^bb2:
  llvm.return
}

// CHECK-LABEL: llvm.func @stores
//   CHECK-NOT: llvm.fence
llvm.func @stores(%p: !llvm.ptr, %v: vector<4xf32>) {
  llvm.store %v, %p {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
  llvm.return
}
