// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(tensor-schedule))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULED
// RUN: dl-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},buffer-results-to-out-params,buffer-deallocation-pipeline,func.func(optimize-allocation-liveness,plan-memory))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(tensor-schedule),one-shot-bufferize{bufferize-function-boundaries},buffer-results-to-out-params,buffer-deallocation-pipeline,func.func(optimize-allocation-liveness,plan-memory))' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEW

// Four towers beside each other, each of which makes 64 KiB and takes a kilobyte of that, and their sum. Level by level, as importers write them,
// all four large tensors are alive when the first small one is made: 4 * 65536 + 1024 bytes. Tower by tower it is one large one, the sum of the
// towers before, and the small one that is being made: 65536 + 2 * 1024.
// SCHEDULED: 1 num-reordered
// SCHEDULED: 67584 peak-bytes
// SCHEDULED: 263168 peak-bytes-before

// So it is in memory, but for the sum, which lies in the result and not among the buffers of the function.
// OLD: 262144 bytes
// NEW: 66560 bytes
func.func @towers(%x: f32, %y: f32, %z: f32, %w: f32) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %large_a = tensor.empty() : tensor<256x64xf32>
  %a = linalg.fill ins(%x : f32) outs(%large_a : tensor<256x64xf32>) -> tensor<256x64xf32>
  %large_b = tensor.empty() : tensor<256x64xf32>
  %b = linalg.fill ins(%y : f32) outs(%large_b : tensor<256x64xf32>) -> tensor<256x64xf32>
  %large_c = tensor.empty() : tensor<256x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%large_c : tensor<256x64xf32>) -> tensor<256x64xf32>
  %large_d = tensor.empty() : tensor<256x64xf32>
  %d = linalg.fill ins(%w : f32) outs(%large_d : tensor<256x64xf32>) -> tensor<256x64xf32>
  %small_a = tensor.empty() : tensor<256xf32>
  %zeros_a = linalg.fill ins(%zero : f32) outs(%small_a : tensor<256xf32>) -> tensor<256xf32>
  %sum_a = linalg.reduce { arith.addf } ins(%a : tensor<256x64xf32>) outs(%zeros_a : tensor<256xf32>) dimensions = [1]
  %small_b = tensor.empty() : tensor<256xf32>
  %zeros_b = linalg.fill ins(%zero : f32) outs(%small_b : tensor<256xf32>) -> tensor<256xf32>
  %sum_b = linalg.reduce { arith.addf } ins(%b : tensor<256x64xf32>) outs(%zeros_b : tensor<256xf32>) dimensions = [1]
  %small_c = tensor.empty() : tensor<256xf32>
  %zeros_c = linalg.fill ins(%zero : f32) outs(%small_c : tensor<256xf32>) -> tensor<256xf32>
  %sum_c = linalg.reduce { arith.addf } ins(%c : tensor<256x64xf32>) outs(%zeros_c : tensor<256xf32>) dimensions = [1]
  %small_d = tensor.empty() : tensor<256xf32>
  %zeros_d = linalg.fill ins(%zero : f32) outs(%small_d : tensor<256xf32>) -> tensor<256xf32>
  %sum_d = linalg.reduce { arith.addf } ins(%d : tensor<256x64xf32>) outs(%zeros_d : tensor<256xf32>) dimensions = [1]
  %ab = linalg.add ins(%sum_a, %sum_b : tensor<256xf32>, tensor<256xf32>) outs(%sum_a : tensor<256xf32>) -> tensor<256xf32>
  %abc = linalg.add ins(%ab, %sum_c : tensor<256xf32>, tensor<256xf32>) outs(%ab : tensor<256xf32>) -> tensor<256xf32>
  %abcd = linalg.add ins(%abc, %sum_d : tensor<256xf32>, tensor<256xf32>) outs(%abc : tensor<256xf32>) -> tensor<256xf32>
  return %abcd : tensor<256xf32>
}
