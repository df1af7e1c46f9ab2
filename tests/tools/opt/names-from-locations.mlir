// RUN: dl-opt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: dl-opt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: dl-opt %s --allow-unregistered-dialect | FileCheck %s --check-prefix=WITHOUT

// CHECK: func.func @f(%alpha: i32, %al_pha: i32, %arg2: i32, %x: i32) -> i32
// GENERIC: ^bb0(%alpha: i32, %al_pha: i32, %arg4: i32, %x: i32):
// WITHOUT: func.func @f(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> i32
func.func @f(%a: i32 loc("alpha"), %b: i32 loc("al pha"("x.py":1:1)), %c: i32, %d: i32 loc(fused["x"("f":1:2), "y"])) -> i32 {
  // CHECK-NEXT: %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32 loc("zero")
  // CHECK-NEXT: %sum = arith.addi %alpha, %zero : i32
  // GENERIC: %sum = "arith.addi"(%alpha, %zero)
  %x = arith.addi %a, %c0 : i32 loc("sum"("m.py":3:4))
  // CHECK-NEXT: %sum_0 = arith.addi %sum, %al_pha : i32
  // GENERIC-NEXT: %sum_1 = "arith.addi"(%sum, %al_pha)
  %y = arith.addi %x, %b : i32 loc("sum")
  // CHECK-NEXT: %in = arith.addi %sum_0, %x : i32
  %w = arith.addi %y, %d : i32 loc(callsite("in" at "out"))
  // CHECK-NEXT: %0 = arith.addi
  %z = arith.addi %w, %d : i32 loc("m.py":5:1)
  // CHECK-NEXT: %pair:2 = "foo.two"() : () -> (i32, i32)
  %p:2 = "foo.two"() : () -> (i32, i32) loc("pair")
  // CHECK-NEXT: %_1st = "foo.one"(%pair#1)
  // GENERIC: %_1st = "foo.one"(%pair#1)
  %q = "foo.one"(%p#1) ({
  // CHECK-NEXT: ^bb0(%arg: i32):
  ^bb0(%t: i32 loc("arg")):
    "foo.end"(%t) : (i32) -> ()
  }) : (i32) -> i32 loc("1st")
  cf.br ^bb1(%q : i32)
// CHECK: ^bb1(%next: i32)
^bb1(%k: i32 loc("next")):
  return %k : i32
}

// Arguments are named after what comes before their block.
// CHECK: func.func @order(%q: i32, %arg1: i32) -> i32
// GENERIC: ^bb0(%q: i32, %arg1: i32):
func.func @order(%a: i32 loc("q"), %b: i32) -> i32 {
  // CHECK-NEXT: %something = arith.addi %q, %arg1 : i32
  // GENERIC-NEXT: %something = "arith.addi"(%q, %arg1)
  %0 = arith.addi %a, %b : i32 loc("something")
  cf.br ^bb1(%0, %0 : i32, i32)
// CHECK: ^bb1(%0: i32, %something_0: i32):
^bb1(%c: i32, %d: i32 loc("something")):
  return %d : i32
}
