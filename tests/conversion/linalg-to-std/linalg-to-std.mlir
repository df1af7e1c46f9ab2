// RUN: dl-opt %s --convert-linalg-to-std | FileCheck %s

// CHECK-LABEL: func.func @product
//  CHECK-SAME:   (%[[A:.*]]: memref<4x?xf32>
// CHECK: %[[V:.*]] = memref.cast %[[A]] : memref<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK: call @linalg_matmul_view4xsxf32_viewsx8xf32_view4x8xf32(%[[V]],
func.func @product(%a: memref<4x?xf32>, %b: memref<?x8xf32>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x?xf32>, memref<?x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

// CHECK: func.func private @linalg_matmul_view4xsxf32_viewsx8xf32_view4x8xf32(memref<4x?xf32, strided<[?, ?], offset: ?>>, {{.*}}) attributes {llvm.emit_c_interface}
// CHECK: func.func private @my_kernel(memref<4xf32, strided<[?], offset: ?>>)
// CHECK-LABEL: func.func @named_by_hand
// CHECK: call @my_kernel
// CHECK: call @my_kernel
func.func @named_by_hand(%c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = "my_kernel"} outs(%c : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = "my_kernel"} outs(%c : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}
