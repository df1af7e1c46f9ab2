// RUN: %{round-trip}

// The types of `quant` in all their forms, and every operation, in both directions.

// CHECK-LABEL: func.func @any(%{{.*}}: !quant.any<i8>, %{{.*}}: !quant.any<u4:bf16>, %{{.*}}: !quant.any<i16<-100:100>:f64>) {
// CHECK:       return
func.func @any(%a: !quant.any<i8>, %b: !quant.any<u4:bf16>, %c: !quant.any<i16<-100:100>:f64>) {
  return
}

// CHECK-LABEL: func.func @calibrated(%{{.*}}: !quant.calibrated<f32<-1.500000e+00:2.250000e+00>>, %{{.*}}: !quant.calibrated<f64<1.000000e-01:1.000000e+10>>) {
// CHECK:       return
func.func @calibrated(%a: !quant.calibrated<f32<-1.5:2.25>>, %b: !quant.calibrated<f64<0.1:1.0e10>>) {
  return
}

// CHECK-LABEL: func.func @per_layer(%{{.*}}: !quant.uniform<i8:f32, 5.000000e-01>, %{{.*}}: !quant.uniform<u8:f32, 1.000000e-01:128>, %{{.*}}: !quant.uniform<i4<-7:7>:f16, 1.000000e-03:-2>) {
// CHECK:       return
func.func @per_layer(%a: !quant.uniform<i8:f32, 0.5>, %b: !quant.uniform<u8:f32, 0.1:128>, %c: !quant.uniform<i4<-7:7>:f16, 1.0e-3:-2>) {
  return
}

// A float of which no decimal with a point reads back the same is in hexadecimal, as in attributes.
// CHECK-LABEL: func.func @exact(%{{.*}}: !quant.uniform<i8:f64, 0.12345678901234566>, %{{.*}}: !quant.uniform<u8:f32, 0x41646ABBA0000000:1>) {
// CHECK:       return
func.func @exact(%a: !quant.uniform<i8:f64, 0.12345678901234567>, %b: !quant.uniform<u8:f32, 0x41646ABBA0000000:1>) {
  return
}

// All values of the storage type are in its range, so the range is not shown.
// CHECK-LABEL: func.func @full_range(%{{.*}}: !quant.uniform<i8:f32, 1.000000e+00>, %{{.*}}: !quant.uniform<u8:f32, 1.000000e+00>, %{{.*}}: !quant.uniform<u8:f32, 1.000000e+00>) {
// CHECK:       return
func.func @full_range(%a: !quant.uniform<i8<-128:127>:f32, 1.0>, %b: !quant.uniform<u8<0:255>:f32, 1.0>, %c: !quant.uniform<ui8:f32, 1.0>) {
  return
}

// CHECK-LABEL: func.func @per_axis(%{{.*}}: tensor<2x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00:-3}>>, %{{.*}}: tensor<*x!quant.uniform<u8<1:9>:bf16:3, {5.000000e-01}>>) {
// CHECK:       return
func.func @per_axis(%a: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0:-3}>>, %b: tensor<*x!quant.uniform<u8<1:9>:bf16:3, {0.5}>>) {
  return
}

// Scales are rounded to the expressed type, and zero points to the storage type.
// CHECK-LABEL: func.func @blocks(%{{.*}}: tensor<4x4x!quant.uniform<i8:f16:{0:2, 1:4}, {{[{]}}{{[{]}}9.997550e-02:1}, {2.000000e+00:-56{{[}]}}{{[}]}}>>, %{{.*}}: tensor<2x!quant.uniform<u8:f32:{}, {3.000000e+00}>>) {
// CHECK:       return
func.func @blocks(%a: tensor<4x4x!quant.uniform<i8:f16:{0:2, 1:4}, {{0.1:1}, {2.0:200}}>>, %b: tensor<2x!quant.uniform<u8:f32:{}, {3.0}>>) {
  return
}

// CHECK-LABEL: func.func @nested_blocks(%{{.*}}: tensor<1x2x4x!quant.uniform<i8:f32:{2:2}, {{[{]}}{{[{]}}{{[{]}}1.000000e+00, 2.000000e+00:1}, {3.000000e+00, 4.000000e+00{{[}]}}{{[}]}}{{[}]}}>>) {
// CHECK:       return
func.func @nested_blocks(%a: tensor<1x2x4x!quant.uniform<i8:f32:{2:2}, {{{1.0, 2.0:1}, {3.0, 4.0}}}>>) {
  return
}

// CHECK-LABEL: func.func @quantize(%{{.*}}: f32, %{{.*}}: tensor<2x?xf32>, %{{.*}}: tensor<*xf32>) {
// CHECK:       %{{.*}} = quant.qcast %{{.*}} : f32 to !quant.uniform<i8:f32, 5.000000e-01>
// CHECK:       %{{.*}} = quant.qcast %{{.*}} {test.a} : tensor<2x?xf32> to tensor<2x?x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>
// CHECK:       %{{.*}} = quant.qcast %{{.*}} : tensor<*xf32> to tensor<*x!quant.uniform<i8:f32:7, {1.000000e+00,2.000000e+00}>>
// CHECK:       return
func.func @quantize(%a: f32, %b: tensor<2x?xf32>, %c: tensor<*xf32>) {
  %0 = quant.qcast %a : f32 to !quant.uniform<i8:f32, 0.5>
  %1 = quant.qcast %b {test.a} : tensor<2x?xf32> to tensor<2x?x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  %2 = quant.qcast %c : tensor<*xf32> to tensor<*x!quant.uniform<i8:f32:7, {1.0, 2.0}>>
  return
}

// CHECK-LABEL: func.func @dequantize(%{{.*}}: !quant.calibrated<f32<-1.500000e+00:2.250000e+00>>, %{{.*}}: tensor<2x8x!quant.uniform<u8:f64:{1:2}, {{[{]}}{{[{]}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00{{[}]}}{{[}]}}>>) {
// CHECK:       %{{.*}} = quant.dcast %{{.*}} : !quant.calibrated<f32<-1.500000e+00:2.250000e+00>> to f32
// CHECK:       %{{.*}} = quant.dcast %{{.*}} : tensor<2x8x!quant.uniform<u8:f64:{1:2}, {{[{]}}{{[{]}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00{{[}]}}{{[}]}}>> to tensor<2x8xf64>
// CHECK:       return
func.func @dequantize(%a: !quant.calibrated<f32<-1.5:2.25>>, %b: tensor<2x8x!quant.uniform<u8:f64:{1:2}, {{1.0, 2.0, 3.0, 4.0}}>>) {
  %0 = quant.dcast %a : !quant.calibrated<f32<-1.5:2.25>> to f32
  %1 = quant.dcast %b : tensor<2x8x!quant.uniform<u8:f64:{1:2}, {{1.0, 2.0, 3.0, 4.0}}>> to tensor<2x8xf64>
  return
}

// CHECK-LABEL: func.func @storage(%{{.*}}: i8, %{{.*}}: tensor<3x!quant.any<u16:f32>>) {
// CHECK:       %{{.*}} = quant.scast %{{.*}} : i8 to !quant.uniform<u8:f32, 5.000000e-01>
// CHECK:       %{{.*}} = quant.scast %{{.*}} : tensor<3x!quant.any<u16:f32>> to tensor<3xi16>
// CHECK:       return
func.func @storage(%a: i8, %b: tensor<3x!quant.any<u16:f32>>) {
  %0 = quant.scast %a : i8 to !quant.uniform<u8:f32, 0.5>
  %1 = quant.scast %b : tensor<3x!quant.any<u16:f32>> to tensor<3xi16>
  return
}
