// RUN: dl-opt %s --accelerator-attach-target=target=%S/../../../simulator/targets/tile-16.toml --convert-linalg-to-accelerator | FileCheck %s
// RUN: dl-opt %s --accelerator-attach-target=target=%S/../../../simulator/targets/tile-16.toml --convert-linalg-to-accelerator=explain=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: dl-opt %s --accelerator-attach-target=target=%S/../../../simulator/targets/edge-8.toml --convert-linalg-to-accelerator | FileCheck %s --check-prefix=EDGE
// RUN: sed -e 's/"div", //' -e 's/div = 4, //' %S/../../../simulator/targets/tile-16.toml > %t.toml
// RUN: dl-opt %s --accelerator-attach-target=target=%t.toml --convert-linalg-to-accelerator | FileCheck %s --check-prefix=PRODUCT

// EXPLAIN:      rows.mlir:{{[0-9]+}}:{{[0-9]+}}: 4 operations on 24 rows of 40, 5 instructions: {{[0-9]+}} ways looked at
// EXPLAIN-NEXT: block{{[[:space:]]+}}predicted{{[[:space:]]+}}compute{{[[:space:]]+}}dma{{[[:space:]]+}}dram
// EXPLAIN-NEXT: {{[0-9]+}}x40{{[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+[[:space:]]+[0-9]+}}

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#swapped = affine_map<(i, j) -> (j, i)>

// What is made of a row stays in the core until it is done. There are no floats on the other machine.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT:   linalg.generic
// CHECK:       accelerator.launch #target(%{{.*}}) : (tensor<24x40xf32>) -> tensor<24x40xf32>
// CHECK:       accelerator.reduce{{[[:space:]]+}}max
// CHECK:       accelerator.binary{{[[:space:]]+}}sub
// CHECK:       accelerator.unary{{[[:space:]]+}}exp
// CHECK:       accelerator.reduce{{[[:space:]]+}}sum
// CHECK:       accelerator.binary{{[[:space:]]+}}div
// CHECK:       return
// EDGE-LABEL:  func.func @softmax
// EDGE-NOT:    accelerator.launch
// EDGE:        return
func.func @softmax(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<24xf32>
  %matrix = tensor.empty() : tensor<24x40xf32>
  %lowests = linalg.fill ins(%lowest : f32) outs(%rows : tensor<24xf32>) -> tensor<24xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<24xf32>) -> tensor<24xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<24x40xf32>) outs(%lowests : tensor<24xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.maximumf %a, %out : f32
    linalg.yield %0 : f32
  } -> tensor<24xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<24x40xf32>, tensor<24xf32>) outs(%matrix : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<24x40xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<24x40xf32>) outs(%zeros : tensor<24xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %out, %a : f32
    linalg.yield %0 : f32
  } -> tensor<24xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<24x40xf32>, tensor<24xf32>) outs(%matrix : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<24x40xf32>
  return %y : tensor<24x40xf32>
}

// The inverse of a power of two is exact; others must be allowed. A unit without division takes the inverse where it may.
// CHECK-LABEL: func.func @quotients
// CHECK:       accelerator.binary{{[[:space:]]+}}mul
// CHECK:       accelerator.binary{{[[:space:]]+}}div
// CHECK:       accelerator.binary{{[[:space:]]+}}mul
// CHECK-NOT:   linalg.generic
// CHECK:       return
// PRODUCT-LABEL: func.func @softmax
// PRODUCT:       linalg.generic
// PRODUCT:       arith.divf
// PRODUCT-LABEL: func.func @quotients
// PRODUCT:       linalg.generic
// PRODUCT-LABEL: func.func @allowed
// PRODUCT-NOT:   linalg.generic
// PRODUCT:       accelerator.unary{{[[:space:]]+}}reciprocal
// PRODUCT:       accelerator.binary{{[[:space:]]+}}mul
// PRODUCT-NOT:   linalg.generic
// PRODUCT:       return
func.func @quotients(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %four = arith.constant 4.0 : f32
  %three = arith.constant 3.0 : f32
  %matrix = tensor.empty() : tensor<24x40xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<24x40xf32>) outs(%matrix : tensor<24x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.divf %a, %four : f32
    %1 = arith.divf %0, %three : f32
    %2 = arith.divf %1, %three fastmath<arcp> : f32
    linalg.yield %2 : f32
  } -> tensor<24x40xf32>
  return %y : tensor<24x40xf32>
}

func.func @allowed(%x: tensor<24x40xf32>, %y: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %matrix = tensor.empty() : tensor<24x40xf32>
  %z = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<24x40xf32>, tensor<24x40xf32>) outs(%matrix : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b fastmath<arcp> : f32
    linalg.yield %0 : f32
  } -> tensor<24x40xf32>
  return %z : tensor<24x40xf32>
}

