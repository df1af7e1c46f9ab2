// RUN: dl-opt %s --llvm-add-comdats --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: llvm.comdat @__llvm_comdat {
// CHECK-DAG: llvm.comdat_selector @once any
// CHECK-DAG: llvm.comdat_selector @once_odr any
// CHECK: }

// CHECK: llvm.func linkonce @once() comdat(@__llvm_comdat::@once)
llvm.func linkonce @once() {
  llvm.return
}

// CHECK: llvm.func linkonce_odr @once_odr() comdat(@__llvm_comdat::@once_odr)
llvm.func linkonce_odr @once_odr() {
  llvm.return
}

// Others have no need of one.
// CHECK: llvm.func weak @weak() {
llvm.func weak @weak() {
  llvm.return
}

// -----

// A function that has a comdat keeps it, and a table that is there is used.
// CHECK: llvm.comdat @__llvm_comdat {
// CHECK-DAG: llvm.comdat_selector @other largest
// CHECK-DAG: llvm.comdat_selector @new any
// CHECK: }
// CHECK: llvm.func linkonce @old() comdat(@__llvm_comdat::@other)
// CHECK: llvm.func linkonce @new() comdat(@__llvm_comdat::@new)
llvm.comdat @__llvm_comdat {
  llvm.comdat_selector @other largest
}

llvm.func linkonce @old() comdat(@__llvm_comdat::@other) {
  llvm.return
}

llvm.func linkonce @new() {
  llvm.return
}

// -----

llvm.func linkonce @clash() {
  llvm.return
}

// expected-error @below {{has the name of the table of comdats, '__llvm_comdat'}}
llvm.func @__llvm_comdat()
