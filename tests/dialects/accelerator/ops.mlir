// RUN: dl-opt %s | dl-opt | FileCheck %s
// RUN: dl-opt %s --mlir-print-op-generic | dl-opt | FileCheck %s

// Every operation, type and attribute of `accelerator` in its pretty form, in both directions.

// CHECK: #target = #accelerator.target<{
// CHECK-SAME: name = "small"
#target = #accelerator.target<{
  name = "small", "clock-mhz" = 100, cores = {columns = 2},
  memory = [{name = "dram", kind = "dram", size = "1 MiB", bandwidth = 8},
            {name = "sp", kind = "scratchpad", size = "8 KiB", bandwidth = 16, alignment = 16},
            {name = "acc", kind = "accumulator", size = "2 KiB", bandwidth = 64}],
  matrix = {rows = 4, columns = 4, dataflow = "weight-stationary", types = ["i8*i8->i32"],
            lhs = "sp", rhs = "sp", accumulator = "acc"},
  vector = {lanes = 4, types = ["i8", "i32", "f32"], memories = ["sp", "acc"],
            ops = ["add", "relu", "reduce-max", "requantize", "dequantize", "pool-max", "copy"]},
  dma = {bandwidth = 8, pad = true, dimensions = 3}}>
#dram = #accelerator.memory<"dram">
#sp = #accelerator.memory<"sp">
#acc = #accelerator.memory<"acc">