// One function of several operations, also of what is a product itself.
// CHECK-LABEL: func.func @gelu
// CHECK:       accelerator.dequantize
// CHECK:       accelerator.unary{{[[:space:]]+}}gelu
// CHECK-NOT:   linalg.generic
// CHECK:       return
func.func @gelu(%x: tensor<8x16xi32>) -> tensor<8x16xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.707106769 : f32
  %scale = arith.constant 0.001 : f32
  %to = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xi32>) outs(%to : tensor<8x16xf32>) {
  ^bb0(%v: i32, %out: f32):
    %0 = arith.sitofp %v : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.mulf %1, %root : f32
    %3 = math.erf %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.mulf %5, %half : f32
    linalg.yield %6 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// Another factor under the root makes it another function, and the unit has no error function.
// CHECK-LABEL: func.func @no_gelu
// CHECK-NOT:   accelerator.launch
// CHECK:       math.erf
func.func @no_gelu(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.7071 : f32
  %to = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%to : tensor<8x16xf32>) {
  ^bb0(%v: f32, %out: f32):
    %0 = arith.mulf %v, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %v, %2 : f32
    %4 = arith.mulf %3, %half : f32
    linalg.yield %4 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// A sum in bf16 is rounded at each step, and the unit's is not: each row is added up term by term.
// CHECK-LABEL: func.func @narrow_sum
// CHECK-NOT:   accelerator.reduce
// CHECK:       accelerator.binary{{[[:space:]]+}}add
// CHECK:       return
func.func @narrow_sum(%x: tensor<24x4xbf16>) -> tensor<24xbf16> {
  %zero = arith.constant 0.0 : bf16
  %rows = tensor.empty() : tensor<24xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%rows : tensor<24xbf16>) -> tensor<24xbf16>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<24x4xbf16>) outs(%zeros : tensor<24xbf16>) {
  ^bb0(%a: bf16, %out: bf16):
    %0 = arith.addf %out, %a : bf16
    linalg.yield %0 : bf16
  } -> tensor<24xbf16>
  return %sum : tensor<24xbf16>
}

// What is used in between is stored as well.
// CHECK-LABEL: func.func @both
// CHECK:       %[[R:[a-z0-9]+]]:2 = accelerator.launch #target({{.*}}) -> (tensor<8x16xi32>, tensor<8x16xi32>)
// CHECK:       return %[[R]]#0, %[[R]]#1
func.func @both(%x: tensor<8x16xi32>) -> (tensor<8x16xi32>, tensor<8x16xi32>) {
  %three = arith.constant 3 : i32
  %matrix = tensor.empty() : tensor<8x16xi32>
  %a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xi32>) outs(%matrix : tensor<8x16xi32>) {
  ^bb0(%v: i32, %out: i32):
    %0 = arith.addi %v, %three : i32
    linalg.yield %0 : i32
  } -> tensor<8x16xi32>
  %b = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xi32>) outs(%matrix : tensor<8x16xi32>) {
  ^bb0(%v: i32, %out: i32):
    %0 = arith.muli %v, %v : i32
    linalg.yield %0 : i32
  } -> tensor<8x16xi32>
  return %a, %b : tensor<8x16xi32>, tensor<8x16xi32>
}

// Where elements of a row may be apart, transfers transpose; nothing is left to compute.
// CHECK-LABEL: func.func @transposed
// CHECK:       accelerator.launch
// CHECK-NOT:   accelerator.unary
// CHECK-NOT:   linalg.transpose
// CHECK:       return
// EDGE-LABEL:  func.func @transposed
// EDGE:        linalg.transpose
func.func @transposed(%x: tensor<8x16xi8>) -> tensor<16x8xi8> {
  %to = tensor.empty() : tensor<16x8xi8>
  %y = linalg.transpose ins(%x : tensor<8x16xi8>) outs(%to : tensor<16x8xi8>) permutation = [1, 0]
  return %y : tensor<16x8xi8>
}

// Nothing in the unit is a sine.
// CHECK-LABEL: func.func @sine
// CHECK-NOT:   accelerator.launch
// CHECK:       math.sin
func.func @sine(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %to = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%to : tensor<8x16xf32>) {
  ^bb0(%v: f32, %out: f32):
    %0 = math.sin %v : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// A convolution of each channel by itself is no product of matrices; its terms are added one by one. Padding that nobody else does is a launch of its own.
// CHECK-LABEL: func.func @depthwise
// CHECK:       %[[P:[a-z0-9]+]] = accelerator.launch #target(%{{.*}}) : (tensor<1x8x8x32xi8>) -> tensor<1x10x10x32xi8>
// CHECK:       accelerator.dma_start %{{.*}} to %{{.*}} pad
// CHECK:       accelerator.launch
// CHECK-NOT:   accelerator.matmul_tile
// CHECK:       accelerator.binary{{[[:space:]]+}}mul
// CHECK:       return %[[P]]
func.func @depthwise(%x: tensor<1x8x8x32xi8>, %w: tensor<3x3x32xi8>) -> (tensor<1x10x10x32xi8>, tensor<1x8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  %around = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %around : i8
  } : tensor<1x8x8x32xi8> to tensor<1x10x10x32xi8>
  %to = tensor.empty() : tensor<1x8x8x32xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%to : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %w : tensor<1x10x10x32xi8>, tensor<3x3x32xi8>) outs(%zeros : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  return %padded, %y : tensor<1x10x10x32xi8>, tensor<1x8x8x32xi32>
}
