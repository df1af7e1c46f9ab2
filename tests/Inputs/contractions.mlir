// Programs that `tests/end_to_end.rs` compiles and interprets on the same inputs, of the shapes after INPUTS.

// One row.
// INPUTS: 1x19 19x37
func.func @f(%a: tensor<1x19xf32>, %b: tensor<19x37xf32>) -> tensor<1x37xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x37xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<1x37xf32>) -> tensor<1x37xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<1x19xf32>, tensor<19x37xf32>) outs(%c : tensor<1x37xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x37xf32>
  return %r : tensor<1x37xf32>
}

// -----

// One column.
// INPUTS: 13x7 7x1
func.func @f(%a: tensor<13x7xf32>, %b: tensor<7x1xf32>) -> tensor<13x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x1xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<13x1xf32>) -> tensor<13x1xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<13x7xf32>, tensor<7x1xf32>) outs(%c : tensor<13x1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<13x1xf32>
  return %r : tensor<13x1xf32>
}

// -----

// Adds to what is there.
// INPUTS: 7x5 5x16 7x16
func.func @f(%a: tensor<7x5xf32>, %b: tensor<5x16xf32>, %c: tensor<7x16xf32>) -> tensor<7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<7x5xf32>, tensor<5x16xf32>) outs(%c : tensor<7x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}

// -----

// Edges on every side, bias, activation and residual.
// INPUTS: 61x37 37x83 83 61x83
func.func @f(%a: tensor<61x37xf32>, %b: tensor<37x83xf32>, %bias: tensor<83xf32>, %res: tensor<61x83xf32>) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x83xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<61x37xf32>, tensor<37x83xf32>) outs(%c : tensor<61x83xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<61x83xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%r, %bias, %res : tensor<61x83xf32>, tensor<83xf32>, tensor<61x83xf32>) outs(%e : tensor<61x83xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %big = arith.cmpf ogt, %s, %zero : f32
    %relu = arith.select %big, %s, %zero : f32
    %sum = arith.addf %relu, %w : f32
    linalg.yield %sum : f32
  } -> tensor<61x83xf32>
  return %o : tensor<61x83xf32>
}

// -----

// Packed.
// INPUTS: 97x24 24x50
func.func @f(%a: tensor<97x24xf32>, %b: tensor<24x50xf32>) -> tensor<97x50xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<97x50xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<97x50xf32>) -> tensor<97x50xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<97x24xf32>, tensor<24x50xf32>) outs(%c : tensor<97x50xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<97x50xf32>
  return %r : tensor<97x50xf32>
}

// -----

// Packed, with an init and an epilogue.
// INPUTS: 130x9 9x33 130x33 33 130x33
func.func @f(%a: tensor<130x9xf32>, %b: tensor<9x33xf32>, %c: tensor<130x33xf32>, %bias: tensor<33xf32>, %res: tensor<130x33xf32>) -> tensor<130x33xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<130x9xf32>, tensor<9x33xf32>) outs(%c : tensor<130x33xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<130x33xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%r, %bias, %res : tensor<130x33xf32>, tensor<33xf32>, tensor<130x33xf32>) outs(%c : tensor<130x33xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %big = arith.cmpf ogt, %s, %zero : f32
    %relu = arith.select %big, %s, %zero : f32
    %sum = arith.addf %relu, %w : f32
    linalg.yield %sum : f32
  } -> tensor<130x33xf32>
  return %o : tensor<130x33xf32>
}

// -----

// The left side transposed.
// INPUTS: 40x24 40x18
func.func @f(%a: tensor<40x24xf32>, %b: tensor<40x18xf32>) -> tensor<24x18xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x18xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<24x18xf32>) -> tensor<24x18xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<40x24xf32>, tensor<40x18xf32>) outs(%c : tensor<24x18xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x18xf32>
  return %r : tensor<24x18xf32>
}

// -----

// The right side transposed: inner products.
// INPUTS: 5x45 21x45
func.func @f(%a: tensor<5x45xf32>, %b: tensor<21x45xf32>) -> tensor<5x21xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x21xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<5x21xf32>) -> tensor<5x21xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<5x45xf32>, tensor<21x45xf32>) outs(%c : tensor<5x21xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x21xf32>
  return %r : tensor<5x21xf32>
}

// -----

// The right side transposed, with so many rows that it is packed.
// INPUTS: 140x18 35x18
func.func @f(%a: tensor<140x18xf32>, %b: tensor<35x18xf32>) -> tensor<140x35xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<140x35xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<140x35xf32>) -> tensor<140x35xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<140x18xf32>, tensor<35x18xf32>) outs(%c : tensor<140x35xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<140x35xf32>
  return %r : tensor<140x35xf32>
}

// -----

// The same, small enough to be packed for few rows: by squares, of the last panel a part.
// INPUTS: 9x53 70x53
func.func @f(%a: tensor<9x53xf32>, %b: tensor<70x53xf32>) -> tensor<9x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x70xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<9x70xf32>) -> tensor<9x70xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<9x53xf32>, tensor<70x53xf32>) outs(%c : tensor<9x70xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<9x70xf32>
  return %r : tensor<9x70xf32>
}

