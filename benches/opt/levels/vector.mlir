// Vectors: transfers, contraction, reductions, masks, shuffles.

#id = affine_map<(d0, d1) -> (d0, d1)>

// --- function
func.func @f$(%A: memref<64x64xf32>, %v: vector<4x8xf32>, %w: vector<8xf32>, %mask: vector<4x8xi1>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  // --- body
  %read$ = vector.transfer_read %A[%n, %c0], %x {in_bounds = [true, true]} : memref<64x64xf32>, vector<4x8xf32>
  %loaded$ = vector.load %A[%n, %c0] : memref<64x64xf32>, vector<8xf32>
  %spread$ = vector.broadcast %loaded$ : vector<8xf32> to vector<4x8xf32>
  %sum$ = arith.addf %read$, %spread$ : vector<4x8xf32>
  %fused$ = vector.fma %sum$, %v, %read$ : vector<4x8xf32>
  %rows$ = vector.multi_reduction <add>, %fused$, %w [0] : vector<4x8xf32> to vector<8xf32>
  %all$ = vector.reduction <add>, %rows$ : vector<8xf32> into f32
  %wide$ = vector.broadcast %all$ : f32 to vector<4x8xf32>
  %turned$ = vector.transpose %wide$, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %back$ = vector.shape_cast %turned$ : vector<8x4xf32> to vector<4x8xf32>
  %part$ = vector.extract %back$[1] : vector<8xf32> from vector<4x8xf32>
  %full$ = vector.insert %part$, %fused$ [2] : vector<8xf32> into vector<4x8xf32>
  %masked$ = vector.mask %mask { vector.multi_reduction <add>, %full$, %w [0] : vector<4x8xf32> to vector<8xf32> } : vector<4x8xi1> -> vector<8xf32>
  %mixed$ = vector.shuffle %masked$, %part$ [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf32>, vector<8xf32>
  vector.store %mixed$, %A[%c0, %n] : memref<64x64xf32>, vector<8xf32>
  vector.transfer_write %full$, %A[%c0, %n] {in_bounds = [true, true]} : vector<4x8xf32>, memref<64x64xf32>
  // --- end
  return
}
