// Without vectors, every operation that the pipeline takes with them is taken, too: reshapes of buffers, functions of the C library, vectors of
// the program, copies. erf(0.5) = 0.5204998778 and erf(1) = 0.8427007929 (Abramowitz and Stegun, table 7.1).

// RUN: dl-run %s --input=[0.5,1,-1,0] --pass-pipeline='builtin.module(cpu-pipeline{vectorize=false})' | FileCheck %s
// CHECK:      float32 [2x2]
// CHECK-NEXT: {{\[\[ 0.5204999 +0.8427008\]}}
// CHECK-NEXT: {{ \[-0.8427008 +0. +\]\]}}
// CHECK-NEXT: float32 []
// CHECK-NEXT: 0.5{{$}}

#id = affine_map<(d0) -> (d0)>

func.func @main(%x: tensor<4xf32>) -> (tensor<2x2xf32>, f32) {
  %empty = tensor.empty() : tensor<4xf32>
  %erf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.erf %a : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %square = tensor.expand_shape %erf [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%zero], %pad {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %sum = vector.reduction <add>, %v : vector<4xf32> into f32
  return %square, %sum : tensor<2x2xf32>, f32
}