// -----

// A batch.
// INPUTS: 3x6x17 3x17x20
func.func @f(%a: tensor<3x6x17xf32>, %b: tensor<3x17x20xf32>) -> tensor<3x6x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x6x20xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<3x6x20xf32>) -> tensor<3x6x20xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<3x6x17xf32>, tensor<3x17x20xf32>) outs(%c : tensor<3x6x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x6x20xf32>
  return %r : tensor<3x6x20xf32>
}

// -----

// A batch, each packed.
// INPUTS: 2x70x8 2x8x40 40 2x70x40
func.func @f(%a: tensor<2x70x8xf32>, %b: tensor<2x8x40xf32>, %bias: tensor<40xf32>, %res: tensor<2x70x40xf32>) -> tensor<2x70x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x70x40xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x70x40xf32>) -> tensor<2x70x40xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<2x70x8xf32>, tensor<2x8x40xf32>) outs(%c : tensor<2x70x40xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x70x40xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%r, %bias, %res : tensor<2x70x40xf32>, tensor<40xf32>, tensor<2x70x40xf32>) outs(%e : tensor<2x70x40xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %big = arith.cmpf ogt, %s, %zero : f32
    %relu = arith.select %big, %s, %zero : f32
    %sum = arith.addf %relu, %w : f32
    linalg.yield %sum : f32
  } -> tensor<2x70x40xf32>
  return %o : tensor<2x70x40xf32>
}

// -----

// A batch of inner products.
// INPUTS: 2x4x33 2x9x33
func.func @f(%a: tensor<2x4x33xf32>, %b: tensor<2x9x33xf32>) -> tensor<2x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x9xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<2x4x33xf32>, tensor<2x9x33xf32>) outs(%c : tensor<2x4x9xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x9xf32>
  return %r : tensor<2x4x9xf32>
}

// -----

// Extents that are not known.
// INPUTS: 23x31 31x45
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The same with an epilogue.
// INPUTS: 8x3 3x64 64 8x64
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>, %res: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%r, %bias, %res : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %big = arith.cmpf ogt, %s, %zero : f32
    %relu = arith.select %big, %s, %zero : f32
    %sum = arith.addf %relu, %w : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// -----

// A matrix and a vector.
// INPUTS: 19x75 75 19
func.func @f(%a: tensor<19x75xf32>, %x: tensor<75xf32>, %y: tensor<19xf32>) -> tensor<19xf32> {
  %r = linalg.matvec ins(%a, %x : tensor<19x75xf32>, tensor<75xf32>) outs(%y : tensor<19xf32>) -> tensor<19xf32>
  return %r : tensor<19xf32>
}

// -----

// The same with extents that are not known.
// INPUTS: 11x21 21 11
func.func @f(%a: tensor<?x?xf32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.matvec ins(%a, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A vector and a matrix.
// INPUTS: 29 29x53 53
func.func @f(%x: tensor<29xf32>, %a: tensor<29x53xf32>, %y: tensor<53xf32>) -> tensor<53xf32> {
  %r = linalg.vecmat ins(%x, %a : tensor<29xf32>, tensor<29x53xf32>) outs(%y : tensor<53xf32>) -> tensor<53xf32>
  return %r : tensor<53xf32>
}

// -----

// A convolution, channels last, strided and dilated.
// INPUTS: 2x12x13x3 3x2x3x18 2x5x11x18
func.func @f(%a: tensor<2x12x13x3xf32>, %w: tensor<3x2x3x18xf32>, %y: tensor<2x5x11x18xf32>) -> tensor<2x5x11x18xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
    ins(%a, %w : tensor<2x12x13x3xf32>, tensor<3x2x3x18xf32>) outs(%y : tensor<2x5x11x18xf32>) -> tensor<2x5x11x18xf32>
  return %r : tensor<2x5x11x18xf32>
}

// -----

// A convolution, channels first.
// INPUTS: 1x3x9x23 5x3x3x3 1x5x7x21
func.func @f(%a: tensor<1x3x9x23xf32>, %w: tensor<5x3x3x3xf32>, %y: tensor<1x5x7x21xf32>) -> tensor<1x5x7x21xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x3x9x23xf32>, tensor<5x3x3x3xf32>) outs(%y : tensor<1x5x7x21xf32>) -> tensor<1x5x7x21xf32>
  return %r : tensor<1x5x7x21xf32>
}

// -----

// A convolution, channels first, strided.
// INPUTS: 1x4x11x37 6x4x3x3 1x6x5x18
func.func @f(%a: tensor<1x4x11x37xf32>, %w: tensor<6x4x3x3xf32>, %y: tensor<1x6x5x18xf32>) -> tensor<1x6x5x18xf32> {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
    ins(%a, %w : tensor<1x4x11x37xf32>, tensor<6x4x3x3xf32>) outs(%y : tensor<1x6x5x18xf32>) -> tensor<1x6x5x18xf32>
  return %r : tensor<1x6x5x18xf32>
}

