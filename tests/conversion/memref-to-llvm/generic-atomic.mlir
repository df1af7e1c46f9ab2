// RUN: dl-opt %s --convert-to-llvm | FileCheck %s

// Compares and exchanges until nobody else came in between.
// CHECK-LABEL: llvm.func @generic_atomic
func.func @generic_atomic(%m: memref<?xi32>, %i: index) -> i32 {
  // CHECK:      %[[FIRST:.*]] = llvm.load %[[P:.*]] : !llvm.ptr -> i32
  // CHECK-NEXT: llvm.br ^[[LOOP:.*]](%[[FIRST]] : i32)
  // CHECK-NEXT: ^[[LOOP]](%[[OLD:.*]]: i32):
  // CHECK:      %[[NEW:.*]] = llvm.add %[[OLD]]
  // CHECK-NEXT: %[[PAIR:.*]] = llvm.cmpxchg %[[P]], %[[OLD]], %[[NEW]] acq_rel monotonic : !llvm.ptr, i32
  // CHECK-NEXT: %[[SEEN:.*]] = llvm.extractvalue %[[PAIR]][0]
  // CHECK-NEXT: %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
  // CHECK-NEXT: llvm.cond_br %[[DONE]], ^[[END:.*]], ^[[LOOP]](%[[SEEN]] : i32)
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT: llvm.return %[[SEEN]]
  %c1 = arith.constant 1 : i32
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xi32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %c1 : i32
    memref.atomic_yield %new : i32
  }
  return %0 : i32
}

// Floats are exchanged as integers: LLVM has no other way.
// CHECK-LABEL: llvm.func @generic_atomic_float
func.func @generic_atomic_float(%m: memref<?xf32>, %i: index) -> f32 {
  // CHECK:      %[[FIRST:.*]] = llvm.load %[[P:.*]] : !llvm.ptr -> i32
  // CHECK-NEXT: llvm.br ^[[LOOP:.*]](%[[FIRST]] : i32)
  // CHECK-NEXT: ^[[LOOP]](%[[WORD:.*]]: i32):
  // CHECK-NEXT: %[[OLD:.*]] = llvm.bitcast %[[WORD]] : i32 to f32
  // CHECK-NEXT: %[[NEW:.*]] = llvm.fadd %[[OLD]], %[[OLD]] : f32
  // CHECK-NEXT: %[[BITS:.*]] = llvm.bitcast %[[NEW]] : f32 to i32
  // CHECK-NEXT: %[[PAIR:.*]] = llvm.cmpxchg %[[P]], %[[WORD]], %[[BITS]] acq_rel monotonic : !llvm.ptr, i32
  // CHECK-NEXT: %[[SEEN:.*]] = llvm.extractvalue %[[PAIR]][0]
  // CHECK-NEXT: %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
  // CHECK-NEXT: %[[FOUND:.*]] = llvm.bitcast %[[SEEN]] : i32 to f32
  // CHECK-NEXT: llvm.cond_br %[[DONE]], ^[[END:.*]], ^[[LOOP]](%[[SEEN]] : i32)
  // CHECK-NEXT: ^[[END]]:
  // CHECK-NEXT: llvm.return %[[FOUND]] : f32
  %0 = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%old: f32):
    %new = arith.addf %old, %old : f32
    memref.atomic_yield %new : f32
  }
  return %0 : f32
}
