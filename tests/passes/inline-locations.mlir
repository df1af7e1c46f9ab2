// RUN: dl-opt %s --inline='default-pipeline=' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

func.func private @callee(%x: i32) -> i32 {
  cf.br ^bb1(%x : i32)
^bb1(%y: i32 loc("argument")):
  %z = arith.addi %y, %y : i32 loc("sum")
  %r = scf.execute_region -> i32 {
    scf.yield %z : i32 loc("inside")
  } loc(callsite("region" at "elsewhere"))
  return %r : i32 loc("end")
}

// Each place is called from that of the call, at the end of a chain where there is one.
// CHECK-LABEL: func.func @caller
func.func @caller(%x: i32) -> i32 {
  // CHECK: ^bb1(%{{.*}}: i32 loc(callsite("argument" at "call"))):
  // CHECK: arith.addi {{.*}} loc(callsite("sum" at "call"))
  // CHECK: scf.yield {{.*}} loc(callsite("inside" at "call"))
  // CHECK: loc(callsite("region" at callsite("elsewhere" at "call")))
  // CHECK: ^bb2(%{{.*}}: i32 loc("call")):
  %r = call @callee(%x) : (i32) -> i32 loc("call")
  return %r : i32
}
