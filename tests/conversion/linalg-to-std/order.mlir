// RUN: dl-opt %s --convert-linalg-to-std | FileCheck %s

// Functions are declared before the last operation of the module, in the order of the calls.
// CHECK: func.func private @other
// CHECK: func.func @first
// CHECK: func.func private @linalg_fill_f32_viewsxf32
// CHECK: func.func private @linalg_copy_viewsxf32_viewsxf32
// CHECK: func.func @last
func.func private @other(f32)
func.func @first(%m: memref<?xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return
}
func.func @last(%m: memref<?xf32>, %n: memref<?xf32>) {
  linalg.copy ins(%m : memref<?xf32>) outs(%n : memref<?xf32>)
  return
}