// -----

// A depthwise convolution, channels last.
// INPUTS: 1x8x9x20 3x3x20 1x6x7x20
func.func @f(%a: tensor<1x8x9x20xf32>, %w: tensor<3x3x20xf32>, %y: tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %w : tensor<1x8x9x20xf32>, tensor<3x3x20xf32>) outs(%y : tensor<1x6x7x20xf32>) -> tensor<1x6x7x20xf32>
  return %r : tensor<1x6x7x20xf32>
}

// -----

// A depthwise convolution, channels first.
// INPUTS: 1x5x8x21 5x3x3 1x5x6x19
func.func @f(%a: tensor<1x5x8x21xf32>, %w: tensor<5x3x3xf32>, %y: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%a, %w : tensor<1x5x8x21xf32>, tensor<5x3x3xf32>) outs(%y : tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %r : tensor<1x5x6x19xf32>
}

// -----

// The same of padded images, which are padded a channel at a time.
// INPUTS: 2x5x8x21 5x3x3 2x5x8x21
func.func @f(%x: tensor<2x5x8x21xf32>, %w: tensor<5x3x3xf32>, %c: tensor<2x5x8x21xf32>) -> tensor<2x5x8x21xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 2, 1] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<2x5x8x21xf32> to tensor<2x5x10x23xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%p, %w : tensor<2x5x10x23xf32>, tensor<5x3x3xf32>)
    outs(%c : tensor<2x5x8x21xf32>) -> tensor<2x5x8x21xf32>
  return %r : tensor<2x5x8x21xf32>
}

// -----

// Weights: the right side of a product, transposed, is packed when compiled. The last panel is not full.
// INPUTS: 7x3
func.func @f(%a: tensor<7x3xf32>) -> tensor<7x2xf32> {
  %b = arith.constant dense<[[1.0, -2.0, 3.0], [0.5, 4.0, -0.25]]> : tensor<2x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x2xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<7x2xf32>) -> tensor<7x2xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<7x3xf32>, tensor<2x3xf32>) outs(%c : tensor<7x2xf32>) -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}

// -----

// Weights of each batch, of bf16.
// INPUTS: 2x3x4
func.func @f(%a: tensor<2x3x4xf32>) -> tensor<2x3x2xf32> {
  %w = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [0.25, 8.0]], [[2.0, 1.0], [4.0, -3.0], [1.5, 0.5], [7.0, 6.0]]]> : tensor<2x4x2xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x2xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %w : tensor<2x3x4xf32>, tensor<2x4x2xbf16>) outs(%c : tensor<2x3x2xf32>) {
  ^bb0(%x: f32, %y: bf16, %z: f32):
    %wide = arith.extf %y : bf16 to f32
    %p = arith.mulf %x, %wide : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// Pairs of bf16; the last pair is half there, and so is the last vector.
// INPUTS: 7x9 9x21
func.func @f(%x: tensor<7x9xf32>, %y: tensor<9x21xf32>) -> tensor<7x21xf32> {
  %ae = tensor.empty() : tensor<7x9xbf16>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<7x9xf32>) outs(%ae : tensor<7x9xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %w = arith.truncf %v : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<7x9xbf16>
  %be = tensor.empty() : tensor<9x21xbf16>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<9x21xf32>) outs(%be : tensor<9x21xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %w = arith.truncf %v : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<9x21xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x21xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<7x21xf32>) -> tensor<7x21xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<7x9xbf16>, tensor<9x21xbf16>) outs(%c : tensor<7x21xf32>) {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %pw = arith.extf %p : bf16 to f32
    %qw = arith.extf %q : bf16 to f32
    %t = arith.mulf %pw, %qw : f32
    %u = arith.addf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<7x21xf32>
  return %r : tensor<7x21xf32>
}

// -----

// Pairs of bf16, the right side transposed: packed by squares of pairs, of which the last ones begin earlier.
// INPUTS: 37x36 21x36
func.func @f(%x: tensor<37x36xf32>, %y: tensor<21x36xf32>) -> tensor<37x21xf32> {
  %ae = tensor.empty() : tensor<37x36xbf16>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<37x36xf32>) outs(%ae : tensor<37x36xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %w = arith.truncf %v : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<37x36xbf16>
  %be = tensor.empty() : tensor<21x36xbf16>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<21x36xf32>) outs(%be : tensor<21x36xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %w = arith.truncf %v : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<21x36xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x21xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<37x21xf32>) -> tensor<37x21xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<37x36xbf16>, tensor<21x36xbf16>) outs(%c : tensor<37x21xf32>) {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %pw = arith.extf %p : bf16 to f32
    %qw = arith.extf %q : bf16 to f32
    %t = arith.mulf %pw, %qw : f32
    %u = arith.addf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<37x21xf32>
  return %r : tensor<37x21xf32>
}

