// RUN: dl-opt %s --buffer-deallocation-pipeline | FileCheck %s
// RUN: dl-opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership | FileCheck %s

// CHECK-LABEL: func.func @local
// CHECK: %[[M:.*]] = memref.alloc
// CHECK: %[[X:.*]] = memref.load %[[M]]
// CHECK: memref.dealloc %[[M]]
// CHECK-NOT: dealloc
// CHECK: return %[[X]]
func.func @local(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}

// The caller frees what is returned.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: dealloc
// CHECK: return
func.func @returned() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}
