// RUN: not dl-opt %s 2>&1 | FileCheck %s

//      CHECK: undefined-value.mlir:[[#@LINE+3]]:10: error: use of undeclared SSA value name
// CHECK-NEXT: return %x : i32
func.func @f() -> i32 {
  return %x : i32
}
