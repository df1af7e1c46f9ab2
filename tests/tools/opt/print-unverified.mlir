// What does not verify has no pretty form, and is printed in generic form as upstream does.
// RUN: dl-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing | FileCheck %s
// RUN: dl-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing --mlir-print-ir-before=strip-debuginfo --strip-debuginfo --verify-each=false 2>&1 | FileCheck %s
// RUN: dl-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing --mlir-print-op-generic | FileCheck %s

// CHECK: "scf.if"() : () -> ()
"scf.if"() : () -> ()

// -----

// CHECK: "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i64
func.func @f(%a: i32) -> i64 {
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  return %0 : i64
}

// -----

// CHECK: "arith.select"(%0) : (i32) -> ()
%a = arith.constant 1 : i32
"arith.select"(%a) : (i32) -> ()

// -----

// CHECK: "func.func"() : () -> ()
"func.func"() : () -> ()
