// REQUIRES: mlir-opt
// RUN: dl-opt %s --emit-bytecode | dl-opt | FileCheck %s
// RUN: dl-opt %s --emit-bytecode | mlir-opt | FileCheck %s
// RUN: mlir-opt %s --emit-bytecode | dl-opt | FileCheck %s

// Upstream has encodings for these types; here they are written as text.
// CHECK: func.func private @any(!quant.any<i8<-8:7>>, !quant.any<u4<2:9>:f32>)
func.func private @any(!quant.any<i8<-8:7>>, !quant.any<u4<2:9>:f32>)

// CHECK: func.func private @calibrated(!quant.calibrated<f32<-5.000000e-01:1.250000e+00>>)
func.func private @calibrated(!quant.calibrated<f32<-0.5:1.25>>)

// CHECK: func.func private @per_layer(!quant.uniform<i8<-8:7>:f32, 9.987200e-01:127>, !quant.uniform<u8:bf16, 2.000000e+02>)
func.func private @per_layer(!quant.uniform<i8<-8:7>:f32, 0.99872:127>, !quant.uniform<u8:bf16, 2.0e+2>)

// CHECK: func.func private @per_axis(!quant.uniform<u8:f32:1, {2.000000e+02:-120,9.987200e-01:127}>)
func.func private @per_axis(!quant.uniform<u8:f32:1, {2.0e+2:-120,0.99872:127}>)

// CHECK: func.func private @in_blocks(!quant.uniform<u8:f32:{0:1, 1:2},
// CHECK-SAME{LITERAL}: {{2.000000e+02:120, 5.000000e-01:127}, {2.000000e+02, 2.500000e-01}}>)
func.func private @in_blocks(!quant.uniform<u8:f32:{0:1, 1:2}, {{2.0e+02:120, 0.5:127}, {2.0e+02, 0.25}}>)

// One value may stand for all.
// CHECK: func.func private @equal_blocks(!quant.uniform<u8:f32:{0:1, 1:2},
// CHECK-SAME{LITERAL}: {{5.000000e-01, 5.000000e-01}}>)
func.func private @equal_blocks(!quant.uniform<u8:f32:{0:1, 1:2}, {{0.5, 0.5}}>)
