// RUN: dl-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{illegal storage type size: 33}}
func.func private @width(!quant.any<i33:f32>)

// -----

// expected-error @below {{illegal storage type size: 64}}
func.func private @unsigned_width(!quant.any<u64:f32>)

// -----

// expected-error @below {{illegal storage type prefix}}
func.func private @not_an_integer(!quant.any<int8:f32>)

// -----

// expected-error @below {{illegal storage type minimum: -9}}
func.func private @minimum(!quant.any<i4<-9:1>:f32>)

// -----

// expected-error @below {{illegal storage type maximum: 16}}
func.func private @maximum(!quant.uniform<u4<0:16>:f32, 1.0>)

// -----

// expected-error @below {{illegal storage min and storage max: (3:3)}}
func.func private @empty_range(!quant.uniform<i8<3:3>:f32, 1.0>)

// -----

// expected-error @below {{illegal min and max: (1.000000e+00:-1.000000e+00)}}
func.func private @calibrated(!quant.calibrated<f32<1.0:-1.0>>)

// -----

// expected-error @below {{scale 1.000000e-10 out of expressed type range [5.960464e-08, 6.550400e+04]}}
func.func private @too_small(!quant.uniform<i8:f16, 1.0e-10>)

// -----

// expected-error @below {{scale 1.000000e+10 out of expressed type range [5.960464e-08, 6.550400e+04]}}
func.func private @too_large(!quant.uniform<i8:f16:0, {1.0, 1.0e10}>)

// -----

// expected-error @below {{scale -5.000000e-01 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func private @negative(!quant.uniform<i8:f32, -0.5>)

// -----

// expected-error @below {{illegal quantized dimension: -2}}
func.func private @axis(!quant.uniform<i8:f32:-2, {1.0}>)

// -----

// expected-error @below {{illegal quantized dimension: -1}}
func.func private @block_axis(!quant.uniform<i8:f32:{-1:2}, {1.0}>)

// -----

// expected-error @below {{illegal block size: 0}}
func.func private @block_size(!quant.uniform<i8:f32:{1:0}, {1.0}>)

// -----

// expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
func.func private @ragged(!quant.uniform<i8:f32:{0:1}, {{1.0, 2.0}, {3.0}}>)

// -----

func.func @shape(%a: tensor<2xf32>) {
  // expected-error @below {{'quant.qcast' op failed to verify that input and result are both scalars or both tensors with matching shape}}
  %0 = quant.qcast %a : tensor<2xf32> to tensor<?x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @expressed(%a: f32) {
  // expected-error @below {{expressed type in quantized type expected to match float type}}
  %0 = quant.qcast %a : f32 to !quant.uniform<i8:f64, 1.0>
  return
}

// -----

func.func @storage(%a: i16) {
  // expected-error @below {{storage type in quantized type expected to match integer type}}
  %0 = quant.scast %a : i16 to !quant.uniform<i8:f64, 1.0>
  return
}

// -----

func.func @no_integer(%a: !quant.any<i8>) {
  // expected-error @below {{'quant.scast' op failed to verify that input must be integer and result must be quantized, or vice versa}}
  %0 = quant.scast %a : !quant.any<i8> to !quant.any<i8>
  return
}

// -----

func.func @scalar_with_axis(%a: f32) {
  // expected-error @below {{scalar types may not use per-axis quantization}}
  %0 = quant.qcast %a : f32 to !quant.uniform<i8:f32:0, {1.0}>
  return
}

// -----

func.func @axis_beyond_rank(%a: tensor<2xf32>) {
  // expected-error @below {{quantized dimension must be less than tensor rank}}
  %0 = quant.qcast %a : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32:1, {1.0}>>
  return
}

// -----

func.func @scales_of_axis(%a: tensor<2xf32>) {
  // expected-error @below {{quantized dimension size does not match number of scales}}
  %0 = quant.qcast %a : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32:0, {1.0}>>
  return
}

// -----

func.func @scalar_with_blocks(%a: f32) {
  // expected-error @below {{scalar types may not use sub-channel quantization}}
  %0 = quant.qcast %a : f32 to !quant.uniform<i8:f32:{}, {1.0}>
  return
}

// -----

func.func @blocks_without_rank(%a: tensor<*xf32>) {
  // expected-error @below {{tensor containing the sub-channel quantized type must be ranked}}
  %0 = quant.qcast %a : tensor<*xf32> to tensor<*x!quant.uniform<i8:f32:{}, {1.0}>>
  return
}

// -----

func.func @empty_blocks(%a: tensor<0xf32>) {
  // expected-error @below {{tensor dimension size of zero is not allowed with sub-channel quantization}}
  %0 = quant.qcast %a : tensor<0xf32> to tensor<0x!quant.uniform<i8:f32:{}, {1.0}>>
  return
}

// -----

func.func @block_axis_beyond_rank(%a: tensor<2xf32>) {
  // expected-error @below {{quantized dimension 1 must be less than tensor rank 1}}
  %0 = quant.qcast %a : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32:{1:1}, {1.0}>>
  return
}

// -----

func.func @block_remainder(%a: tensor<5xf32>) {
  // expected-error @below {{tensor dimension size 5 at axis 0 must be divisible by the corresponding block size 2}}
  %0 = quant.qcast %a : tensor<5xf32> to tensor<5x!quant.uniform<i8:f32:{0:2}, {1.0, 1.0}>>
  return
}

// -----

func.func @rank_of_scales(%a: tensor<4xf32>) {
  // expected-error @below {{Rank of scales 2 must match the rank of the tensor 1}}
  %0 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32:{0:2}, {{1.0, 1.0}}>>
  return
}

// -----

func.func @number_of_blocks(%a: tensor<4xf32>) {
  // expected-error @below {{dimension size 2 of scales tensor at axis 0 should match (tensor dimension at axis / block sizes at axis) = 2}}
  %0 = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32:{0:2}, {1.0, 1.0, 1.0}>>
  return
}
