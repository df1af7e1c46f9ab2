// RUN: not dl-opt %s 2>&1 | FileCheck %s --strict-whitespace

//      CHECK:syntax.mlir:[[#@LINE+4]]:12: error: expected ':'
// CHECK-NEXT:{{^}}  return %x i32
// CHECK-NEXT:{{^}}           ^
func.func @f(%x: i32) -> i32 {
  return %x i32
}
