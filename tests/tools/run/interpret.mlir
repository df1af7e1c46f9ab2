// The reference interpreter runs a program as it is. Values by hand.

// RUN: dl-run %s --interpret --entry=sum --input=[1,2,3] --input=[10,20,30] | FileCheck %s --check-prefix=SUM
//      SUM: float32 [3]
// SUM-NEXT: [11. 22. 33.]

// RUN: dl-run %s --interpret --entry=fill --input=7 --input=[0,0,0]:i32 | FileCheck %s --check-prefix=FILL
//      FILL: int32 [3]
// FILL-NEXT: [7 7 7]

// RUN: not dl-run %s --interpret --entry=divide --input=1 --input=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: interpret.mlir:[[#]]:{{.*}} error: 'arith.divsi' op undefined behaviour: division by zero

// RUN: not dl-run %s --interpret --entry=poison --input=127 2>&1 | FileCheck %s --check-prefix=POISON
// POISON: error: function 'poison': result 1: poison

// RUN: not dl-run %s --interpret --interpret-steps=100 --entry=spin 2>&1 | FileCheck %s --check-prefix=SPIN
// SPIN: error: 'cf.br' op stopped here: the program runs for more than 100 steps

func.func @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}

func.func @fill(%value: i32, %out: memref<3xi32>) {
  affine.for %i = 0 to 3 {
    affine.store %value, %out[%i] : memref<3xi32>
  }
  return
}

func.func @divide(%a: i32, %b: i32) -> i32 {
  %r = arith.divsi %a, %b : i32
  return %r : i32
}

func.func @poison(%a: i8) -> i8 {
  %one = arith.constant 1 : i8
  %r = arith.addi %a, %one overflow<nsw> : i8
  return %r : i8
}

func.func @spin() {
  cf.br ^again
^again:
  cf.br ^again
}
