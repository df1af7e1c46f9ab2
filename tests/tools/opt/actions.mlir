// RUN: dl-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(func.func(canonicalize),convert-math-to-llvm)' --log-actions-to=%t -o /dev/null
// RUN: FileCheck %s --input-file=%t
// RUN: dl-opt %s --convert-arith-to-llvm --log-actions-to=- --log-mlir-actions-filter=%s:17,other.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: dl-opt %s --convert-arith-to-llvm --profile-actions-to=%t -o /dev/null && FileCheck %s --input-file=%t --check-prefix=PROFILE
// RUN: dl-opt %s --convert-arith-to-llvm --mlir-debug-counter=apply-pattern-skip=1,apply-pattern-count=1 --mlir-print-debug-counter 2>&1 | FileCheck %s --check-prefix=COUNTER
// RUN: not dl-opt %s --log-mlir-actions-filter=%s:x 2>&1 | FileCheck %s --check-prefix=NO-PLACE
// RUN: not dl-opt %s --mlir-debug-counter=apply-pattern=1 2>&1 | FileCheck %s --check-prefix=NO-COUNTER
// RUN: not dl-opt %s --log-actions-to=%t.none/log 2>&1 | FileCheck %s --check-prefix=NO-FILE

// CHECK: [thread dl-opt] begins (no breakpoint) Action `pass-execution` running `Canonicalizer` on Operation `func.func` (func.func @f(%arg0: i32) -> i32 {...})`
// CHECK-NEXT: [thread dl-opt] begins (no breakpoint) Action GreedyPatternRewriteIteration(1) (Region #0 for op func.func @f(%arg0: i32) -> i32 {...})`
//      CHECK: [thread dl-opt] completed `GreedyPatternRewriteIteration`
//      CHECK: [thread dl-opt] completed `pass-execution`
//      CHECK: running `ConvertMathToLLVMPass` on Operation `builtin.module` (module {...})`
// CHECK-NEXT: Action apply-conversion (module {...})`
func.func @f(%a: i32) -> i32 {
  %b = arith.muli %a, %a : i32
  // PLACE-NOT: pass-execution
  // PLACE: Action `apply-pattern pattern: {{.*}} (%0 = arith.muli %arg0, %arg0 : i32)`
  // PLACE-NEXT: completed `apply-pattern`
  // PLACE-NOT: apply-pattern
  %c = arith.addi %b, %b : i32
  return %c : i32
}

// PROFILE: [{"name": "pass-execution", "cat": "PERF", "ph": "B", "pid": 0, "tid": {{[0-9]+}}, "ts": {{[0-9]+}}, "args": {"desc": "`pass-execution` running `ArithToLLVMConversionPass` on Operation `builtin.module`"}},
// PROFILE: {"name": "apply-pattern", "cat": "PERF", "ph": "E",
// PROFILE: {"name": "pass-execution", "cat": "PERF", "ph": "E", "pid": 0, "tid": {{[0-9]+}}, "ts": {{[0-9]+}}}]

// The first pattern and those after the second are left out.
// COUNTER: arith.muli
// COUNTER: llvm.add
// COUNTER: DebugCounter counters:
// COUNTER-NEXT: apply-pattern{{.*}}: {2,1,1}

// NO-PLACE: actions.mlir:x' is no place: expected 'file', 'file:line' or 'file:line:column'
// NO-COUNTER: expected DebugCounter counter name to end with either `-skip` or `-count`, but got `apply-pattern`
// NO-FILE: cannot open output file '{{.*}}none/log'