// -----

// Pairs of bf16 of a transposed constant.
// INPUTS: 5x7
func.func @f(%x: tensor<5x7xf32>) -> tensor<5x3xf32> {
  %ae = tensor.empty() : tensor<5x7xbf16>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<5x7xf32>) outs(%ae : tensor<5x7xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %w = arith.truncf %v : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<5x7xbf16>
  %b = arith.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0], [2.0, 3.0, -3.0, -2.0, -1.0, 0.0, 1.0], [0.0, 1.0, 2.0, 3.0, -3.0, -2.0, -1.0]]> : tensor<3x7xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<5x7xbf16>, tensor<3x7xbf16>) outs(%c : tensor<5x3xf32>) {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %pw = arith.extf %p : bf16 to f32
    %qw = arith.extf %q : bf16 to f32
    %t = arith.mulf %pw, %qw : f32
    %u = arith.addf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// Groups of four bytes, without a sign and with one; three of the last group are missing.
// INPUTS: 9x13 13x21
func.func @f(%x: tensor<9x13xf32>, %y: tensor<13x21xf32>) -> tensor<9x21xf32> {
  %ae = tensor.empty() : tensor<9x13xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<9x13xf32>) outs(%ae : tensor<9x13xi8>) {
  ^bb0(%v: f32, %o: i8):
    %four = arith.constant 4.0 : f32
    %c = arith.constant 31.0 : f32
    %n = arith.addf %v, %four : f32
    %m = arith.mulf %n, %c : f32
    %w = arith.fptoui %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<9x13xi8>
  %be = tensor.empty() : tensor<13x21xi8>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<13x21xf32>) outs(%be : tensor<13x21xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<13x21xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x21xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<9x21xi32>) -> tensor<9x21xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<9x13xi8>, tensor<13x21xi8>) outs(%c : tensor<9x21xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extui %p : i8 to i32
    %qw = arith.extsi %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<9x21xi32>
  %fe = tensor.empty() : tensor<9x21xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<9x21xi32>) outs(%fe : tensor<9x21xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<9x21xf32>
  return %f : tensor<9x21xf32>
}

// -----

// The other way round.
// INPUTS: 9x13 13x21
func.func @f(%x: tensor<9x13xf32>, %y: tensor<13x21xf32>) -> tensor<9x21xf32> {
  %ae = tensor.empty() : tensor<9x13xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<9x13xf32>) outs(%ae : tensor<9x13xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<9x13xi8>
  %be = tensor.empty() : tensor<13x21xi8>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<13x21xf32>) outs(%be : tensor<13x21xi8>) {
  ^bb0(%v: f32, %o: i8):
    %four = arith.constant 4.0 : f32
    %c = arith.constant 31.0 : f32
    %n = arith.addf %v, %four : f32
    %m = arith.mulf %n, %c : f32
    %w = arith.fptoui %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<13x21xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x21xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<9x21xi32>) -> tensor<9x21xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<9x13xi8>, tensor<13x21xi8>) outs(%c : tensor<9x21xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extsi %p : i8 to i32
    %qw = arith.extui %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<9x21xi32>
  %fe = tensor.empty() : tensor<9x21xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<9x21xi32>) outs(%fe : tensor<9x21xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<9x21xf32>
  return %f : tensor<9x21xf32>
}

// -----

// Bytes with a sign: that of the left side is flipped, and made up for. The right side is transposed.
// INPUTS: 6x11 18x11
func.func @f(%x: tensor<6x11xf32>, %y: tensor<18x11xf32>) -> tensor<6x18xf32> {
  %ae = tensor.empty() : tensor<6x11xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<6x11xf32>) outs(%ae : tensor<6x11xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<6x11xi8>
  %be = tensor.empty() : tensor<18x11xi8>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<18x11xf32>) outs(%be : tensor<18x11xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<18x11xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x18xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<6x18xi32>) -> tensor<6x18xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<6x11xi8>, tensor<18x11xi8>) outs(%c : tensor<6x18xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extsi %p : i8 to i32
    %qw = arith.extsi %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<6x18xi32>
  %fe = tensor.empty() : tensor<6x18xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<6x18xi32>) outs(%fe : tensor<6x18xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<6x18xf32>
  return %f : tensor<6x18xf32>
}

// -----

// The same, packed by squares of four bytes.
// INPUTS: 34x76 21x76
func.func @f(%x: tensor<34x76xf32>, %y: tensor<21x76xf32>) -> tensor<34x21xf32> {
  %ae = tensor.empty() : tensor<34x76xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<34x76xf32>) outs(%ae : tensor<34x76xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<34x76xi8>
  %be = tensor.empty() : tensor<21x76xi8>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<21x76xf32>) outs(%be : tensor<21x76xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<21x76xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<34x21xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<34x21xi32>) -> tensor<34x21xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<34x76xi8>, tensor<21x76xi8>) outs(%c : tensor<34x21xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extsi %p : i8 to i32
    %qw = arith.extsi %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<34x21xi32>
  %fe = tensor.empty() : tensor<34x21xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<34x21xi32>) outs(%fe : tensor<34x21xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<34x21xf32>
  return %f : tensor<34x21xf32>
}

