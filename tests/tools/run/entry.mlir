// Which function is called.

// RUN: dl-run %s | FileCheck %s --check-prefix=MAIN
// RUN: dl-run %s --entry=main | FileCheck %s --check-prefix=MAIN
// MAIN: int32 []
// MAIN-NEXT: 1

// RUN: dl-run %s --entry=other | FileCheck %s --check-prefix=OTHER
// OTHER: int32 []
// OTHER-NEXT: 2

// RUN: not dl-run %s --entry=ohter 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//      UNKNOWN: error: no public function 'ohter', did you mean 'other'?
// UNKNOWN-NEXT: note: the program defines main, other, takes_pointer

// RUN: not dl-run %s --entry=takes_pointer 2>&1 | FileCheck %s --check-prefix=POINTER
//      POINTER: entry.mlir:[[#@LINE+15]]:1: error: unsupported: argument 1 of 'takes_pointer' has type '!llvm.ptr', which cannot be handed over
// POINTER-NEXT: llvm.func @takes_pointer
//      POINTER: note: a lowered function does not say what its pointers point to

// A declaration is no function to call.
llvm.func @elsewhere()
llvm.func @main() -> i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}
llvm.func @other() -> i32 {
  %0 = llvm.mlir.constant(2 : i32) : i32
  llvm.return %0 : i32
}

llvm.func @takes_pointer(%x: !llvm.ptr) {
  llvm.return
}
