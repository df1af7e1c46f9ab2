// A gather under a mask, with a mask of its own: lanes 0 to 3 are on in both, in neither, in the outer, and in its own one.

// RUN: dl-run %s --backend=%{back-end} | FileCheck %s
// RUN: dl-run %s --backend=interpreter | FileCheck %s
// RUN: dl-run %s --pass-pipeline='builtin.module(cpu-pipeline{vectorize=false})' | FileCheck %s

// CHECK:      float32 [4]
// CHECK-NEXT: 13. -2. -1. -2.
func.func @main() -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %numbers = arith.constant dense<[10.0, 11.0, 12.0, 13.0]> : tensor<4xf32>
  %buffer = bufferization.to_buffer %numbers : tensor<4xf32> to memref<4xf32>
  %indices = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
  %outer = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %own = arith.constant dense<[true, false, false, true]> : vector<4xi1>
  %ones = arith.constant dense<-1.0> : vector<4xf32>
  %twos = arith.constant dense<-2.0> : vector<4xf32>
  %0 = vector.mask %outer, %twos {
    vector.gather %buffer[%c0] [%indices], %own, %ones : memref<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %1 = vector.transfer_write %0, %empty[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %1 : tensor<4xf32>
}
