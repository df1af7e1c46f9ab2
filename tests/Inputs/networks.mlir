// Parts of networks, for every machine. `INPUTS` are extents and element types of the arguments; results are compared with those of the interpreter, to the
// last bit where they are integers.

// A residual block of ResNet on 8-bit integers: two windows of 3 x 3, each with bias and requantization, the second with what goes around it.
// INPUTS: 1x8x8x16xi8 3x3x16x16xi8 16xi32 3x3x16x16xi8 16xi32
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @resnet_int8(%x: tensor<1x8x8x16xi8>, %w1: tensor<3x3x16x16xi8>, %b1: tensor<16xi32>, %w2: tensor<3x3x16x16xi8>, %b2: tensor<16xi32>) -> tensor<1x8x8x16xi8> {
  %zero8 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.0009765625 : f32
  %half = arith.constant 0.5 : f32
  %least = arith.constant -128.0 : f32
  %none = arith.constant 0.0 : f32
  %greatest = arith.constant 127.0 : f32
  %sums = tensor.empty() : tensor<1x8x8x16xi32>
  %narrow = tensor.empty() : tensor<1x8x8x16xi8>
  %init = linalg.fill ins(%zero : i32) outs(%sums : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero8 : i8
  } : tensor<1x8x8x16xi8> to tensor<1x10x10x16xi8>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p1, %w1 : tensor<1x10x10x16xi8>, tensor<3x3x16x16xi8>) outs(%init : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %r1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<1x8x8x16xi32>, tensor<16xi32>) outs(%narrow : tensor<1x8x8x16xi8>) {
  ^bb0(%s: i32, %b: i32, %out: i8):
    %0 = arith.addi %s, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %none : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x8x8x16xi8>
  %p2 = tensor.pad %r1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero8 : i8
  } : tensor<1x8x8x16xi8> to tensor<1x10x10x16xi8>
  %c2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p2, %w2 : tensor<1x10x10x16xi8>, tensor<3x3x16x16xi8>) outs(%init : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %r2 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %b2 : tensor<1x8x8x16xi32>, tensor<16xi32>) outs(%narrow : tensor<1x8x8x16xi8>) {
  ^bb0(%s: i32, %b: i32, %out: i8):
    %0 = arith.addi %s, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x8x8x16xi8>
  // What goes around: both dequantized, added, requantized.
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r2, %x : tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) outs(%narrow : tensor<1x8x8x16xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %half : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %none : f32
    %7 = arith.minimumf %6, %greatest : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x8x8x16xi8>
  return %y : tensor<1x8x8x16xi8>
}

// -----

