// RUN: dl-opt %s --convert-arith-to-llvm | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() -> (i32, f32, vector<2xi32>) {
  // CHECK: llvm.mlir.constant(-1 : i32) : i32
  // CHECK: llvm.mlir.constant(0xFF800000 : f32) : f32
  // CHECK: llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
  // CHECK: llvm.mlir.constant(5 : index) : i64
  %0 = arith.constant -1 : i32
  %1 = arith.constant 0xFF800000 : f32
  %2 = arith.constant dense<[1, 2]> : vector<2xi32>
  %3 = arith.constant 5 : index
  return %0, %1, %2 : i32, f32, vector<2xi32>
}

// CHECK-LABEL: func.func @integers
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @integers(%a: i32, %b: i32) {
  // CHECK-NEXT: llvm.add %[[A]], %[[B]] overflow<nsw, nuw> : i32
  // CHECK-NEXT: llvm.sub %[[A]], %[[B]] : i32
  // CHECK-NEXT: llvm.sdiv exact %[[A]], %[[B]] : i32
  // CHECK-NEXT: llvm.urem %[[A]], %[[B]] : i32
  // CHECK-NEXT: llvm.ashr %[[A]], %[[B]] : i32
  // CHECK-NEXT: llvm.intr.smax(%[[A]], %[[B]]) : (i32, i32) -> i32
  // CHECK-NEXT: llvm.icmp "ult" %[[A]], %[[B]] : i32
  // CHECK-NEXT: llvm.trunc %[[A]] overflow<nsw> : i32 to i16
  // CHECK-NEXT: llvm.sext %[[A]] : i32 to i64
  // CHECK-NEXT: llvm.bitcast %[[A]] : i32 to f32
  // CHECK-NEXT: llvm.sitofp %[[A]] : i32 to f64
  %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %1 = arith.subi %a, %b : i32
  %2 = arith.divsi %a, %b exact : i32
  %3 = arith.remui %a, %b : i32
  %4 = arith.shrsi %a, %b : i32
  %5 = arith.maxsi %a, %b : i32
  %6 = arith.cmpi ult, %a, %b : i32
  %7 = arith.trunci %a overflow<nsw> : i32 to i16
  %8 = arith.extsi %a : i32 to i64
  %9 = arith.bitcast %a : i32 to f32
  %10 = arith.sitofp %a : i32 to f64
  return
}

// CHECK-LABEL: func.func @floats
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32)
func.func @floats(%x: f32, %y: f32) {
  // CHECK-NEXT: llvm.fadd %[[X]], %[[Y]] {fastmathFlags = #llvm.fastmath<fast>} : f32
  // CHECK-NEXT: llvm.fmul %[[X]], %[[Y]] {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  // CHECK-NEXT: llvm.fneg %[[X]] : f32
  // CHECK-NEXT: llvm.intr.maximum(%[[X]], %[[Y]]) : (f32, f32) -> f32
  // CHECK-NEXT: llvm.intr.minnum(%[[X]], %[[Y]]) : (f32, f32) -> f32
  // CHECK-NEXT: llvm.fcmp "ueq" %[[X]], %[[Y]] : f32
  // CHECK-NEXT: llvm.fpext %[[X]] : f32 to f64
  // CHECK-NEXT: llvm.fptrunc %[[X]] : f32 to bf16
  // CHECK-NEXT: llvm.intr.experimental.constrained.fptrunc %[[X]] towardzero ignore : f32 to f16
  %0 = arith.addf %x, %y fastmath<fast> : f32
  %1 = arith.mulf %x, %y fastmath<contract, nnan> : f32
  %2 = arith.negf %x : f32
  %3 = arith.maximumf %x, %y : f32
  %4 = arith.minnumf %x, %y : f32
  %5 = arith.cmpf ueq, %x, %y : f32
  %6 = arith.extf %x : f32 to f64
  %7 = arith.truncf %x : f32 to bf16
  %8 = arith.truncf %x toward_zero : f32 to f16
  return
}

// A division that rounds up or down is taken apart.
// CHECK-LABEL: func.func @floor_division
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @floor_division(%a: i32, %b: i32) -> i32 {
  // CHECK:      %[[Q:.*]] = llvm.sdiv %[[A]], %[[B]]
  // CHECK-NEXT: %[[P:.*]] = llvm.mul %[[Q]], %[[B]]
  // CHECK-NEXT: %[[INEXACT:.*]] = llvm.icmp "ne" %[[A]], %[[P]]
  // CHECK:      %[[HIGH:.*]] = llvm.and %[[INEXACT]], %{{.*}} : i1
  // CHECK:      %[[R:.*]] = llvm.select %[[HIGH]], %{{.*}}, %[[Q]] : i1, i32
  // CHECK:      return %[[R]]
  %0 = arith.floordivsi %a, %b : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @extended
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @extended(%a: i32, %b: i32) -> (i32, i1, i32, i32) {
  // CHECK: %[[BOTH:.*]] = "llvm.intr.uadd.with.overflow"(%[[A]], %[[B]]) : (i32, i32) -> !llvm.struct<(i32, i1)>
  // CHECK: %[[SUM:.*]] = llvm.extractvalue %[[BOTH]][0]
  // CHECK: %[[CARRY:.*]] = llvm.extractvalue %[[BOTH]][1]
  // CHECK: %[[WIDE:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[WIDE]] : i64 to i32
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[WIDE]], %{{.*}} : i64
  // CHECK: %[[HIGH:.*]] = llvm.trunc %[[SHIFTED]] : i64 to i32
  // CHECK: return %[[SUM]], %[[CARRY]], %[[LOW]], %[[HIGH]]
  %s, %c = arith.addui_extended %a, %b : i32, i1
  %l, %h = arith.mulsi_extended %a, %b : i32
  return %s, %c, %l, %h : i32, i1, i32, i32
}
