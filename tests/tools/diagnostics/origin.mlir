// RUN: not dl-opt %s --mlir-print-stacktrace-on-diagnostic -o %t 2>&1 | FileCheck %s
// RUN: not dl-opt %s -o %t 2>&1 | FileCheck %s --check-prefix=WITHOUT

//      CHECK: error: 'func.func' op symbol declaration cannot have public visibility
//      CHECK: note: diagnostic emitted with trace:
// CHECK-NEXT:  at {{.*}}function.rs:{{[0-9]+}}:{{[0-9]+}}

// WITHOUT-NOT: trace

func.func @f()
