// RUN: dl-opt %s --strip-debuginfo --mlir-print-debuginfo | FileCheck %s

// CHECK-NOT: strip-debuginfo.mlir
// CHECK-NOT: "named"
// CHECK: func.func @f(%{{.*}}: i32 loc(unknown))
// CHECK: return loc(#[[UNKNOWN:.*]])
func.func @f(%a: i32 loc("named")) {
  return loc("named")
}