// -----

// Bytes without a sign.
// INPUTS: 6x12 12x18
func.func @f(%x: tensor<6x12xf32>, %y: tensor<12x18xf32>) -> tensor<6x18xf32> {
  %ae = tensor.empty() : tensor<6x12xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<6x12xf32>) outs(%ae : tensor<6x12xi8>) {
  ^bb0(%v: f32, %o: i8):
    %four = arith.constant 4.0 : f32
    %c = arith.constant 31.0 : f32
    %n = arith.addf %v, %four : f32
    %m = arith.mulf %n, %c : f32
    %w = arith.fptoui %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<6x12xi8>
  %be = tensor.empty() : tensor<12x18xi8>
  %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%y : tensor<12x18xf32>) outs(%be : tensor<12x18xi8>) {
  ^bb0(%v: f32, %o: i8):
    %four = arith.constant 4.0 : f32
    %c = arith.constant 31.0 : f32
    %n = arith.addf %v, %four : f32
    %m = arith.mulf %n, %c : f32
    %w = arith.fptoui %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<12x18xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x18xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<6x18xi32>) -> tensor<6x18xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<6x12xi8>, tensor<12x18xi8>) outs(%c : tensor<6x18xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extui %p : i8 to i32
    %qw = arith.extui %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<6x18xi32>
  %fe = tensor.empty() : tensor<6x18xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<6x18xi32>) outs(%fe : tensor<6x18xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<6x18xf32>
  return %f : tensor<6x18xf32>
}

// -----

// A constant of extreme bytes, by which the sum of a column is known when compiled.
// INPUTS: 6x10
func.func @f(%x: tensor<6x10xf32>) -> tensor<6x3xf32> {
  %ae = tensor.empty() : tensor<6x10xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<6x10xf32>) outs(%ae : tensor<6x10xi8>) {
  ^bb0(%v: f32, %o: i8):
    %c = arith.constant 31.0 : f32
    %m = arith.mulf %v, %c : f32
    %w = arith.fptosi %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<6x10xi8>
  %b = arith.constant dense<[[-128, 127, -1], [0, 100, -77], [3, -128, 127], [-1, 0, 100], [-77, 3, -128], [127, -1, 0], [100, -77, 3], [-128, 127, -1], [0, 100, -77], [3, -128, 127]]> : tensor<10x3xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x3xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<6x3xi32>) -> tensor<6x3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<6x10xi8>, tensor<10x3xi8>) outs(%c : tensor<6x3xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extsi %p : i8 to i32
    %qw = arith.extsi %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<6x3xi32>
  %fe = tensor.empty() : tensor<6x3xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<6x3xi32>) outs(%fe : tensor<6x3xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<6x3xf32>
  return %f : tensor<6x3xf32>
}

// -----

// The same without a sign on the left.
// INPUTS: 6x10
func.func @f(%x: tensor<6x10xf32>) -> tensor<6x3xf32> {
  %ae = tensor.empty() : tensor<6x10xi8>
  %a = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<6x10xf32>) outs(%ae : tensor<6x10xi8>) {
  ^bb0(%v: f32, %o: i8):
    %four = arith.constant 4.0 : f32
    %c = arith.constant 31.0 : f32
    %n = arith.addf %v, %four : f32
    %m = arith.mulf %n, %c : f32
    %w = arith.fptoui %m : f32 to i8
    linalg.yield %w : i8
  } -> tensor<6x10xi8>
  %b = arith.constant dense<[[-128, 127, -1], [0, 100, -77], [3, -128, 127], [-1, 0, 100], [-77, 3, -128], [127, -1, 0], [100, -77, 3], [-128, 127, -1], [0, 100, -77], [3, -128, 127]]> : tensor<10x3xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x3xi32>
  %c = linalg.fill ins(%zero : i32) outs(%e : tensor<6x3xi32>) -> tensor<6x3xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<6x10xi8>, tensor<10x3xi8>) outs(%c : tensor<6x3xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pw = arith.extui %p : i8 to i32
    %qw = arith.extsi %q : i8 to i32
    %t = arith.muli %pw, %qw : i32
    %u = arith.addi %s, %t : i32
    linalg.yield %u : i32
  } -> tensor<6x3xi32>
  %fe = tensor.empty() : tensor<6x3xf32>
  %f = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%r : tensor<6x3xi32>) outs(%fe : tensor<6x3xf32>) {
  ^bb0(%v: i32, %o: f32):
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<6x3xf32>
  return %f : tensor<6x3xf32>
}

// -----

