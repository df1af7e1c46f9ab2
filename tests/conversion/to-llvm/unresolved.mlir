// Casts that nothing resolves stay, and are no fault before the end. A log says what they are there for.
// RUN: dl-opt %s --reconcile-unrealized-casts --verify-diagnostics | FileCheck %s
// RUN: dl-opt %s --reconcile-unrealized-casts --log=warn -o %t 2>&1 | FileCheck %s --check-prefix=LOG
// RUN: not dl-opt %s --reconcile-unrealized-casts=fail-on-unresolved 2>&1 | FileCheck %s --check-prefix=FAIL

// CHECK-LABEL: @unconverted
func.func @unconverted(%x: f32) -> i64 {
  // CHECK: %[[E:.*]] = math.erf
  // CHECK: %[[C:.*]] = builtin.unrealized_conversion_cast %[[E]] : f32 to i64
  // CHECK: return %[[C]]
  %0 = math.erf %x : f32
  // LOG: WARN {{.*}}'func.return' op needs the result of 'math.erf', of type 'f32', as 'i64', and no conversion has made it that
  // FAIL: unresolved.mlir:{{[0-9]+}}:3: error: 'func.return' op needs the result of 'math.erf', of type 'f32', as 'i64', and no conversion has made it that
  // FAIL: unresolved.mlir:{{[0-9]+}}:{{[0-9]+}}: note: 'func.return' has not been converted to the dialect of the other
  %1 = builtin.unrealized_conversion_cast %0 : f32 to i64
  return %1 : i64
}
