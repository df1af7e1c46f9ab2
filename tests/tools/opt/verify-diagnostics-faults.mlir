// RUN: not dl-opt %s --verify-diagnostics -o %t 2>&1 | FileCheck %s

// CHECK: verify-diagnostics-faults.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: unexpected error: {{.*}}doesn't match
func.func @f(%x: i32) -> i64 {
  return %x : i32
}

// CHECK: verify-diagnostics-faults.mlir:[[# @LINE + 1]]:{{[0-9]+}}: error: expected warning "it may rain" was not produced
// expected-warning @below {{it may rain}}
func.func private @g()
