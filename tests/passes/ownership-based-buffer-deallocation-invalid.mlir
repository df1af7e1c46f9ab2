// RUN: dl-opt %s --ownership-based-buffer-deallocation --verify-diagnostics

func.func @tiled(%a: memref<8xf32>) {
  // expected-error @below {{unsupported: the buffer has a layout without strides: memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>}}
  %0 = memref.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  return
}
