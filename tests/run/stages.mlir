// Programs on tensors, on buffers and with scalars, lowered on the way; values worked out by hand.

// RUN: dl-run %s --backend=%{back-end} --entry=sum --input=[1,2,3] --input=[10,20,30] | FileCheck %s --check-prefix=SUM
//      SUM: float32 [3]
// SUM-NEXT: [11. 22. 33.]

// RUN: dl-run %s --backend=%{back-end} --entry=both --input=[[1,-2],[3,4]] | FileCheck %s --check-prefix=BOTH
//      BOTH: float32 [2x2]
// BOTH-NEXT: {{\[\[1. 0.\]}}
// BOTH-NEXT: {{ \[3. 4.\]\]}}
// BOTH-NEXT: float32 [2x2]
// BOTH-NEXT: {{\[\[ 2. -4.\]}}
// BOTH-NEXT: {{ \[ 6.  8.\]\]}}

// Results go where each --output says.
// RUN: dl-run %s --backend=%{back-end} --entry=both --input=[[1,-2],[3,4]] --output=@%t-%{back-end}.npy --output=- | FileCheck %s --check-prefix=SECOND
// RUN: dl-run %s --backend=%{back-end} --entry=both --input=@%t-%{back-end}.npy --output=- --output=@%t-%{back-end}.npy | FileCheck %s --check-prefix=AGAIN
//  SECOND-NOT: 0.
//      SECOND: {{\[\[ 2. -4.\]}}
//      AGAIN: {{\[\[1. 0.\]}}
// AGAIN-NEXT: {{ \[3. 4.\]\]}}

// A function without results hands out the buffers that it may have written to.
// RUN: dl-run %s --backend=%{back-end} --entry=fill --input=7 --input=[0,0,0]:i32 | FileCheck %s --check-prefix=FILL
//      FILL: int32 [3]
// FILL-NEXT: [7 7 7]

// RUN: not dl-run %s --backend=%{back-end} --entry=fill --input=7 --input=[0,0]:i32 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: function 'fill': input 2 ([0,0]:i32): expected int32 [3], got int32 [2]

// RUN: not dl-run %s --backend=%{back-end} --entry=sum --input=[[1]] --input=[1] 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: function 'sum': input 1 ({{\[\[1\]\]}}): expected float32 [?], got float32 [1x1]

// RUN: dl-run %s --backend=%{back-end} --entry=power --input=3 --input=4 | FileCheck %s --check-prefix=POWER
//      POWER: int64 []
// POWER-NEXT: 81

// One file with all functions becomes one object.
// RUN: dl-translate %s --emit=obj -o %t-%{back-end}.o && grep -q power %t-%{back-end}.o

func.func @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

// max(x, 0) and 2 x.
func.func @both(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %relu = linalg.max ins(%x, %zero : tensor<2x2xf32>, tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %twice = linalg.add ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %relu, %twice : tensor<2x2xf32>, tensor<2x2xf32>
}

func.func @fill(%value: i32, %out: memref<3xi32>) {
  affine.for %i = 0 to 3 {
    affine.store %value, %out[%i] : memref<3xi32>
  }
  return
}

// base to the power of exponent.
func.func @power(%base: i64, %exponent: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %power = scf.for %i = %c0 to %exponent step %c1 iter_args(%p = %one) -> i64 {
    %next = arith.muli %p, %base : i64
    scf.yield %next : i64
  }
  return %power : i64
}
