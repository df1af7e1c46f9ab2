// RUN: dl-opt %s --strip-debuginfo --mlir-print-debuginfo | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(strip-debuginfo))' --mlir-print-debuginfo | FileCheck %s --check-prefix=NESTED

// CHECK-NOT: strip-debuginfo.mlir
// CHECK-NOT: "named"
// CHECK: return loc(#[[UNKNOWN:.*]])

// The location of the function itself goes too, that of the module around it stays.
// NESTED: return loc(#[[UNKNOWN:.*]])
// NESTED-NEXT: } loc(#[[UNKNOWN]])
// NESTED-NEXT: } loc(#[[MODULE:.*]])
// NESTED-DAG: #[[UNKNOWN]] = loc(unknown)
// NESTED-DAG: #[[MODULE]] = loc("{{.*}}strip-debuginfo.mlir":{{.*}})
func.func @f() {
  return loc("named")
}
