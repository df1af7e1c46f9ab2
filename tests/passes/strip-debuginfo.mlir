// RUN: dl-opt %s --strip-debuginfo --mlir-print-debuginfo | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(strip-debuginfo))' --mlir-print-debuginfo | FileCheck %s --check-prefix=NESTED

// CHECK-NOT: strip-debuginfo.mlir
// CHECK-NOT: "named"
// CHECK: func.func @f(%{{.*}}: i32 loc(unknown))
// CHECK: return loc(#[[UNKNOWN:.*]])

// The location of the function itself goes too, that of the module around it stays.
// NESTED: #[[UNKNOWN:.*]] = loc(unknown)
// NESTED: return loc(#[[UNKNOWN]])
// NESTED-NEXT: } loc(#[[UNKNOWN]])
// NESTED-NEXT: } loc(#[[MODULE:.*]])
// NESTED-NEXT: #[[MODULE]] = loc("{{.*}}strip-debuginfo.mlir":0:0)
func.func @f(%a: i32 loc("named")) {
  return loc("named")
}
