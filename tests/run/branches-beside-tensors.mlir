// A loop made of branches may stand beside functions on tensors.

// RUN: dl-run %s --backend=%{back-end} --entry=twice --input=[1,2] --input=true | FileCheck %s --check-prefix=TWICE
// RUN: dl-run %s --backend=%{back-end} --entry=steps --input=7 | FileCheck %s --check-prefix=STEPS

// TWICE: [2. 4.]
func.func @twice(%x: tensor<2xf32>, %ok: i1) -> tensor<2xf32> {
  cf.assert %ok, "not so"
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// 0, 3, 6, 9.
// STEPS: 9
func.func @steps(%limit: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  cf.br ^loop(%c0 : i32)
^loop(%i: i32):
  %next = arith.addi %i, %c3 : i32
  %again = arith.cmpi slt, %next, %limit : i32
  cf.cond_br %again, ^loop(%next : i32), ^end
^end:
  return %next : i32
}