// Convolutions in a row: the first, of a window, has the channels innermost afterwards; so have what is added, the product of each pixel, and
// the window of each channel that follow. At the end they are where they were.
// INPUTS: 1x2x7x6
func.func @f(%x: tensor<1x2x7x6xf32>) -> tensor<1x5x3x2xf32> {
  %w = arith.constant dense<[[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -2.0, 3.0]], [[1.0, -1.0, -3.0], [2.0, 0.0, -1.0], [-3.0, 2.0, 0.0]]], [[[-2.0, 3.0, 1.0], [0.0, -2.0, 3.0], [1.0, -1.0, -3.0]], [[2.0, 1.0, -1.0], [-3.0, 2.0, 0.0], [-2.0, 3.0, 2.0]]], [[[0.0, -2.0, 3.0], [1.0, -1.0, -3.0], [3.0, 1.0, -1.0]], [[-3.0, 2.0, 0.0], [-2.0, -3.0, 2.0], [0.0, -2.0, 3.0]]], [[[1.0, -1.0, -2.0], [3.0, 1.0, -1.0], [-3.0, 2.0, 0.0]], [[-1.0, -3.0, 2.0], [0.0, -2.0, 3.0], [1.0, 0.0, -2.0]]]]> : tensor<4x2x3x3xf32>
  %v = arith.constant dense<[[[[-2.0]], [[1.0]], [[-1.0]], [[2.0]]], [[[1.0]], [[-1.0]], [[2.0]], [[0.0]]], [[[-1.0]], [[2.0]], [[0.0]], [[-2.0]]], [[[2.0]], [[0.0]], [[-2.0]], [[1.0]]], [[[0.0]], [[-2.0]], [[1.0]], [[-1.0]]]]> : tensor<5x4x1x1xf32>
  %u = arith.constant dense<[[[-2.0, 2.0, 1.0], [1.0, 0.0, -1.0], [-1.0, -2.0, 2.0]], [[2.0, 1.0, 0.0], [0.0, -1.0, -2.0], [-2.0, 2.0, 1.0]], [[1.0, 0.0, -1.0], [-1.0, -2.0, 2.0], [2.0, 1.0, 0.0]], [[0.0, -1.0, -2.0], [-2.0, 2.0, 1.0], [1.0, 0.0, -1.0]], [[-1.0, -2.0, 2.0], [2.0, 1.0, 0.0], [0.0, -1.0, -2.0]]]> : tensor<5x3x3xf32>
  %bias = arith.constant dense<[1.0, -2.0, 3.0, 0.5]> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x7x6xf32>, tensor<4x2x3x3xf32>) outs(%s : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %b = linalg.generic {
    indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c, %bias : tensor<1x4x5x4xf32>, tensor<4xf32>) outs(%e : tensor<1x4x5x4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    %m = arith.maximumf %t, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x4x5x4xf32>
  %e2 = tensor.empty() : tensor<1x5x5x4xf32>
  %s2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%b, %v : tensor<1x4x5x4xf32>, tensor<5x4x1x1xf32>) outs(%s2 : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %e3 = tensor.empty() : tensor<1x5x3x2xf32>
  %s3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x5x3x2xf32>) -> tensor<1x5x3x2xf32>
  %c3 = linalg.depthwise_conv_2d_nchw_chw ins(%c2, %u : tensor<1x5x5x4xf32>, tensor<5x3x3xf32>) outs(%s3 : tensor<1x5x3x2xf32>) -> tensor<1x5x3x2xf32>
  return %c3 : tensor<1x5x3x2xf32>
}

// -----

// What is added to a convolution with the channels elsewhere: that is not moved.
// INPUTS: 1x2x7x6 1x4x5x4
func.func @f(%x: tensor<1x2x7x6xf32>, %residual: tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32> {
  %w = arith.constant dense<[[[[-3.0, 2.0, 0.0], [-2.0, 3.0, 1.0], [-1.0, -2.0, 3.0]], [[1.0, -1.0, -3.0], [2.0, 0.0, -1.0], [-3.0, 2.0, 0.0]]], [[[-2.0, 3.0, 1.0], [0.0, -2.0, 3.0], [1.0, -1.0, -3.0]], [[2.0, 1.0, -1.0], [-3.0, 2.0, 0.0], [-2.0, 3.0, 2.0]]], [[[0.0, -2.0, 3.0], [1.0, -1.0, -3.0], [3.0, 1.0, -1.0]], [[-3.0, 2.0, 0.0], [-2.0, -3.0, 2.0], [0.0, -2.0, 3.0]]], [[[1.0, -1.0, -2.0], [3.0, 1.0, -1.0], [-3.0, 2.0, 0.0]], [[-1.0, -3.0, 2.0], [0.0, -2.0, 3.0], [1.0, 0.0, -2.0]]]]> : tensor<4x2x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x7x6xf32>, tensor<4x2x3x3xf32>) outs(%s : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %r = linalg.add ins(%c, %residual : tensor<1x4x5x4xf32>, tensor<1x4x5x4xf32>) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  return %r : tensor<1x4x5x4xf32>
}

// -----

// f16 with sums of f32, and more columns than a tile: the left side is widened once.
// INPUTS: 7x9 9x70
func.func @f(%x: tensor<7x9xf32>, %y: tensor<9x70xf32>) -> tensor<7x70xf32> {
  %ae = tensor.empty() : tensor<7x9xf16>
  %a = linalg.copy ins(%x : tensor<7x9xf32>) outs(%ae : tensor<7x9xf16>) -> tensor<7x9xf16>
  %be = tensor.empty() : tensor<9x70xf16>
  %b = linalg.copy ins(%y : tensor<9x70xf32>) outs(%be : tensor<9x70xf16>) -> tensor<9x70xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x70xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<7x70xf32>) -> tensor<7x70xf32>
  %r = linalg.matmul ins(%a, %b : tensor<7x9xf16>, tensor<9x70xf16>) outs(%c : tensor<7x70xf32>) -> tensor<7x70xf32>
  return %r : tensor<7x70xf32>
}

