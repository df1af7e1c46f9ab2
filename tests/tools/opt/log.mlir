// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' --log=info -o %t 2>&1 | FileCheck %s --check-prefix=INFO
// RUN: dl-opt %s --canonicalize --log=dl_ir::rewrite=debug -o %t 2>&1 | FileCheck %s --check-prefix=DEBUG
// RUN: not dl-opt %s --log=dl_ir=loud 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: dl-opt %s --canonicalize --log=off -o %t 2>&1 | count 0
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' --trace=%t.json -o %t && FileCheck %s --input-file=%t.json --check-prefix=TRACE

//     INFO: INFO pass{name="canonicalize" op="func.func" symbol="f"}: dl_ir::pass::executor: run
// INFO-NOT: applied

// DEBUG: DEBUG {{.*}}applied pattern="arith-{{.*}}" op=arith.addi

// WRONG: dl-opt: for the --log option:

//     TRACE: {"displayTimeUnit": "ms", "traceEvents": [
// TRACE-DAG: "name": "parse"
// TRACE-DAG: "name": "canonicalize", "cat": "dl_ir::pass::executor", "args": {"op": "func.func", "symbol": "f"}
// TRACE-DAG: "name": "print"
//     TRACE: ]}

func.func @f(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %x, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  return %1 : i32
}
