// RUN: dl-opt %s --canonicalize | FileCheck %s

// What upstream does not fold, or folds although it must not.

// Outside the default address space null may be the address of a variable: upstream takes it for none there as well.
// CHECK-LABEL: llvm.func @variable_may_be_null
llvm.func @variable_may_be_null() -> i1 {
  // CHECK: llvm.icmp
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr<5>
  %p = llvm.alloca %c1 x i32 : (i64) -> !llvm.ptr<5>
  %0 = llvm.icmp "eq" %null, %p : !llvm.ptr<5>
  llvm.return %0 : i1
}

// CHECK-LABEL: llvm.func @extract_of_nested_constant
llvm.func @extract_of_nested_constant() -> i8 {
  // CHECK-NEXT: %[[C:.*]] = llvm.mlir.constant(3 : i8) : i8
  // CHECK-NEXT: llvm.return %[[C]]
  %0 = llvm.mlir.constant(dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>) : !llvm.array<2 x array<2 x i8>>
  %1 = llvm.extractvalue %0[1, 0] : !llvm.array<2 x array<2 x i8>>
  llvm.return %1 : i8
}

// A part that is an array itself has no attribute of its own.
// CHECK-LABEL: llvm.func @extract_array_of_constant
llvm.func @extract_array_of_constant() -> !llvm.array<2 x i8> {
  // CHECK: llvm.extractvalue
  %0 = llvm.mlir.constant(dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>) : !llvm.array<2 x array<2 x i8>>
  %1 = llvm.extractvalue %0[1] : !llvm.array<2 x array<2 x i8>>
  llvm.return %1 : !llvm.array<2 x i8>
}