// CHECK-LABEL: func.func @everything
// CHECK:       accelerator.launch #target(%{{.*}}, %{{.*}}) : (tensor<4x4xi8>, tensor<4x1xf32>) -> (tensor<6x4xi8>, tensor<4x4xf32>) {
// CHECK:       accelerator.alloc : memref<4x4xi8, #accelerator.memory<"dram">>
// CHECK:       accelerator.core 0 {
// CHECK:       accelerator.ready
// CHECK:       accelerator.alloc at 16 : memref<4x4xi8, #accelerator.memory<"sp">>
// CHECK:       accelerator.dma_start %{{.*}} to %{{.*}} after %{{.*}} : memref<4x4xi8, #accelerator.memory<"dram">> to memref<4x4xi8, #accelerator.memory<"sp">>
// CHECK:       accelerator.dma_start %{{.*}} to %{{.*}} pad [1, 0] [1, 0] with 0 : i8 : memref<4x4xi8, #accelerator.memory<"dram">> to memref<6x4xi8, #accelerator.memory<"sp">>
// CHECK:       accelerator.wait %{{.*}}, %{{.*}}
// CHECK:       accelerator.matmul_tile %{{.*}}, %{{.*}} to %{{.*}} : memref<4x4xi8, #accelerator.memory<"sp">>, memref<4x4xi8, #accelerator.memory<"sp">> to memref<4x4xi32, #accelerator.memory<"acc">>
// CHECK:       accelerator.matmul_tile %{{.*}}, %{{.*}} to %{{.*}} accumulate %{{.*}} after %{{.*}} :
// CHECK:       accelerator.binary{{[[:space:]]+}}add %{{.*}}, %{{.*}} to %{{.*}} :
// CHECK:       accelerator.unary{{[[:space:]]+}}relu %{{.*}} to %{{.*}} :
// CHECK:       accelerator.reduce{{[[:space:]]+}}max %{{.*}} to %{{.*}} : memref<4x4xi32, #accelerator.memory<"acc">> to memref<4x1xi32, #accelerator.memory<"acc">>
// CHECK:       accelerator.pool{{[[:space:]]+}}max %{{.*}} to %{{.*}} image [2, 2] window [2, 2] strides [1, 1] :
// CHECK:       accelerator.requantize %{{.*}} to %{{.*}} zero_point 3 scale 5.000000e-01 :
// CHECK:       accelerator.requantize %{{.*}} to %{{.*}} zero_point 0 fixed [1073741824, 1] :
// CHECK:       accelerator.dequantize %{{.*}} to %{{.*}} zero_point -1 scales %{{.*}} : memref<4x1xf32, #accelerator.memory<"sp">> :
// CHECK:       accelerator.dealloc
// CHECK:       accelerator.barrier
// CHECK:       accelerator.core 1 {
func.func @everything(%x: tensor<4x4xi8>, %s: tensor<4x1xf32>) -> (tensor<6x4xi8>, tensor<4x4xf32>) {
  %y:2 = accelerator.launch #target(%x, %s) : (tensor<4x4xi8>, tensor<4x1xf32>) -> (tensor<6x4xi8>, tensor<4x4xf32>) {
  ^bb0(%in: memref<4x4xi8, #dram>, %factors: memref<4x1xf32, #dram>, %out: memref<6x4xi8, #dram>, %floats: memref<4x4xf32, #dram>):
    %more = arith.constant true
    %temporary = accelerator.alloc : memref<4x4xi8, #dram>
    accelerator.core 0 {
      %none = accelerator.ready
      %a = accelerator.alloc at 16 : memref<4x4xi8, #sp>
      %padded = accelerator.alloc at 32 : memref<6x4xi8, #sp>
      %scales = accelerator.alloc at 64 : memref<4x1xf32, #sp>
      %pixel = accelerator.alloc at 96 : memref<1x4xi8, #sp>
      %sums = accelerator.alloc at 0 : memref<4x4xi32, #acc>
      %row = accelerator.alloc at 64 : memref<4x1xi32, #acc>
      %f = accelerator.alloc at 128 : memref<4x4xf32, #acc>
      %t0 = accelerator.dma_start %in to %a after %none : memref<4x4xi8, #dram> to memref<4x4xi8, #sp>
      %t1 = accelerator.dma_start %in to %padded pad [1, 0] [1, 0] with 0 : i8 : memref<4x4xi8, #dram> to memref<6x4xi8, #sp>
      %t2 = accelerator.dma_start %factors to %scales : memref<4x1xf32, #dram> to memref<4x1xf32, #sp>
      accelerator.wait %t0, %t2
      %t3 = accelerator.matmul_tile %a, %a to %sums : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xi32, #acc>
      %t4 = accelerator.matmul_tile %a, %a to %sums accumulate %more after %t3 : memref<4x4xi8, #sp>, memref<4x4xi8, #sp> to memref<4x4xi32, #acc>
      %t5 = accelerator.binary add %sums, %sums to %sums : memref<4x4xi32, #acc>, memref<4x4xi32, #acc> to memref<4x4xi32, #acc>
      %t6 = accelerator.unary relu %sums to %sums : memref<4x4xi32, #acc> to memref<4x4xi32, #acc>
      %t7 = accelerator.reduce max %sums to %row : memref<4x4xi32, #acc> to memref<4x1xi32, #acc>
      %t8 = accelerator.pool max %a to %pixel image [2, 2] window [2, 2] strides [1, 1] : memref<4x4xi8, #sp> to memref<1x4xi8, #sp>
      %t9 = accelerator.requantize %sums to %a zero_point 3 scale 5.000000e-01 : memref<4x4xi32, #acc> to memref<4x4xi8, #sp>
      %t10 = accelerator.requantize %sums to %a zero_point 0 fixed [1073741824, 1] : memref<4x4xi32, #acc> to memref<4x4xi8, #sp>
      %t11 = accelerator.dequantize %a to %f zero_point -1 scales %scales : memref<4x1xf32, #sp> : memref<4x4xi8, #sp> to memref<4x4xf32, #acc>
      %t12 = accelerator.dma_start %padded to %out after %t1 : memref<6x4xi8, #sp> to memref<6x4xi8, #dram>
      accelerator.dealloc %padded : memref<6x4xi8, #sp>
    }
    accelerator.barrier
    accelerator.core 1 {
      %none = accelerator.ready
    }
  }
  return %y#0, %y#1 : tensor<6x4xi8>, tensor<4x4xf32>
}
