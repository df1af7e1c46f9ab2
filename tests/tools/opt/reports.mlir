// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=3},cse),symbol-dce)' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: dl-opt %s --cse --canonicalize --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: dl-opt %s --cse --canonicalize --mlir-timing --mlir-timing-display=list -o %t 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: dl-opt %s --cse --mlir-timing --mlir-output-format=json -o %t 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(cse),any(canonicalize),builtin.module(cse))' --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(cse),symbol-dce)' --mlir-pass-statistics --mlir-pass-statistics-display=list -o %t 2>&1 | FileCheck %s --check-prefix=STATLIST
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(cse),symbol-dce)' --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATS

//      DUMP:Pass Manager with 2 passes:
// DUMP-NEXT:builtin.module(
// DUMP-NEXT: func.func(
// DUMP-NEXT: canonicalize{ max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true},
// DUMP-NEXT: cse
// DUMP-NEXT: ),
// DUMP-NEXT: symbol-dce
// DUMP-NEXT:)

//      TREE: ... Execution time report ...
//      TREE: Total Execution Time: {{[0-9.]+}} seconds
//      TREE: ----Wall Time----  ----Name----
// TREE-NEXT:   Parser
// TREE-NEXT:   CSE
// TREE-NEXT:     (A) DominanceInfo
// TREE-NEXT:   Canonicalizer
// TREE-NEXT:   Output
// TREE-NEXT:   Rest
// TREE-NEXT: (100.0%)  Total

//     LIST: ----Name----
// LIST-DAG:   CSE
// LIST-DAG:   (A) DominanceInfo
// LIST-DAG:   Canonicalizer
//     LIST: (100.0%)  Total

//      JSON: {"wall": {"duration": {{.*}}, "percentage": {{.*}}}, "name": "CSE", "passes": [
// JSON-NEXT: {"wall": {"duration": {{.*}}, "percentage": {{.*}}}, "name": "(A) DominanceInfo", "passes": [
//      JSON: {"wall": {"duration": {{.*}}, "percentage": 100.0}, "name": "Total"}

// What stands side by side runs in one sweep, but for what could take the operations of the others.
//      NESTED: 'func.func' Pipeline
// NESTED-NEXT:   CSE
// NESTED-NEXT:     (A) DominanceInfo
// NESTED-NEXT: 'any' Pipeline
// NESTED-NEXT:   Canonicalizer
// NESTED-NEXT: 'builtin.module' Pipeline
// NESTED-NEXT: Output

//      STATLIST:   CSE
// STATLIST-NEXT:     (S) 2 num-cse'd - Number of operations CSE'd
// STATLIST-NEXT:     (S) 0 num-dce'd - Number of operations DCE'd
// STATLIST-NEXT:   SymbolDCE
// STATLIST-NEXT:     (S) 1 num-dce'd - Number of symbols DCE'd

//      STATS: ... Pass statistics report ...
//      STATS: 'func.func' Pipeline
// STATS-NEXT:   CSE
// STATS-NEXT:     (S) 2 num-cse'd - Number of operations CSE'd
// STATS-NEXT:     (S) 0 num-dce'd - Number of operations DCE'd
// STATS-NEXT: SymbolDCE
// STATS-NEXT:   (S) 1 num-dce'd - Number of symbols DCE'd

func.func @f(%x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  return %0, %1 : i32, i32
}
func.func @g(%x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  return %0, %1 : i32, i32
}
func.func private @unused()
