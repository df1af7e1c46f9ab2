// RUN: not dl-opt %s --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s
// RUN: not dl-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// The operation that a message is about, as it is by then, with the names that it uses.
func.func @f(%a: i32, %b: vector<2xf32>) {
  // CHECK: error: 'vector.extract' op
  // CHECK: note: see current operation: %0 = "vector.extract"(%arg1) <{static_position = array<i64: 2>}> : (vector<2xf32>) -> f32
  // WITHOUT: error: 'vector.extract' op
  // WITHOUT-NOT: note:
  %0 = vector.extract %b[2] : f32 from vector<2xf32>
  return
}
