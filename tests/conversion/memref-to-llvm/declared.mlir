// Functions of the program that have the names of those that lowered code calls.
// RUN: dl-opt %s --finalize-memref-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// CHECK:       llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NOT:   @malloc(i64)
// CHECK-LABEL: llvm.func @of_this_type()
// CHECK:       llvm.call @malloc({{.*}}) : (i64) -> !llvm.ptr
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @of_this_type() {
  %0 = memref.alloc() : memref<4xf32>
  llvm.return
}

// -----

// expected-error @below {{redefinition of reserved function 'malloc' of different type '!llvm.func<i64 (i32)>' is prohibited}}
llvm.func @malloc(i32) -> i64
// expected-error @below {{redefinition of reserved function 'free' of different type '!llvm.func<void (i64)>' is prohibited}}
llvm.func @free(i64)
llvm.func @of_other_types() {
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  llvm.return
}

// -----

// expected-error @below {{redefinition of reserved function 'malloc' of different type '!llvm.func<ptr (i64, ...)>' is prohibited}}
llvm.func @malloc(i64, ...) -> !llvm.ptr
llvm.func @of_more_arguments() {
  %0 = memref.alloc() : memref<4xf32>
  llvm.return
}

// -----

// Nothing calls it.
llvm.func @free(i64)
// CHECK-LABEL: llvm.func @not_called()
llvm.func @not_called() {
  %0 = memref.alloc() : memref<4xf32>
  llvm.return
}

// -----

// Inside of a function and outside of any.
// CHECK-COUNT-1: llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NOT:     llvm.func @malloc
// CHECK-LABEL:   llvm.func @inside()
// CHECK:         llvm.call @malloc
// CHECK:         llvm.call @malloc
llvm.func @inside() {
  %0 = memref.alloc() : memref<4xf32>
  llvm.return
}
%1 = memref.alloc() : memref<4xf32>
