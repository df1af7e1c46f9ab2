// RUN: dl-opt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s

// An attribute that has its default is shown.
// CHECK: arith.addi\l\loverflowFlags: #arith.overflow\<none...\l|
func.func @sum(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}
