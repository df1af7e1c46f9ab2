// RUN: not dl-opt %s --split-input-file 2>&1 | FileCheck %s

//      CHECK: type-mismatch.mlir:[[#@LINE+3]]:19: error: use of value '%x' expects different type than prior uses: 'i64' vs 'i32'
// CHECK-NEXT: %y = arith.addi %x, %x : i64
func.func @use(%x: i32) -> i64 {
  %y = arith.addi %x, %x : i64
  return %y : i64
}

// -----

//      CHECK: type-mismatch.mlir:[[#@LINE+3]]:3: error: type of return operand 0 ('i32') doesn't match function result type ('i64') in function @result
// CHECK-NEXT: return %x : i32
func.func @result(%x: i32) -> i64 {
  return %x : i32
}
