memref.global "private" constant @m : memref<64x127xf32> = dense<1.0>
func.func @main() -> memref<64x64xf32> {
  %a = memref.get_global @m : memref<64x127xf32>
  %b = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j * 2)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x127xf32>) outs(%b : memref<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return %b : memref<64x64xf32>
}
