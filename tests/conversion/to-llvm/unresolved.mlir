// Casts that nothing resolves stay, and are no fault. A log says what they are there for.
// RUN: dl-opt %s --reconcile-unrealized-casts --verify-diagnostics | FileCheck %s
// RUN: dl-opt %s --reconcile-unrealized-casts --log=warn -o %t 2>&1 | FileCheck %s --check-prefix=LOG

// CHECK-LABEL: @unconverted
func.func @unconverted(%x: f32) -> i64 {
  // CHECK: %[[E:.*]] = math.erf
  // CHECK: %[[C:.*]] = builtin.unrealized_conversion_cast %[[E]] : f32 to i64
  // CHECK: return %[[C]]
  %0 = math.erf %x : f32
  // LOG: WARN {{.*}}no conversion resolves a cast from="f32" to="i64" source="math.erf" user="func.return"
  %1 = builtin.unrealized_conversion_cast %0 : f32 to i64
  return %1 : i64
}
