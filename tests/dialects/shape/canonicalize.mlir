// RUN: dl-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Results that nobody uses go.
// CHECK-LABEL: func.func @unused_results
//  CHECK-SAME:   (%[[W:.*]]: !shape.witness)
func.func @unused_results(%w: !shape.witness) -> f32 {
  // CHECK: %[[R:.*]] = shape.assuming %[[W]] -> (f32) {
  // CHECK:   %[[V:.*]]:3 = "test.source"()
  // CHECK:   shape.assuming_yield %[[V]]#2 : f32
  // CHECK: return %[[R]]
  %0:3 = shape.assuming %w -> (f32, index, f32) {
    %a, %b, %c = "test.source"() : () -> (f32, index, f32)
    shape.assuming_yield %a, %b, %c : f32, index, f32
  }
  return %0#2 : f32
}

// What has effects stays without them.
// CHECK-LABEL: func.func @no_results
//  CHECK-SAME:   (%[[W:.*]]: !shape.witness)
func.func @no_results(%w: !shape.witness) {
  // CHECK:      shape.assuming %[[W]] {
  // CHECK-NEXT:   "test.source"()
  // CHECK-NEXT: }
  %0 = shape.assuming %w -> (index) {
    %a = "test.source"() : () -> index
    shape.assuming_yield %a : index
  }
  return
}
