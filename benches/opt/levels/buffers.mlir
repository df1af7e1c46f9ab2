// Linear algebra on buffers.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// --- function
func.func @f$(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>, %v: memref<64xf32>, %x: f32) {
  // --- body
  linalg.fill ins(%x : f32) outs(%C : memref<64x64xf32>)
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%C : memref<64x64xf32>) outs(%B : memref<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %m = arith.maximumf %s, %x : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%B : memref<64x64xf32>) outs(%v : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.copy ins(%B : memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  linalg.transpose ins(%A : memref<64x64xf32>) outs(%C : memref<64x64xf32>) permutation = [1, 0]
  // --- end
  return
}
