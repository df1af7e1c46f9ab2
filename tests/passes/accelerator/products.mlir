// RUN: dl-opt %s --accelerator-attach-target=target=%S/../../../simulator/targets/tile-16.toml --convert-linalg-to-accelerator | FileCheck %s
// RUN: dl-opt %s --accelerator-attach-target=target=%S/../../../simulator/targets/tile-16.toml --convert-linalg-to-accelerator=explain=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN:      products.mlir:{{[0-9]+}}:8: product 1x128x128x64 i8*i8->i32: {{[0-9]+}} ways looked at
// EXPLAIN-NEXT: block{{[[:space:]]+}}predicted{{[[:space:]]+}}compute{{[[:space:]]+}}dma{{[[:space:]]+}}dram
// EXPLAIN-NEXT: {{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}{{[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+}}
// EXPLAIN-NEXT: {{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}{{[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+}}

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Tiles are loops; sums of the first terms overwrite, others add.
// CHECK-LABEL: func.func @tiles
// CHECK:       %[[R:[a-z0-9]+]] = accelerator.launch #target(%{{.*}}, %{{.*}}) : (tensor<128x64xi8>, tensor<64x128xi8>) -> tensor<128x128xi32>
// CHECK:       accelerator.core 0
// CHECK:       accelerator.dma_start
// CHECK:       accelerator.dma_start
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:       %[[MORE:[a-z0-9]+]] = arith.cmpi ne
// CHECK:       accelerator.matmul_tile %{{.*}}, %{{.*}} to %{{.*}} accumulate %[[MORE]] after
// CHECK-NOT:   linalg.matmul
// CHECK:       return %[[R]]
func.func @tiles(%a: tensor<128x64xi8>, %b: tensor<64x128xi8>) -> tensor<128x128xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<128x128xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<128x128xi32>) -> tensor<128x128xi32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xi8>, tensor<64x128xi8>) outs(%init : tensor<128x128xi32>) -> tensor<128x128xi32>
  return %c : tensor<128x128xi32>
}

// Bias, maximum with the zero point and requantization are instructions before the store, and no operations of the host.
// CHECK-LABEL: func.func @requantized
// CHECK:       accelerator.launch
// CHECK:       accelerator.matmul_tile
// CHECK:       %[[SUM:[a-z0-9]+]] = accelerator.binary{{[[:space:]]+}}add
// CHECK:       accelerator.unary{{[[:space:]]+}}relu
// CHECK:       %[[DONE:[a-z0-9]+]] = accelerator.requantize %{{.*}} to %{{.*}} zero_point 0 scale 6.250000e-02
// CHECK:       accelerator.dma_start %{{.*}} to %{{.*}} after %[[DONE]]
// CHECK-NOT:   linalg.generic
func.func @requantized(%a: tensor<8x16xi8>, %b: tensor<16x16xi8>, %bias: tensor<16xi32>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 6.250000e-02 : f32
  %least = arith.constant 0.0 : f32
  %greatest = arith.constant 127.0 : f32
  %empty = tensor.empty() : tensor<8x16xi32>
  %narrow = tensor.empty() : tensor<8x16xi8>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x16xi8>) outs(%init : tensor<8x16xi32>) -> tensor<8x16xi32>
  %d = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<8x16xi32>, tensor<16xi32>) outs(%narrow : tensor<8x16xi8>) {
  ^bb0(%x: i32, %y: i32, %out: i8):
    %0 = arith.addi %x, %y : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<8x16xi8>
  return %d : tensor<8x16xi8>
}

// Narrow integers wrap here and saturate in the unit, so the sum is the host's. The product is not.
// CHECK-LABEL: func.func @wraps
// CHECK:       accelerator.launch
// CHECK:       linalg.generic
// CHECK:       arith.addi %{{.*}}, %{{.*}} : i8
func.func @wraps(%a: tensor<8x16xi8>, %b: tensor<16x16xi8>, %d: tensor<8x16xi8>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %narrow = tensor.empty() : tensor<8x16xi8>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x16xi8>) outs(%init : tensor<8x16xi32>) -> tensor<8x16xi32>
  %e = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c, %d : tensor<8x16xi32>, tensor<8x16xi8>) outs(%narrow : tensor<8x16xi8>) {
  ^bb0(%x: i32, %y: i8, %out: i8):
    %0 = arith.trunci %x : i32 to i8
    %1 = arith.addi %0, %y : i8
    linalg.yield %1 : i8
  } -> tensor<8x16xi8>
  return %e : tensor<8x16xi8>
}

// A convolution is a product; what is put around its image, transfers do.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT:   tensor.pad
// CHECK:       accelerator.launch #target(%{{.*}}, %{{.*}}) : (tensor<1x8x8x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x8x8x16xi32>
// CHECK:       accelerator.dma_start %{{.*}} to %{{.*}} pad [{{.*}}] [{{.*}}] with 0 : i8
// CHECK:       accelerator.matmul_tile
// CHECK-NOT:   linalg.conv_2d_nhwc_hwcf
func.func @convolution(%image: tensor<1x8x8x16xi8>, %filter: tensor<3x3x16x16xi8>) -> tensor<1x8x8x16xi32> {
  %zero = arith.constant 0 : i32
  %around = arith.constant 0 : i8
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %around : i8
  } : tensor<1x8x8x16xi8> to tensor<1x10x10x16xi8>
  %empty = tensor.empty() : tensor<1x8x8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %filter : tensor<1x10x10x16xi8>, tensor<3x3x16x16xi8>) outs(%init : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  return %sums : tensor<1x8x8x16xi32>
}

// No array multiplies f32, and the vector unit does not add up 80 products; extents that are not known cannot be cut into blocks.
// CHECK-LABEL: func.func @host
// CHECK-NOT:   accelerator.launch
// CHECK:       linalg.matmul
// CHECK:       linalg.matmul
func.func @host(%a: tensor<8x80xf32>, %e: tensor<80x8xf32>, %f: tensor<8x8xf32>, %b: tensor<?x8xi8>, %c: tensor<8x8xi8>, %d: tensor<?x8xi32>) -> (tensor<8x8xf32>, tensor<?x8xi32>) {
  %0 = linalg.matmul ins(%a, %e : tensor<8x80xf32>, tensor<80x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%b, %c : tensor<?x8xi8>, tensor<8x8xi8>) outs(%d : tensor<?x8xi32>) -> tensor<?x8xi32>
  return %0, %1 : tensor<8x8xf32>, tensor<?x8xi32>
}
