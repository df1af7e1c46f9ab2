// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @filter_height(%f: tensor<2x2x3x5xf32>, %o: tensor<6x6x5x2xf32>) {
  // expected-error @below {{expect filter height either equals to r or 1}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x2x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}

// -----

func.func @filter_width(%f: tensor<2x3x?x5xf32>, %o: tensor<6x6x5x2xf32>) {
  // expected-error @below {{expect filter width either equals to r or 1}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x?x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}

// -----

func.func @filter_of_one(%f: tensor<2x1x1x5xf32>, %o: tensor<1x1x5x2xf32>) {
  // expected-error @below {{expect either filter height or width equals to r}}
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x1x1x5xf32>) outs(%o : tensor<1x1x5x2xf32>) -> tensor<1x1x5x2xf32>
  return
}

// -----

// Filters of 5 and output tiles of 2 make input tiles of 6.
func.func @filter(%f: tensor<2x5x5x3xf32>, %o: tensor<6x6x3x2xf32>, %w: tensor<4x1x3x2xf32>, %r: tensor<2x3x1x3xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_2_5) ins(%f : tensor<2x5x5x3xf32>) outs(%o : tensor<6x6x3x2xf32>) -> tensor<6x6x3x2xf32>
  %1 = linalg.winograd_filter_transform fmr(F_2_3) ins(%r : tensor<2x3x1x3xf32>) outs(%w : tensor<4x1x3x2xf32>) -> tensor<4x1x3x2xf32>
  return
}

// -----

// 10 rows are 2 tiles of 4 with a border of 2.
func.func @input_rows(%i: tensor<1x10x10x3xf32>, %o: tensor<6x6x3x2x1x3xf32>) {
  // expected-error @below {{the output shape is not expected}}
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<1x10x10x3xf32>) outs(%o : tensor<6x6x3x2x1x3xf32>) -> tensor<6x6x3x2x1x3xf32>
  return
}

// -----

func.func @input(%i: tensor<1x10x10x3xf32>, %o: tensor<6x6x2x2x1x3xf32>, %w: tensor<6x1x2x10x1x3xf32>) {
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<1x10x10x3xf32>) outs(%o : tensor<6x6x2x2x1x3xf32>) -> tensor<6x6x2x2x1x3xf32>
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<1x10x10x3xf32>) outs(%w : tensor<6x1x2x10x1x3xf32>) -> tensor<6x1x2x10x1x3xf32>
  return
}

// -----

func.func @output_tile(%v: tensor<6x5x2x2x1x3xf32>, %o: tensor<1x8x8x3xf32>) {
  // expected-error @below {{expect input width equals to input tile size}}
  %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x5x2x2x1x3xf32>) outs(%o : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @output_rows(%v: tensor<6x6x2x2x1x3xf32>, %o: tensor<1x9x8x3xf32>) {
  // expected-error @below {{the output shape is not expected}}
  %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x1x3xf32>) outs(%o : tensor<1x9x8x3xf32>) -> tensor<1x9x8x3xf32>
  return
}

// -----

func.func @output(%v: tensor<6x6x2x?x1x3xf32>, %o: tensor<1x8x11x3xf32>) {
  %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x?x1x3xf32>) outs(%o : tensor<1x8x11x3xf32>) -> tensor<1x8x11x3xf32>
  return
}
