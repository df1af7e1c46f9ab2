// RUN: dl-opt %s --strip-debuginfo --mlir-print-debuginfo | FileCheck %s

// CHECK-NOT: strip-debuginfo.mlir
// CHECK-NOT: "named"
// CHECK: return loc(#[[UNKNOWN:.*]])
func.func @f() {
  return loc("named")
}