// -----

// Columns that are left, three of a vector: the steps of a depth that is no multiple of those of a vector lie side by side in it.
// INPUTS: 37x21 21x35 35
func.func @f(%a: tensor<37x21xf32>, %b: tensor<21x35xf32>, %bias: tensor<35xf32>) -> tensor<37x35xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x35xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<37x35xf32>) -> tensor<37x35xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<37x21xf32>, tensor<21x35xf32>) outs(%c : tensor<37x35xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<37x35xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%r, %bias : tensor<37x35xf32>, tensor<35xf32>) outs(%e : tensor<37x35xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %relu = arith.maximumf %s, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<37x35xf32>
  return %o : tensor<37x35xf32>
}

// -----

// One column of each of a batch is left, and adds to what is there.
// INPUTS: 2x17x37 2x37x17 2x17x17
func.func @f(%a: tensor<2x17x37xf32>, %b: tensor<2x37x17xf32>, %c: tensor<2x17x17xf32>) -> tensor<2x17x17xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<2x17x37xf32>, tensor<2x37x17xf32>) outs(%c : tensor<2x17x17xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x17x17xf32>
  return %r : tensor<2x17x17xf32>
}

// -----

// Columns of weights that are left are packed when compiled.
// INPUTS: 20x9 19
func.func @f(%a: tensor<20x9xf32>, %bias: tensor<19xf32>) -> tensor<20x19xf32> {
  %b = arith.constant dense<"0x000000C0000040C000000000000040C000004040000040400000404000000040000080BF000040C000004040000080C00000004000000040000080C00000404000000000000080BF000040C00000803F000080C0000080C0000080C000008040000080C000000040000080BF00000040000080C000008040000080BF000040400000404000008040000080BF0000803F000080BF000080BF0000404000000000000080C00000004000008040000040C0000000C000000000000040C00000803F000080400000004000008040000080BF0000000000000000000040400000804000000040000080C000004040000080BF0000004000000040000000C00000803F000080400000803F000040C00000404000008040000040C0000000C000008040000000400000803F00004040000080C000004040000080C00000000000000040000000C0000000C000008040000080BF000080C0000080BF0000804000008040000080BF00000040000080400000803F0000803F000040400000000000008040000080C00000004000008040000000C00000804000008040000080BF00000040000080C0000040400000803F00008040000080BF0000804000000040000040400000803F000000400000803F000080C000008040000080400000803F00004040000080C0000080BF000000C000008040000000C0000040C00000804000000000000080C0000040C0000040C0000080C000004040000080C000000000000080BF00000000000040C0000000C00000803F00000000000040C0000000C0000000C00000000000008040000000C00000000000000000000040400000803F0000404000004040000040C0000080C000000000000000400000803F00000040000080BF00000000000040C00000000000008040000080BF00000040000080C0000080BF000080C000000040000000C0"> : tensor<9x19xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x19xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<20x19xf32>) -> tensor<20x19xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<20x9xf32>, tensor<9x19xf32>) outs(%c : tensor<20x19xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x19xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%r, %bias : tensor<20x19xf32>, tensor<19xf32>) outs(%e : tensor<20x19xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %relu = arith.maximumf %s, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<20x19xf32>
  return %o : tensor<20x19xf32>
}

// -----

// The same of a transposed right side.
// INPUTS: 40x18 19x18
func.func @f(%a: tensor<40x18xf32>, %b: tensor<19x18xf32>) -> tensor<40x19xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x19xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<40x19xf32>) -> tensor<40x19xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<40x18xf32>, tensor<19x18xf32>) outs(%c : tensor<40x19xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x19xf32>
  return %r : tensor<40x19xf32>
}

// -----

// No more columns than those.
// INPUTS: 24x13 13x3
func.func @f(%a: tensor<24x13xf32>, %b: tensor<13x3xf32>) -> tensor<24x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x3xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<24x3xf32>) -> tensor<24x3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<24x13xf32>, tensor<13x3xf32>) outs(%c : tensor<24x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x3xf32>
  return %r : tensor<24x3xf32>
}

