// RUN: dl-opt %s --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true | FileCheck %s

// The function is also called through its value, which has the old type. (mlir-opt 22 changes it, and the module is invalid then.)
// CHECK-LABEL: func.func private @used_as_value
//  CHECK-SAME:   (%{{.*}}: memref<4xf32>) -> memref<4xf32>
func.func private @used_as_value(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

func.func @value() -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = func.constant @used_as_value : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}
