// Linear algebra on tensors: products, element-wise chains, a reduction, slices, reshapes, unit dimensions.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#scalar = affine_map<(d0, d1) -> ()>

// --- function
func.func @f$(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %bias: tensor<64xf32>, %U: tensor<1x64xf32>, %x: f32, %n: index) -> tensor<64x64xf32> {
  %f0 = arith.constant 0.0 : f32
  %R = tensor.empty() : tensor<64x64xf32>
  // --- body
  %empty$ = tensor.empty() : tensor<64x64xf32>
  %fill$ = linalg.fill ins(%f0 : f32) outs(%empty$ : tensor<64x64xf32>) -> tensor<64x64xf32>
  %product$ = linalg.matmul ins(%A, %B : tensor<64x64xf32>, tensor<64x64xf32>) outs(%fill$ : tensor<64x64xf32>) -> tensor<64x64xf32>
  %biased$ = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%product$, %bias : tensor<64x64xf32>, tensor<64xf32>) outs(%empty$ : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %active$ = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel", "parallel"]} ins(%biased$, %x : tensor<64x64xf32>, f32) outs(%empty$ : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %m = arith.maximumf %s, %f0 : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  %vector$ = tensor.empty() : tensor<64xf32>
  %start$ = linalg.fill ins(%f0 : f32) outs(%vector$ : tensor<64xf32>) -> tensor<64xf32>
  %sums$ = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%active$ : tensor<64x64xf32>) outs(%start$ : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %wide$ = linalg.broadcast ins(%sums$ : tensor<64xf32>) outs(%empty$ : tensor<64x64xf32>) dimensions = [1]
  %sum$ = linalg.add ins(%active$, %wide$ : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty$ : tensor<64x64xf32>) -> tensor<64x64xf32>
  %grown$ = arith.addf %sum$, %A : tensor<64x64xf32>
  %turned$ = linalg.transpose ins(%grown$ : tensor<64x64xf32>) outs(%empty$ : tensor<64x64xf32>) permutation = [1, 0]
  %unit$ = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%U : tensor<1x64xf32>) outs(%U : tensor<1x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<1x64xf32>
  %slice$ = tensor.extract_slice %turned$[%n, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
  %corner$ = tensor.extract_slice %slice$[0, %n] [8, 8] [1, 1] : tensor<8x64xf32> to tensor<8x8xf32>
  %one$ = tensor.insert_slice %unit$ into %turned$[%n, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<64x64xf32>
  %two$ = tensor.insert_slice %corner$ into %one$[0, %n] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
  %flat$ = tensor.collapse_shape %two$ [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %deep$ = tensor.expand_shape %flat$ [[0, 1]] output_shape [64, 64] : tensor<4096xf32> into tensor<64x64xf32>
  %element$ = tensor.extract %deep$[%n, %n] : tensor<64x64xf32>
  %written$ = tensor.insert %element$ into %deep$[%n, %n] : tensor<64x64xf32>
  %result$ = linalg.copy ins(%written$ : tensor<64x64xf32>) outs(%empty$ : tensor<64x64xf32>) -> tensor<64x64xf32>
  %kept$ = linalg.mul ins(%result$, %sum$ : tensor<64x64xf32>, tensor<64x64xf32>) outs(%R : tensor<64x64xf32>) -> tensor<64x64xf32>
  // --- end
  return %A : tensor<64x64xf32>
}
