// RUN: dl-opt %s --llvm-use-default-visibility=visibility=hidden | FileCheck %s
// RUN: dl-opt %s --llvm-use-default-visibility=visibility=protected | FileCheck %s --check-prefix=PROTECTED
// RUN: not dl-opt %s --llvm-use-default-visibility=visibility=none 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: Cannot find option named 'none'!

// CHECK: llvm.func hidden @declared()
// PROTECTED: llvm.func protected @declared()
llvm.func @declared()

// CHECK: llvm.func protected @said()
// PROTECTED: llvm.func protected @said()
llvm.func protected @said() {
  llvm.return
}

// CHECK: llvm.mlir.global external hidden @global
// PROTECTED: llvm.mlir.global external protected @global
llvm.mlir.global @global(1 : i32) : i32

// CHECK: llvm.func hidden @nested()
// PROTECTED: llvm.func protected @nested()
module {
  llvm.func @nested()
}
