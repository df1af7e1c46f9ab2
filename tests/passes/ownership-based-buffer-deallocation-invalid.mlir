// RUN: dl-opt %s --ownership-based-buffer-deallocation --split-input-file --verify-diagnostics

func.func @tiled(%a: memref<8xf32>) {
  // expected-error @below {{unsupported: the buffer has a layout without strides: memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>}}
  %0 = memref.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>
  return
}

// -----

// expected-error @below {{Only structured control-flow loops are supported.}}
func.func @branches(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  cf.br ^loop(%c0 : i32)
^loop(%i: i32):
  %0 = memref.alloc() : memref<i32>
  %next = memref.load %0[] : memref<i32>
  %again = arith.cmpi slt, %next, %n : i32
  cf.cond_br %again, ^loop(%next : i32), ^end
^end:
  return %next : i32
}
