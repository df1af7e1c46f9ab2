// RUN: not dl-opt %s 2>&1 | FileCheck %s

//      CHECK: unknown-op.mlir:[[#@LINE+3]]:8: error: custom op 'arith.addd' is unknown
// CHECK-NEXT: %y = arith.addd %x, %x : i32
func.func @f(%x: i32) -> i32 {
  %y = arith.addd %x, %x : i32
  return %y : i32
}
