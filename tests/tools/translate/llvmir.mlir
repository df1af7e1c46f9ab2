// REQUIRES: llvm
// RUN: dl-translate %s --mlir-to-llvmir | FileCheck %s
// RUN: dl-translate -mlir-to-llvmir < %s | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | dl-translate - --mlir-to-llvmir -o - | FileCheck %s
// RUN: dl-translate %s --mlir-to-llvmir -o %t.ll && FileCheck %s --input-file %t.ll

// Nothing is optimized: the two additions stay.
// CHECK: define i32 @add_twice(i32 %[[X:.*]], i32 %[[Y:.*]]) {
// CHECK-NEXT: %[[SUM:.*]] = add i32 %[[X]], %[[Y]]
// CHECK-NEXT: %[[TWICE:.*]] = add i32 %[[SUM]], %[[Y]]
// CHECK-NEXT: ret i32 %[[TWICE]]
llvm.func @add_twice(%x: i32, %y: i32) -> i32 {
  %sum = llvm.add %x, %y : i32
  %twice = llvm.add %sum, %y : i32
  llvm.return %twice : i32
}
