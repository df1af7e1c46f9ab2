// A pipeline can stand in a file, with comments and line ends where one likes.

// RUN: dl-opt %s --pass-pipeline-file=%S/Inputs/pipeline.txt --dump-pass-pipeline 2>&1 | FileCheck %s
// RUN: not dl-opt %s --pass-pipeline-file=%S/Inputs/wrong-pipeline.txt 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not dl-opt %s --pass-pipeline-file=%S/Inputs/no-such-file.txt 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not dl-opt %s --pass-pipeline-file=%S/Inputs/pipeline.txt --cse 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not dl-opt %s --pass-pipeline-file=%S/Inputs/pipeline.txt --pass-pipeline='any(cse)' 2>&1 | FileCheck %s --check-prefix=TWO

//      CHECK: builtin.module(
// CHECK-NEXT: func.func(
// CHECK-NEXT: cse,
// CHECK-NEXT: canonicalize{{[{][[:space:]]+}}max-iterations=3
// CHECK-NEXT: ),
// CHECK-NEXT: symbol-dce
// CHECK-NEXT: )
//      CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NEXT: return %[[SUM]], %[[SUM]]

//      WRONG: wrong-pipeline.txt:3:3: error: 'symbol-dec' does not refer to a registered pass or pass pipeline
// WRONG-NEXT: symbol-dec # not the name
// WRONG-NEXT: ^
//      WRONG: note: did you mean 'symbol-dce'?

// MISSING: cannot open input file {{.*}}no-such-file.txt
// BOTH: '-pass-pipeline' option can't be used with individual pass options
// TWO: '--pass-pipeline' can't be used together with '--pass-pipeline-file'

func.func @f(%x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  return %0, %1 : i32, i32
}
