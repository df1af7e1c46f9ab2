// RUN: dl-opt %s --buffer-results-to-out-params --split-input-file | FileCheck %s
// RUN: dl-opt %s --buffer-results-to-out-params=hoist-static-allocs --split-input-file | FileCheck %s --check-prefix=HOIST

// The caller allocates.
// CHECK-LABEL: func.func private @make
//  CHECK-SAME:   (%[[OUT:.*]]: memref<4xf32>) {
// CHECK: %[[M:.*]] = memref.alloc()
// CHECK: memref.copy %[[M]], %[[OUT]]
// CHECK: return{{$}}
// HOIST-LABEL: func.func private @make
//  HOIST-SAME:   (%[[OUT:.*]]: memref<4xf32>) {
// HOIST-NOT: memref.alloc
// HOIST: memref.store %{{.*}}, %[[OUT]]
// HOIST-NOT: memref.copy
func.func private @make() -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @use
// CHECK: %[[M:.*]] = memref.alloc() : memref<4xf32>
// CHECK: call @make(%[[M]]) : (memref<4xf32>) -> ()
// CHECK: memref.load %[[M]]
func.func @use(%i: index) -> f32 {
  %m = call @make() : () -> memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}

// -----

// Others may call a public function.
// CHECK-LABEL: func.func @public
// CHECK-SAME: -> memref<4xf32>
func.func @public() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}

// -----

// Whoever calls a function that is a value cannot be found.
// CHECK-LABEL: func.func private @value
// CHECK-SAME: -> memref<4xf32>
func.func private @value() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @use_of_value
// CHECK: call @value() : () -> memref<4xf32>
func.func @use_of_value() -> (() -> memref<4xf32>, memref<4xf32>) {
  %f = func.constant @value : () -> memref<4xf32>
  %m = call @value() : () -> memref<4xf32>
  return %f, %m : () -> memref<4xf32>, memref<4xf32>
}
