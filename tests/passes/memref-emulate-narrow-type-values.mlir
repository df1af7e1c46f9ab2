// What is stored in packed buffers is loaded again: elements, vectors that begin anywhere in a byte, and parts of vectors under a mask. Element
// number k of three rows of five is k - 8 at first. Expected values by a calculation on plain lists.

// RUN: dl-opt %s --memref-emulate-narrow-type --lower-vector-multi-reduction -o %t && dl-run %t --interpret --input=1 | FileCheck %s
// RUN: dl-opt %s --memref-emulate-narrow-type='memref-load-bitwidth=32 disable-atomic-rmw' --lower-vector-multi-reduction -o %t && dl-run %t --interpret --input=1 | FileCheck %s
// RUN: dl-opt %s --memref-emulate-narrow-type=memref-load-bitwidth=64 --lower-vector-multi-reduction -o %t && dl-run %t --interpret --input=1 | FileCheck %s
// RUN: dl-run %s --interpret --input=1 | FileCheck %s
// RUN: dl-opt %s --memref-emulate-narrow-type --lower-vector-multi-reduction -o %t && dl-run %t --backend=llvm --input=1 | FileCheck %s
// REQUIRES: llvm

//      CHECK: int64 []
// CHECK-NEXT: 160
//      CHECK: int64 []
// CHECK-NEXT: 2595
//      CHECK: int64 []
// CHECK-NEXT: 194
//      CHECK: int64 []
// CHECK-NEXT: 10

memref.global "private" @elements : memref<3x5xi4> = dense<0>

// The sum of elements, each times its number from 1 on.
func.func private @sum(%m: memref<3x5xi4>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i64
  %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> i64 {
    %rows = scf.for %j = %c0 to %c5 step %c1 iter_args(%sum = %outer) -> i64 {
      %narrow = memref.load %m[%i, %j] : memref<3x5xi4>
      %value = arith.extsi %narrow : i4 to i64
      %row = arith.muli %i, %c5 : index
      %number = arith.addi %row, %j : index
      %next = arith.addi %number, %c1 : index
      %times = arith.index_cast %next : index to i64
      %term = arith.muli %value, %times : i64
      %new = arith.addi %sum, %term : i64
      scf.yield %new : i64
    }
    scf.yield %rows : i64
  }
  return %all : i64
}

func.func @main(%step: index) -> (i64, i64, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %m = memref.get_global @elements : memref<3x5xi4>
  scf.for %i = %c0 to %c3 step %step {
    scf.for %j = %c0 to %c5 step %step {
      %row = arith.muli %i, %c5 : index
      %number = arith.addi %row, %j : index
      %centred = arith.subi %number, %c8 : index
      %value = arith.index_cast %centred : index to i4
      memref.store %value, %m[%i, %j] : memref<3x5xi4>
    }
  }
  %stored = call @sum(%m) : (memref<3x5xi4>) -> i64

  // Vectors of four from both places in each row where they fit.
  %weights = arith.constant dense<[1, 10, 100, 1000]> : vector<4xi64>
  %vectors = scf.for %i = %c0 to %c3 step %step iter_args(%outer = %zero) -> i64 {
    %rows = scf.for %j = %c0 to %c2 step %step iter_args(%sum = %outer) -> i64 {
      %narrow = vector.load %m[%i, %j] : memref<3x5xi4>, vector<4xi4>
      %wide = arith.extsi %narrow : vector<4xi4> to vector<4xi64>
      %terms = arith.muli %wide, %weights : vector<4xi64>
      %new = vector.reduction <add>, %terms, %sum : vector<4xi64> into i64
      scf.yield %new : i64
    }
    scf.yield %rows : i64
  }

  // 7, -8 and 3 in the second row from its second element on.
  %three = arith.constant dense<[7, -8, 3]> : vector<3xi4>
  vector.store %three, %m[%step, %step] : memref<3x5xi4>, vector<3xi4>
  %after = call @sum(%m) : (memref<3x5xi4>) -> i64

  // The first and the third of the last three elements.
  %on = arith.constant dense<[true, false, true]> : vector<3xi1>
  %off = arith.constant dense<0> : vector<3xi4>
  %some = vector.maskedload %m[%c2, %c2], %on, %off : memref<3x5xi4>, vector<3xi1>, vector<3xi4> into vector<3xi4>
  %some_wide = arith.extsi %some : vector<3xi4> to vector<3xi64>
  %masked = vector.reduction <add>, %some_wide : vector<3xi64> into i64
  return %stored, %vectors, %after, %masked : i64, i64, i64, i64
}
