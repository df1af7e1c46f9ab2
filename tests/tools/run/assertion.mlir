// What a failed assertion says comes through a pipe, too, and after what the program has printed.

// RUN: not --crash dl-run %s --no-cache --backend=auto --input=false | FileCheck %s
// RUN: not --crash dl-run %s --backend=cranelift --input=false | FileCheck %s

//      CHECK: 1
// CHECK-NEXT: no second chance
//  CHECK-NOT: bool
func.func @main(%ok: i1) -> i1 {
  %one = arith.constant 1 : i32
  vector.print %one : i32
  cf.assert %ok, "no second chance"
  return %ok : i1
}