// An inverted bottleneck of MobileNet on 8-bit integers: 1 x 1 up, 3 x 3 by channel, 1 x 1 down, and what goes around.
// INPUTS: 1x6x6x8xi8 8x24xi8 24xi32 3x3x24xi8 24xi32 24x8xi8 8xi32
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
#pixel = affine_map<(p, c) -> (p, c)>
#column = affine_map<(p, c) -> (c)>
func.func @mobilenet_int8(%x: tensor<1x6x6x8xi8>, %w1: tensor<8x24xi8>, %b1: tensor<24xi32>, %w2: tensor<3x3x24xi8>, %b2: tensor<24xi32>, %w3: tensor<24x8xi8>, %b3: tensor<8xi32>) -> tensor<1x6x6x8xi8> {
  %zero8 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.00390625 : f32
  %half = arith.constant 0.5 : f32
  %least = arith.constant -128.0 : f32
  %none = arith.constant 0.0 : f32
  %greatest = arith.constant 127.0 : f32
  %pixels = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x6x6x8xi8> into tensor<36x8xi8>
  %e1 = tensor.empty() : tensor<36x24xi32>
  %n1 = tensor.empty() : tensor<36x24xi8>
  %i1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<36x24xi32>) -> tensor<36x24xi32>
  %c1 = linalg.matmul ins(%pixels, %w1 : tensor<36x8xi8>, tensor<8x24xi8>) outs(%i1 : tensor<36x24xi32>) -> tensor<36x24xi32>
  %r1 = linalg.generic {indexing_maps = [#pixel, #column, #pixel], iterator_types = ["parallel", "parallel"]}
      ins(%c1, %b1 : tensor<36x24xi32>, tensor<24xi32>) outs(%n1 : tensor<36x24xi8>) {
  ^bb0(%s: i32, %b: i32, %out: i8):
    %0 = arith.addi %s, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %none : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<36x24xi8>
  %image = tensor.expand_shape %r1 [[0, 1, 2], [3]] output_shape [1, 6, 6, 24] : tensor<36x24xi8> into tensor<1x6x6x24xi8>
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero8 : i8
  } : tensor<1x6x6x24xi8> to tensor<1x8x8x24xi8>
  %e2 = tensor.empty() : tensor<1x6x6x24xi32>
  %n2 = tensor.empty() : tensor<1x6x6x24xi8>
  %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<1x6x6x24xi32>) -> tensor<1x6x6x24xi32>
  %c2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %w2 : tensor<1x8x8x24xi8>, tensor<3x3x24xi8>) outs(%i2 : tensor<1x6x6x24xi32>) -> tensor<1x6x6x24xi32>
  %r2 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %b2 : tensor<1x6x6x24xi32>, tensor<24xi32>) outs(%n2 : tensor<1x6x6x24xi8>) {
  ^bb0(%s: i32, %b: i32, %out: i8):
    %0 = arith.addi %s, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %none : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x6x6x24xi8>
  %flat = tensor.collapse_shape %r2 [[0, 1, 2], [3]] : tensor<1x6x6x24xi8> into tensor<36x24xi8>
  %e3 = tensor.empty() : tensor<36x8xi32>
  %n3 = tensor.empty() : tensor<36x8xi8>
  %i3 = linalg.fill ins(%zero : i32) outs(%e3 : tensor<36x8xi32>) -> tensor<36x8xi32>
  %c3 = linalg.matmul ins(%flat, %w3 : tensor<36x24xi8>, tensor<24x8xi8>) outs(%i3 : tensor<36x8xi32>) -> tensor<36x8xi32>
  %r3 = linalg.generic {indexing_maps = [#pixel, #column, #pixel, #pixel], iterator_types = ["parallel", "parallel"]}
      ins(%c3, %b3, %pixels : tensor<36x8xi32>, tensor<8xi32>, tensor<36x8xi8>) outs(%n3 : tensor<36x8xi8>) {
  ^bb0(%s: i32, %b: i32, %r: i8, %out: i8):
    %0 = arith.addi %s, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %greatest : f32
    %6 = arith.fptosi %5 : f32 to i8
    %7 = arith.extsi %6 : i8 to i32
    %8 = arith.extsi %r : i8 to i32
    %9 = arith.addi %7, %8 : i32
    %10 = arith.sitofp %9 : i32 to f32
    %11 = arith.mulf %10, %half : f32
    %12 = math.roundeven %11 : f32
    %13 = arith.maximumf %12, %least : f32
    %14 = arith.minimumf %13, %greatest : f32
    %15 = arith.fptosi %14 : f32 to i8
    linalg.yield %15 : i8
  } -> tensor<36x8xi8>
  %y = tensor.expand_shape %r3 [[0, 1, 2], [3]] output_shape [1, 6, 6, 8] : tensor<36x8xi8> into tensor<1x6x6x8xi8>
  return %y : tensor<1x6x6x8xi8>
}

// -----

// Pooling on 8-bit integers: the greatest of 3 x 3, every second one, and sums of whole images.
// INPUTS: 1x9x9x20xi8
func.func @pooling_int8(%x: tensor<1x9x9x20xi8>) -> tensor<1x20xi32> {
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %window = tensor.empty() : tensor<3x3xi8>
  %e1 = tensor.empty() : tensor<1x4x4x20xi8>
  %i1 = linalg.fill ins(%least : i8) outs(%e1 : tensor<1x4x4x20xi8>) -> tensor<1x4x4x20xi8>
  %max = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %window : tensor<1x9x9x20xi8>, tensor<3x3xi8>) outs(%i1 : tensor<1x4x4x20xi8>) -> tensor<1x4x4x20xi8>
  %e2 = tensor.empty() : tensor<1x20xi32>
  %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<1x20xi32>) -> tensor<1x20xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%max : tensor<1x4x4x20xi8>) outs(%i2 : tensor<1x20xi32>) {
  ^bb0(%a: i8, %s: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<1x20xi32>
  return %sum : tensor<1x20xi32>
}

// -----

// An encoder layer of BERT on 8-bit integers: attention of two heads, two products with GELU between, and what goes around, normalized.
// INPUTS: 12x16xi8 16x16xi8 16x16xi8 16x16xi8 16x16xi8 16x32xi8 32x16xi8
#rc = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>
#hrc = affine_map<(h, r, c) -> (h, r, c)>
#hr = affine_map<(h, r, c) -> (h, r)>
func.func @bert_int8(%x: tensor<12x16xi8>, %wq: tensor<16x16xi8>, %wk: tensor<16x16xi8>, %wv: tensor<16x16xi8>, %wo: tensor<16x16xi8>, %w1: tensor<16x32xi8>, %w2: tensor<32x16xi8>) -> tensor<12x16xi8> {
  %zero = arith.constant 0 : i32
  %zerof = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %greatest = arith.constant 127.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %count = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.707106769 : f32
  %scale = arith.constant 0.001 : f32
  %scores = arith.constant 0.0001 : f32
  %probs = arith.constant 127.0 : f32
  %mixed = arith.constant 0.0078125 : f32
  %unit = arith.constant 0.03125 : f32
  %around = arith.constant 0.002 : f32
  %norm = arith.constant 32.0 : f32
  %inner = arith.constant 0.0005 : f32
  %qie = tensor.empty() : tensor<12x16xi32>
  %qi = linalg.fill ins(%zero : i32) outs(%qie : tensor<12x16xi32>) -> tensor<12x16xi32>
  %q = linalg.matmul ins(%x, %wq : tensor<12x16xi8>, tensor<16x16xi8>) outs(%qi : tensor<12x16xi32>) -> tensor<12x16xi32>
  %qne = tensor.empty() : tensor<12x16xi8>
  %qn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<12x16xi32>) outs(%qne : tensor<12x16xi8>) {
  ^bb0(%a0: i32, %out: i8):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %scale : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  %qh = tensor.expand_shape %qn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xi8> into tensor<12x2x8xi8>
  %kie = tensor.empty() : tensor<12x16xi32>
  %ki = linalg.fill ins(%zero : i32) outs(%kie : tensor<12x16xi32>) -> tensor<12x16xi32>
  %k = linalg.matmul ins(%x, %wk : tensor<12x16xi8>, tensor<16x16xi8>) outs(%ki : tensor<12x16xi32>) -> tensor<12x16xi32>
  %kne = tensor.empty() : tensor<12x16xi8>
  %kn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<12x16xi32>) outs(%kne : tensor<12x16xi8>) {
  ^bb0(%a0: i32, %out: i8):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %scale : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  %kh = tensor.expand_shape %kn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xi8> into tensor<12x2x8xi8>
  %vie = tensor.empty() : tensor<12x16xi32>
  %vi = linalg.fill ins(%zero : i32) outs(%vie : tensor<12x16xi32>) -> tensor<12x16xi32>
  %v = linalg.matmul ins(%x, %wv : tensor<12x16xi8>, tensor<16x16xi8>) outs(%vi : tensor<12x16xi32>) -> tensor<12x16xi32>
  %vne = tensor.empty() : tensor<12x16xi8>
  %vn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<12x16xi32>) outs(%vne : tensor<12x16xi8>) {
  ^bb0(%a0: i32, %out: i8):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %scale : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  %vh = tensor.expand_shape %vn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xi8> into tensor<12x2x8xi8>
  %sie = tensor.empty() : tensor<2x12x12xi32>
  %si = linalg.fill ins(%zero : i32) outs(%sie : tensor<2x12x12xi32>) -> tensor<2x12x12xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, r, c, d) -> (r, h, d)>, affine_map<(h, r, c, d) -> (c, h, d)>, affine_map<(h, r, c, d) -> (h, r, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<12x2x8xi8>, tensor<12x2x8xi8>) outs(%si : tensor<2x12x12xi32>) {
  ^bb0(%a0: i8, %a1: i8, %out: i32):
    %t_w0 = arith.extsi %a0 : i8 to i32
    %t_w1 = arith.extsi %a1 : i8 to i32
    %t_p = arith.muli %t_w0, %t_w1 : i32
    %t_s = arith.addi %out, %t_p : i32
    linalg.yield %t_s : i32
  } -> tensor<2x12x12xi32>
  %sfe = tensor.empty() : tensor<2x12x12xf32>
  %sf = linalg.generic {indexing_maps = [#hrc, #hrc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x12x12xi32>) outs(%sfe : tensor<2x12x12xf32>) {
  ^bb0(%a0: i32, %out: f32):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %scores : f32
    linalg.yield %t_m : f32
  } -> tensor<2x12x12xf32>
  %pmie = tensor.empty() : tensor<2x12xf32>
  %pmi = linalg.fill ins(%lowest : f32) outs(%pmie : tensor<2x12xf32>) -> tensor<2x12xf32>
  %psie = tensor.empty() : tensor<2x12xf32>
  %psi = linalg.fill ins(%zerof : f32) outs(%psie : tensor<2x12xf32>) -> tensor<2x12xf32>
  %pmax = linalg.generic {indexing_maps = [#hrc, #hr], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%sf : tensor<2x12x12xf32>) outs(%pmi : tensor<2x12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_m = arith.maximumf %out, %a0 : f32
    linalg.yield %t_m : f32
  } -> tensor<2x12xf32>
  %pexpe = tensor.empty() : tensor<2x12x12xf32>
  %pexp = linalg.generic {indexing_maps = [#hrc, #hr, #hrc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sf, %pmax : tensor<2x12x12xf32>, tensor<2x12xf32>) outs(%pexpe : tensor<2x12x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_d = arith.subf %a0, %a1 : f32
    %t_e = math.exp %t_d : f32
    linalg.yield %t_e : f32
  } -> tensor<2x12x12xf32>
  %psum = linalg.generic {indexing_maps = [#hrc, #hr], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%pexp : tensor<2x12x12xf32>) outs(%psi : tensor<2x12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<2x12xf32>
  %pne = tensor.empty() : tensor<2x12x12xi8>
  %pn = linalg.generic {indexing_maps = [#hrc, #hr, #hrc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pexp, %psum : tensor<2x12x12xf32>, tensor<2x12xf32>) outs(%pne : tensor<2x12x12xi8>) {
  ^bb0(%a0: f32, %a1: f32, %out: i8):
    %t_q = arith.divf %a0, %a1 : f32
    %t_m = arith.mulf %t_q, %probs : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<2x12x12xi8>
  %oie = tensor.empty() : tensor<12x2x8xi32>
  %oi = linalg.fill ins(%zero : i32) outs(%oie : tensor<12x2x8xi32>) -> tensor<12x2x8xi32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, h, d, c) -> (h, r, c)>, affine_map<(r, h, d, c) -> (c, h, d)>, affine_map<(r, h, d, c) -> (r, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %vh : tensor<2x12x12xi8>, tensor<12x2x8xi8>) outs(%oi : tensor<12x2x8xi32>) {
  ^bb0(%a0: i8, %a1: i8, %out: i32):
    %t_w0 = arith.extsi %a0 : i8 to i32
    %t_w1 = arith.extsi %a1 : i8 to i32
    %t_p = arith.muli %t_w0, %t_w1 : i32
    %t_s = arith.addi %out, %t_p : i32
    linalg.yield %t_s : i32
  } -> tensor<12x2x8xi32>
  %oc = tensor.collapse_shape %o [[0], [1, 2]] : tensor<12x2x8xi32> into tensor<12x16xi32>
  %ocne = tensor.empty() : tensor<12x16xi8>
  %ocn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%oc : tensor<12x16xi32>) outs(%ocne : tensor<12x16xi8>) {
  ^bb0(%a0: i32, %out: i8):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %mixed : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  %yie = tensor.empty() : tensor<12x16xi32>
  %yi = linalg.fill ins(%zero : i32) outs(%yie : tensor<12x16xi32>) -> tensor<12x16xi32>
  %y = linalg.matmul ins(%ocn, %wo : tensor<12x16xi8>, tensor<16x16xi8>) outs(%yi : tensor<12x16xi32>) -> tensor<12x16xi32>
  %around1e = tensor.empty() : tensor<12x16xf32>
  %around1 = linalg.generic {indexing_maps = [#rc, #rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%y, %x : tensor<12x16xi32>, tensor<12x16xi8>) outs(%around1e : tensor<12x16xf32>) {
  ^bb0(%a0: i32, %a1: i8, %out: f32):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %around : f32
    %t_i = arith.extsi %a1 : i8 to i32
    %t_g = arith.sitofp %t_i : i32 to f32
    %t_n = arith.mulf %t_g, %unit : f32
    %t_s = arith.addf %t_m, %t_n : f32
    linalg.yield %t_s : f32
  } -> tensor<12x16xf32>
  %l1ze = tensor.empty() : tensor<12xf32>
  %l1z = linalg.fill ins(%zerof : f32) outs(%l1ze : tensor<12xf32>) -> tensor<12xf32>
  %l1sum = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%around1 : tensor<12x16xf32>) outs(%l1z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l1cene = tensor.empty() : tensor<12x16xf32>
  %l1cen = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%around1, %l1sum : tensor<12x16xf32>, tensor<12xf32>) outs(%l1cene : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_d = arith.subf %a0, %t_m : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %l1var = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%l1cen : tensor<12x16xf32>) outs(%l1z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_q = arith.mulf %a0, %a0 : f32
    %t_s = arith.addf %out, %t_q : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l1norme = tensor.empty() : tensor<12x16xf32>
  %l1norm = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l1cen, %l1var : tensor<12x16xf32>, tensor<12xf32>) outs(%l1norme : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_v = arith.addf %t_m, %eps : f32
    %t_s = math.sqrt %t_v : f32
    %t_i = arith.divf %one, %t_s : f32
    %t_d = arith.mulf %a0, %t_i : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %ze = tensor.empty() : tensor<12x16xi8>
  %z = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l1norm : tensor<12x16xf32>) outs(%ze : tensor<12x16xi8>) {
  ^bb0(%a0: f32, %out: i8):
    %t_m = arith.mulf %a0, %norm : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  %f1ie = tensor.empty() : tensor<12x32xi32>
  %f1i = linalg.fill ins(%zero : i32) outs(%f1ie : tensor<12x32xi32>) -> tensor<12x32xi32>
  %f1 = linalg.matmul ins(%z, %w1 : tensor<12x16xi8>, tensor<16x32xi8>) outs(%f1i : tensor<12x32xi32>) -> tensor<12x32xi32>
  %gelue = tensor.empty() : tensor<12x32xi8>
  %gelu = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%f1 : tensor<12x32xi32>) outs(%gelue : tensor<12x32xi8>) {
  ^bb0(%a0: i32, %out: i8):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_v = arith.mulf %t_f, %scale : f32
    %t_c = arith.mulf %t_v, %root : f32
    %t_e = math.erf %t_c : f32
    %t_h = arith.addf %t_e, %one : f32
    %t_k = arith.mulf %t_v, %t_h : f32
    %t_j = arith.mulf %t_k, %half : f32
    %t_m = arith.mulf %t_j, %norm : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x32xi8>
  %f2ie = tensor.empty() : tensor<12x16xi32>
  %f2i = linalg.fill ins(%zero : i32) outs(%f2ie : tensor<12x16xi32>) -> tensor<12x16xi32>
  %f2 = linalg.matmul ins(%gelu, %w2 : tensor<12x32xi8>, tensor<32x16xi8>) outs(%f2i : tensor<12x16xi32>) -> tensor<12x16xi32>
  %around2e = tensor.empty() : tensor<12x16xf32>
  %around2 = linalg.generic {indexing_maps = [#rc, #rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%f2, %z : tensor<12x16xi32>, tensor<12x16xi8>) outs(%around2e : tensor<12x16xf32>) {
  ^bb0(%a0: i32, %a1: i8, %out: f32):
    %t_f = arith.sitofp %a0 : i32 to f32
    %t_m = arith.mulf %t_f, %inner : f32
    %t_i = arith.extsi %a1 : i8 to i32
    %t_g = arith.sitofp %t_i : i32 to f32
    %t_n = arith.mulf %t_g, %unit : f32
    %t_s = arith.addf %t_m, %t_n : f32
    linalg.yield %t_s : f32
  } -> tensor<12x16xf32>
  %l2ze = tensor.empty() : tensor<12xf32>
  %l2z = linalg.fill ins(%zerof : f32) outs(%l2ze : tensor<12xf32>) -> tensor<12xf32>
  %l2sum = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%around2 : tensor<12x16xf32>) outs(%l2z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l2cene = tensor.empty() : tensor<12x16xf32>
  %l2cen = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%around2, %l2sum : tensor<12x16xf32>, tensor<12xf32>) outs(%l2cene : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_d = arith.subf %a0, %t_m : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %l2var = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%l2cen : tensor<12x16xf32>) outs(%l2z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_q = arith.mulf %a0, %a0 : f32
    %t_s = arith.addf %out, %t_q : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l2norme = tensor.empty() : tensor<12x16xf32>
  %l2norm = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l2cen, %l2var : tensor<12x16xf32>, tensor<12xf32>) outs(%l2norme : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_v = arith.addf %t_m, %eps : f32
    %t_s = math.sqrt %t_v : f32
    %t_i = arith.divf %one, %t_s : f32
    %t_d = arith.mulf %a0, %t_i : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %laste = tensor.empty() : tensor<12x16xi8>
  %last = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l2norm : tensor<12x16xf32>) outs(%laste : tensor<12x16xi8>) {
  ^bb0(%a0: f32, %out: i8):
    %t_m = arith.mulf %a0, %norm : f32
    %t_r = math.roundeven %t_m : f32
    %t_l = arith.maximumf %t_r, %least : f32
    %t_g = arith.minimumf %t_l, %greatest : f32
    %t_n = arith.fptosi %t_g : f32 to i8
    linalg.yield %t_n : i8
  } -> tensor<12x16xi8>
  return %last : tensor<12x16xi8>
}

// -----

// An encoder layer of BERT in bf16: attention of two heads, two products with GELU between, and what goes around, normalized.
// INPUTS: 12x16xf32 16x16xf32 16x16xf32 16x16xf32 16x16xf32 16x32xf32 32x16xf32
#rc = affine_map<(r, c) -> (r, c)>
#r = affine_map<(r, c) -> (r)>
#hrc = affine_map<(h, r, c) -> (h, r, c)>
#hr = affine_map<(h, r, c) -> (h, r)>
func.func @bert_bf16(%xf: tensor<12x16xf32>, %wqf: tensor<16x16xf32>, %wkf: tensor<16x16xf32>, %wvf: tensor<16x16xf32>, %wof: tensor<16x16xf32>, %w1f: tensor<16x32xf32>, %w2f: tensor<32x16xf32>) -> tensor<12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %zerof = arith.constant 0.0 : f32
  %small = arith.constant 0.0078125 : f32
  %least = arith.constant -128.0 : f32
  %greatest = arith.constant 127.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %count = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.707106769 : f32
  %xe = tensor.empty() : tensor<12x16xbf16>
  %x = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%xf : tensor<12x16xf32>) outs(%xe : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %wqe = tensor.empty() : tensor<16x16xbf16>
  %wq = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%wqf : tensor<16x16xf32>) outs(%wqe : tensor<16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<16x16xbf16>
  %wke = tensor.empty() : tensor<16x16xbf16>
  %wk = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%wkf : tensor<16x16xf32>) outs(%wke : tensor<16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<16x16xbf16>
  %wve = tensor.empty() : tensor<16x16xbf16>
  %wv = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%wvf : tensor<16x16xf32>) outs(%wve : tensor<16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<16x16xbf16>
  %woe = tensor.empty() : tensor<16x16xbf16>
  %wo = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%wof : tensor<16x16xf32>) outs(%woe : tensor<16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<16x16xbf16>
  %w1e = tensor.empty() : tensor<16x32xbf16>
  %w1 = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%w1f : tensor<16x32xf32>) outs(%w1e : tensor<16x32xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<16x32xbf16>
  %w2e = tensor.empty() : tensor<32x16xbf16>
  %w2 = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%w2f : tensor<32x16xf32>) outs(%w2e : tensor<32x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<32x16xbf16>
  %qie = tensor.empty() : tensor<12x16xf32>
  %qi = linalg.fill ins(%zero : f32) outs(%qie : tensor<12x16xf32>) -> tensor<12x16xf32>
  %q = linalg.matmul ins(%x, %wq : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%qi : tensor<12x16xf32>) -> tensor<12x16xf32>
  %qne = tensor.empty() : tensor<12x16xbf16>
  %qn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<12x16xf32>) outs(%qne : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_t = arith.truncf %a0 : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %qh = tensor.expand_shape %qn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xbf16> into tensor<12x2x8xbf16>
  %kie = tensor.empty() : tensor<12x16xf32>
  %ki = linalg.fill ins(%zero : f32) outs(%kie : tensor<12x16xf32>) -> tensor<12x16xf32>
  %k = linalg.matmul ins(%x, %wk : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%ki : tensor<12x16xf32>) -> tensor<12x16xf32>
  %kne = tensor.empty() : tensor<12x16xbf16>
  %kn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<12x16xf32>) outs(%kne : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_t = arith.truncf %a0 : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %kh = tensor.expand_shape %kn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xbf16> into tensor<12x2x8xbf16>
  %vie = tensor.empty() : tensor<12x16xf32>
  %vi = linalg.fill ins(%zero : f32) outs(%vie : tensor<12x16xf32>) -> tensor<12x16xf32>
  %v = linalg.matmul ins(%x, %wv : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%vi : tensor<12x16xf32>) -> tensor<12x16xf32>
  %vne = tensor.empty() : tensor<12x16xbf16>
  %vn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<12x16xf32>) outs(%vne : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_t = arith.truncf %a0 : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %vh = tensor.expand_shape %vn [[0], [1, 2]] output_shape [12, 2, 8] : tensor<12x16xbf16> into tensor<12x2x8xbf16>
  %sie = tensor.empty() : tensor<2x12x12xf32>
  %si = linalg.fill ins(%zero : f32) outs(%sie : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, r, c, d) -> (r, h, d)>, affine_map<(h, r, c, d) -> (c, h, d)>, affine_map<(h, r, c, d) -> (h, r, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<12x2x8xbf16>, tensor<12x2x8xbf16>) outs(%si : tensor<2x12x12xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %out: f32):
    %t_w0 = arith.extf %a0 : bf16 to f32
    %t_w1 = arith.extf %a1 : bf16 to f32
    %t_p = arith.mulf %t_w0, %t_w1 : f32
    %t_s = arith.addf %out, %t_p : f32
    linalg.yield %t_s : f32
  } -> tensor<2x12x12xf32>
  %pmie = tensor.empty() : tensor<2x12xf32>
  %pmi = linalg.fill ins(%lowest : f32) outs(%pmie : tensor<2x12xf32>) -> tensor<2x12xf32>
  %psie = tensor.empty() : tensor<2x12xf32>
  %psi = linalg.fill ins(%zerof : f32) outs(%psie : tensor<2x12xf32>) -> tensor<2x12xf32>
  %pmax = linalg.generic {indexing_maps = [#hrc, #hr], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x12x12xf32>) outs(%pmi : tensor<2x12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_m = arith.maximumf %out, %a0 : f32
    linalg.yield %t_m : f32
  } -> tensor<2x12xf32>
  %pexpe = tensor.empty() : tensor<2x12x12xf32>
  %pexp = linalg.generic {indexing_maps = [#hrc, #hr, #hrc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %pmax : tensor<2x12x12xf32>, tensor<2x12xf32>) outs(%pexpe : tensor<2x12x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_d = arith.subf %a0, %a1 : f32
    %t_e = math.exp %t_d : f32
    linalg.yield %t_e : f32
  } -> tensor<2x12x12xf32>
  %psum = linalg.generic {indexing_maps = [#hrc, #hr], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%pexp : tensor<2x12x12xf32>) outs(%psi : tensor<2x12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<2x12xf32>
  %pne = tensor.empty() : tensor<2x12x12xbf16>
  %pn = linalg.generic {indexing_maps = [#hrc, #hr, #hrc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pexp, %psum : tensor<2x12x12xf32>, tensor<2x12xf32>) outs(%pne : tensor<2x12x12xbf16>) {
  ^bb0(%a0: f32, %a1: f32, %out: bf16):
    %t_q = arith.divf %a0, %a1 : f32
    %t_t = arith.truncf %t_q : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<2x12x12xbf16>
  %oie = tensor.empty() : tensor<12x2x8xf32>
  %oi = linalg.fill ins(%zero : f32) outs(%oie : tensor<12x2x8xf32>) -> tensor<12x2x8xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, h, d, c) -> (h, r, c)>, affine_map<(r, h, d, c) -> (c, h, d)>, affine_map<(r, h, d, c) -> (r, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %vh : tensor<2x12x12xbf16>, tensor<12x2x8xbf16>) outs(%oi : tensor<12x2x8xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %out: f32):
    %t_w0 = arith.extf %a0 : bf16 to f32
    %t_w1 = arith.extf %a1 : bf16 to f32
    %t_p = arith.mulf %t_w0, %t_w1 : f32
    %t_s = arith.addf %out, %t_p : f32
    linalg.yield %t_s : f32
  } -> tensor<12x2x8xf32>
  %oc = tensor.collapse_shape %o [[0], [1, 2]] : tensor<12x2x8xf32> into tensor<12x16xf32>
  %ocne = tensor.empty() : tensor<12x16xbf16>
  %ocn = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%oc : tensor<12x16xf32>) outs(%ocne : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_t = arith.truncf %a0 : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %yie = tensor.empty() : tensor<12x16xf32>
  %yi = linalg.fill ins(%zero : f32) outs(%yie : tensor<12x16xf32>) -> tensor<12x16xf32>
  %y = linalg.matmul ins(%ocn, %wo : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%yi : tensor<12x16xf32>) -> tensor<12x16xf32>
  %around1e = tensor.empty() : tensor<12x16xf32>
  %around1 = linalg.generic {indexing_maps = [#rc, #rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%y, %x : tensor<12x16xf32>, tensor<12x16xbf16>) outs(%around1e : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: bf16, %out: f32):
    %t_f = arith.extf %a1 : bf16 to f32
    %t_s = arith.addf %a0, %t_f : f32
    linalg.yield %t_s : f32
  } -> tensor<12x16xf32>
  %l1ze = tensor.empty() : tensor<12xf32>
  %l1z = linalg.fill ins(%zerof : f32) outs(%l1ze : tensor<12xf32>) -> tensor<12xf32>
  %l1sum = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%around1 : tensor<12x16xf32>) outs(%l1z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l1cene = tensor.empty() : tensor<12x16xf32>
  %l1cen = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%around1, %l1sum : tensor<12x16xf32>, tensor<12xf32>) outs(%l1cene : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_d = arith.subf %a0, %t_m : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %l1var = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%l1cen : tensor<12x16xf32>) outs(%l1z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_q = arith.mulf %a0, %a0 : f32
    %t_s = arith.addf %out, %t_q : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l1norme = tensor.empty() : tensor<12x16xf32>
  %l1norm = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l1cen, %l1var : tensor<12x16xf32>, tensor<12xf32>) outs(%l1norme : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_v = arith.addf %t_m, %eps : f32
    %t_s = math.sqrt %t_v : f32
    %t_i = arith.divf %one, %t_s : f32
    %t_d = arith.mulf %a0, %t_i : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %ze = tensor.empty() : tensor<12x16xbf16>
  %z = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l1norm : tensor<12x16xf32>) outs(%ze : tensor<12x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_t = arith.truncf %a0 : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x16xbf16>
  %f1ie = tensor.empty() : tensor<12x32xf32>
  %f1i = linalg.fill ins(%zero : f32) outs(%f1ie : tensor<12x32xf32>) -> tensor<12x32xf32>
  %f1 = linalg.matmul ins(%z, %w1 : tensor<12x16xbf16>, tensor<16x32xbf16>) outs(%f1i : tensor<12x32xf32>) -> tensor<12x32xf32>
  %gelue = tensor.empty() : tensor<12x32xbf16>
  %gelu = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%f1 : tensor<12x32xf32>) outs(%gelue : tensor<12x32xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_c = arith.mulf %a0, %root : f32
    %t_e = math.erf %t_c : f32
    %t_h = arith.addf %t_e, %one : f32
    %t_k = arith.mulf %a0, %t_h : f32
    %t_j = arith.mulf %t_k, %half : f32
    %t_t = arith.truncf %t_j : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<12x32xbf16>
  %f2ie = tensor.empty() : tensor<12x16xf32>
  %f2i = linalg.fill ins(%zero : f32) outs(%f2ie : tensor<12x16xf32>) -> tensor<12x16xf32>
  %f2 = linalg.matmul ins(%gelu, %w2 : tensor<12x32xbf16>, tensor<32x16xbf16>) outs(%f2i : tensor<12x16xf32>) -> tensor<12x16xf32>
  %around2e = tensor.empty() : tensor<12x16xf32>
  %around2 = linalg.generic {indexing_maps = [#rc, #rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%f2, %z : tensor<12x16xf32>, tensor<12x16xbf16>) outs(%around2e : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: bf16, %out: f32):
    %t_f = arith.extf %a1 : bf16 to f32
    %t_s = arith.addf %a0, %t_f : f32
    linalg.yield %t_s : f32
  } -> tensor<12x16xf32>
  %l2ze = tensor.empty() : tensor<12xf32>
  %l2z = linalg.fill ins(%zerof : f32) outs(%l2ze : tensor<12xf32>) -> tensor<12xf32>
  %l2sum = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%around2 : tensor<12x16xf32>) outs(%l2z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l2cene = tensor.empty() : tensor<12x16xf32>
  %l2cen = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%around2, %l2sum : tensor<12x16xf32>, tensor<12xf32>) outs(%l2cene : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_d = arith.subf %a0, %t_m : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  %l2var = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]}
      ins(%l2cen : tensor<12x16xf32>) outs(%l2z : tensor<12xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_q = arith.mulf %a0, %a0 : f32
    %t_s = arith.addf %out, %t_q : f32
    linalg.yield %t_s : f32
  } -> tensor<12xf32>
  %l2norme = tensor.empty() : tensor<12x16xf32>
  %l2norm = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%l2cen, %l2var : tensor<12x16xf32>, tensor<12xf32>) outs(%l2norme : tensor<12x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t_m = arith.divf %a1, %count : f32
    %t_v = arith.addf %t_m, %eps : f32
    %t_s = math.sqrt %t_v : f32
    %t_i = arith.divf %one, %t_s : f32
    %t_d = arith.mulf %a0, %t_i : f32
    linalg.yield %t_d : f32
  } -> tensor<12x16xf32>
  return %l2norm : tensor<12x16xf32>
}

// -----

// A residual block of ResNet in bf16.
// INPUTS: 1x6x6x16xf32 3x3x16x16xf32 3x3x16x16xf32 16xf32
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @resnet_bf16(%xf: tensor<1x6x6x16xf32>, %w1f: tensor<3x3x16x16xf32>, %w2f: tensor<3x3x16x16xf32>, %b1: tensor<16xf32>) -> tensor<1x6x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 0.0078125 : f32
  %zerob = arith.constant 0.0 : bf16
  %six = arith.constant 6.0 : f32
  %xe = tensor.empty() : tensor<1x6x6x16xbf16>
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%xf : tensor<1x6x6x16xf32>) outs(%xe : tensor<1x6x6x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x6x6x16xbf16>
  %w1e = tensor.empty() : tensor<3x3x16x16xbf16>
  %w1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w1f : tensor<3x3x16x16xf32>) outs(%w1e : tensor<3x3x16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<3x3x16x16xbf16>
  %w2e = tensor.empty() : tensor<3x3x16x16xbf16>
  %w2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w2f : tensor<3x3x16x16xf32>) outs(%w2e : tensor<3x3x16x16xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<3x3x16x16xbf16>
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zerob : bf16
  } : tensor<1x6x6x16xbf16> to tensor<1x8x8x16xbf16>
  %c1ie = tensor.empty() : tensor<1x6x6x16xf32>
  %c1i = linalg.fill ins(%zero : f32) outs(%c1ie : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p1, %w1 : tensor<1x8x8x16xbf16>, tensor<3x3x16x16xbf16>) outs(%c1i : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %r1e = tensor.empty() : tensor<1x6x6x16xbf16>
  %r1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<1x6x6x16xf32>, tensor<16xf32>) outs(%r1e : tensor<1x6x6x16xbf16>) {
  ^bb0(%a0: f32, %a1: f32, %out: bf16):
    %t_s = arith.addf %a0, %a1 : f32
    %t_r = arith.maximumf %t_s, %zero : f32
    %t_t = arith.truncf %t_r : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x6x6x16xbf16>
  %p2 = tensor.pad %r1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zerob : bf16
  } : tensor<1x6x6x16xbf16> to tensor<1x8x8x16xbf16>
  %c2ie = tensor.empty() : tensor<1x6x6x16xf32>
  %c2i = linalg.fill ins(%zero : f32) outs(%c2ie : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p2, %w2 : tensor<1x8x8x16xbf16>, tensor<3x3x16x16xbf16>) outs(%c2i : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %ye = tensor.empty() : tensor<1x6x6x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %x : tensor<1x6x6x16xf32>, tensor<1x6x6x16xbf16>) outs(%ye : tensor<1x6x6x16xf32>) {
  ^bb0(%a0: f32, %a1: bf16, %out: f32):
    %t_e = arith.extf %a1 : bf16 to f32
    %t_s = arith.addf %a0, %t_e : f32
    %t_r = arith.maximumf %t_s, %zero : f32
    linalg.yield %t_r : f32
  } -> tensor<1x6x6x16xf32>
  return %y : tensor<1x6x6x16xf32>
}

// -----

// An inverted bottleneck of MobileNet in bf16; sums over the image at the end.
// INPUTS: 1x6x6x8xf32 1x1x8x24xf32 3x3x24xf32 1x1x24x8xf32 24xf32
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @mobilenet_bf16(%xf: tensor<1x6x6x8xf32>, %w1f: tensor<1x1x8x24xf32>, %w2f: tensor<3x3x24xf32>, %w3f: tensor<1x1x24x8xf32>, %b1: tensor<24xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 0.0078125 : f32
  %zerob = arith.constant 0.0 : bf16
  %six = arith.constant 6.0 : f32
  %xe = tensor.empty() : tensor<1x6x6x8xbf16>
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%xf : tensor<1x6x6x8xf32>) outs(%xe : tensor<1x6x6x8xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x6x6x8xbf16>
  %w1e = tensor.empty() : tensor<1x1x8x24xbf16>
  %w1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w1f : tensor<1x1x8x24xf32>) outs(%w1e : tensor<1x1x8x24xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x1x8x24xbf16>
  %w2e = tensor.empty() : tensor<3x3x24xbf16>
  %w2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w2f : tensor<3x3x24xf32>) outs(%w2e : tensor<3x3x24xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<3x3x24xbf16>
  %w3e = tensor.empty() : tensor<1x1x24x8xbf16>
  %w3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w3f : tensor<1x1x24x8xf32>) outs(%w3e : tensor<1x1x24x8xbf16>) {
  ^bb0(%a0: f32, %out: bf16):
    %t_s = arith.mulf %a0, %small : f32
    %t_t = arith.truncf %t_s : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x1x24x8xbf16>
  %c1ie = tensor.empty() : tensor<1x6x6x24xf32>
  %c1i = linalg.fill ins(%zero : f32) outs(%c1ie : tensor<1x6x6x24xf32>) -> tensor<1x6x6x24xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w1 : tensor<1x6x6x8xbf16>, tensor<1x1x8x24xbf16>) outs(%c1i : tensor<1x6x6x24xf32>) -> tensor<1x6x6x24xf32>
  %r1e = tensor.empty() : tensor<1x6x6x24xbf16>
  %r1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<1x6x6x24xf32>, tensor<24xf32>) outs(%r1e : tensor<1x6x6x24xbf16>) {
  ^bb0(%a0: f32, %a1: f32, %out: bf16):
    %t_s = arith.addf %a0, %a1 : f32
    %t_r = arith.maximumf %t_s, %zero : f32
    %t_q = arith.minimumf %t_r, %six : f32
    %t_t = arith.truncf %t_q : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x6x6x24xbf16>
  %p2 = tensor.pad %r1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zerob : bf16
  } : tensor<1x6x6x24xbf16> to tensor<1x8x8x24xbf16>
  %c2ie = tensor.empty() : tensor<1x6x6x24xf32>
  %c2i = linalg.fill ins(%zero : f32) outs(%c2ie : tensor<1x6x6x24xf32>) -> tensor<1x6x6x24xf32>
  %c2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p2, %w2 : tensor<1x8x8x24xbf16>, tensor<3x3x24xbf16>) outs(%c2i : tensor<1x6x6x24xf32>) -> tensor<1x6x6x24xf32>
  %r2e = tensor.empty() : tensor<1x6x6x24xbf16>
  %r2 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %b1 : tensor<1x6x6x24xf32>, tensor<24xf32>) outs(%r2e : tensor<1x6x6x24xbf16>) {
  ^bb0(%a0: f32, %a1: f32, %out: bf16):
    %t_s = arith.addf %a0, %a1 : f32
    %t_r = arith.maximumf %t_s, %zero : f32
    %t_q = arith.minimumf %t_r, %six : f32
    %t_t = arith.truncf %t_q : f32 to bf16
    linalg.yield %t_t : bf16
  } -> tensor<1x6x6x24xbf16>
  %c3ie = tensor.empty() : tensor<1x6x6x8xf32>
  %c3i = linalg.fill ins(%zero : f32) outs(%c3ie : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %c3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%r2, %w3 : tensor<1x6x6x24xbf16>, tensor<1x1x24x8xbf16>) outs(%c3i : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %ye = tensor.empty() : tensor<1x6x6x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c3, %x : tensor<1x6x6x8xf32>, tensor<1x6x6x8xbf16>) outs(%ye : tensor<1x6x6x8xf32>) {
  ^bb0(%a0: f32, %a1: bf16, %out: f32):
    %t_e = arith.extf %a1 : bf16 to f32
    %t_s = arith.addf %a0, %t_e : f32
    linalg.yield %t_s : f32
  } -> tensor<1x6x6x8xf32>
  %mie = tensor.empty() : tensor<1x8xf32>
  %mi = linalg.fill ins(%zero : f32) outs(%mie : tensor<1x8xf32>) -> tensor<1x8xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (n, c)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y : tensor<1x6x6x8xf32>) outs(%mi : tensor<1x8xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t_s = arith.addf %out, %a0 : f32
    linalg.yield %t_s : f32
  } -> tensor<1x8xf32>
  return %m : tensor<1x8xf32>
}