// -----

// The same of a transposed right side, and adds to what is there.
// INPUTS: 18x40 2x40 18x2
func.func @f(%a: tensor<18x40xf32>, %b: tensor<2x40xf32>, %c: tensor<18x2xf32>) -> tensor<18x2xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<18x40xf32>, tensor<2x40xf32>) outs(%c : tensor<18x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<18x2xf32>
  return %r : tensor<18x2xf32>
}

// -----

// Columns that are left of a convolution, channels last: a vector has several channels of an element of the window.
// INPUTS: 1x3x19x8 2x2x8x19 1x2x18x19
func.func @f(%a: tensor<1x3x19x8xf32>, %w: tensor<2x2x8x19xf32>, %y: tensor<1x2x18x19xf32>) -> tensor<1x2x18x19xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%a, %w : tensor<1x3x19x8xf32>, tensor<2x2x8x19xf32>) outs(%y : tensor<1x2x18x19xf32>) -> tensor<1x2x18x19xf32>
  return %r : tensor<1x2x18x19xf32>
}

// -----

// The columns that are left of f16 with sums of f32.
// INPUTS: 19x33 33x18
func.func @f(%x: tensor<19x33xf32>, %y: tensor<33x18xf32>) -> tensor<19x18xf32> {
  %ae = tensor.empty() : tensor<19x33xf16>
  %a = linalg.copy ins(%x : tensor<19x33xf32>) outs(%ae : tensor<19x33xf16>) -> tensor<19x33xf16>
  %be = tensor.empty() : tensor<33x18xf16>
  %b = linalg.copy ins(%y : tensor<33x18xf32>) outs(%be : tensor<33x18xf16>) -> tensor<33x18xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<19x18xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<19x18xf32>) -> tensor<19x18xf32>
  %r = linalg.matmul ins(%a, %b : tensor<19x33xf16>, tensor<33x18xf16>) outs(%c : tensor<19x18xf32>) -> tensor<19x18xf32>
  return %r : tensor<19x18xf32>
}

// -----

// So many panels that threads share them out, each filled by its first tile.
// INPUTS: 48x25 25x600
func.func @f(%a: tensor<48x25xf32>, %b: tensor<25x600xf32>) -> tensor<48x600xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x600xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<48x600xf32>) -> tensor<48x600xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<48x25xf32>, tensor<25x600xf32>) outs(%c : tensor<48x600xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<48x600xf32>
  return %r : tensor<48x600xf32>
}

// -----

// Ten columns by tiles of five, of a depth that goes by in parts.
// INPUTS: 33x903 903x10
func.func @f(%a: tensor<33x903xf32>, %b: tensor<903x10xf32>) -> tensor<33x10xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<33x10xf32>
  %c = linalg.fill ins(%two : f32) outs(%e : tensor<33x10xf32>) -> tensor<33x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<33x903xf32>, tensor<903x10xf32>) outs(%c : tensor<33x10xf32>) -> tensor<33x10xf32>
  return %r : tensor<33x10xf32>
}

// -----

// Three columns behind two vectors, by tiles of rows that do not fit evenly, with something done to the sums.
// INPUTS: 41x1300 1300x35 41x35
func.func @f(%a: tensor<41x1300xf32>, %b: tensor<1300x35xf32>, %c: tensor<41x35xf32>) -> tensor<41x35xf32> {
  %zero = arith.constant 0.0 : f32
  %s = linalg.matmul ins(%a, %b : tensor<41x1300xf32>, tensor<1300x35xf32>) outs(%c : tensor<41x35xf32>) -> tensor<41x35xf32>
  %e = tensor.empty() : tensor<41x35xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%s : tensor<41x35xf32>) outs(%e : tensor<41x35xf32>) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  } -> tensor<41x35xf32>
  return %r : tensor<41x35xf32>
}

// -----

// Nine columns that are left, for all of a batch.
// INPUTS: 2x37x801
func.func @f(%a: tensor<2x37x801xf32>) -> tensor<2x37x41xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<801x41xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<801x41xf32>) {
  ^bb0(%y: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c5 = arith.constant 5 : index
    %kn = arith.addi %k, %n : index
    %q = arith.remui %kn, %c5 : index
    %i = arith.index_cast %q : index to i32
    %f = arith.sitofp %i : i32 to f32
    linalg.yield %f : f32
  } -> tensor<801x41xf32>
  %d = tensor.empty() : tensor<2x37x41xf32>
  %c = linalg.fill ins(%zero : f32) outs(%d : tensor<2x37x41xf32>) -> tensor<2x37x41xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, m, n, k) -> (i, m, k)>, affine_map<(i, m, n, k) -> (k, n)>, affine_map<(i, m, n, k) -> (i, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<2x37x801xf32>, tensor<801x41xf32>) outs(%c : tensor<2x37x41xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x37x41xf32>
  return %r : tensor<2x37x41xf32>
}
