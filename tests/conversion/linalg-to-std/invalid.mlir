// RUN: dl-opt %s --convert-linalg-to-std --split-input-file --verify-diagnostics

func.func @on_tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{failed to legalize operation 'linalg.copy'}}
  %r = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>
#point = affine_map<(d0) -> ()>
func.func @one_name_for_two(%a: memref<64xf32>, %b: memref<f32>, %c: memref<64xi32>, %d: memref<i32>) {
  linalg.generic {indexing_maps = [#map, #point], iterator_types = ["reduction"], library_call = "sum"}
      ins(%a : memref<64xf32>) outs(%b : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  // expected-error @below {{'linalg.generic' op unsupported: a call of 'sum' as '(memref<64xi32, strided<[?], offset: ?>>, memref<i32, strided<[], offset: ?>>) -> ()', which is '(memref<64xf32, strided<[?], offset: ?>>, memref<f32, strided<[], offset: ?>>) -> ()' elsewhere}}
  linalg.generic {indexing_maps = [#map, #point], iterator_types = ["reduction"], library_call = "sum"}
      ins(%c : memref<64xi32>) outs(%d : memref<i32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %out : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

func.func private @linalg_copy_view4xf32_view4xf32(memref<4xf32>)

func.func @another_function(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error @below {{'linalg.copy' op unsupported: a call of 'linalg_copy_view4xf32_view4xf32' as}}
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
