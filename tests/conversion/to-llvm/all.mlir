// RUN: dl-opt %s --convert-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-to-llvm=filter-dialects=arith | FileCheck %s --check-prefix=ARITH

// CHECK-LABEL: llvm.func @sum
//   CHECK-NOT:   unrealized_conversion_cast
//       CHECK:   llvm.extractvalue %{{.*}}[3, 0]
//       CHECK:   llvm.br ^[[LOOP:.*]](%{{.*}}, %{{.*}} : i64, f32)
//       CHECK: ^[[LOOP]](%[[I:.*]]: i64, %[[ACC:.*]]: f32):
//       CHECK:   llvm.icmp "slt" %[[I]]
//       CHECK:   llvm.load
//       CHECK:   llvm.fadd %[[ACC]]
//       CHECK:   llvm.return %[[ACC]] : f32
// ARITH-LABEL: func.func @sum
//       ARITH:   memref.dim
//       ARITH:   llvm.fadd
func.func @sum(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?xf32>
  cf.br ^loop(%c0, %zero : index, f32)
^loop(%i: index, %acc: f32):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %x = memref.load %m[%i] : memref<?xf32>
  %sum = arith.addf %acc, %x : f32
  %next = arith.addi %i, %c1 : index
  cf.br ^loop(%next, %sum : index, f32)
^end:
  return %acc : f32
}
