// RUN: dl-opt %s --promote-buffers-to-stack --split-input-file | FileCheck %s

// What outlives the function may be read later. (mlir-opt 22 promotes these.)
// CHECK-LABEL: func.func @stored
//  CHECK-NEXT:   memref.alloc()
func.func @stored(%all: memref<memref<2xf32>>) {
  %b = memref.alloc() : memref<2xf32>
  memref.store %b, %all[] : memref<memref<2xf32>>
  return
}

// -----

// CHECK-LABEL: func.func @given_to_a_function
//  CHECK-NEXT:   memref.alloc()
func.func @given_to_a_function() {
  %b = memref.alloc() : memref<2xf32>
  func.call @keep(%b) : (memref<2xf32>) -> ()
  return
}
func.func private @keep(memref<2xf32>)
