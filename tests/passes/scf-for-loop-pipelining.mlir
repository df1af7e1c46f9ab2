// RUN: dl-opt %s --scf-for-loop-pipelining | FileCheck %s
// RUN: dl-opt %s --scf-for-loop-pipelining="distance=2" | FileCheck %s --check-prefix=TWO

// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[A:[a-z0-9]+]]: memref<64xf32>)
// CHECK: %[[FIRST:.+]] = memref.load %[[A]][%{{.+}}]
// CHECK: %[[R:.+]]:2 = scf.for %[[I:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[V:.+]] = %[[FIRST]]) -> (f32, f32) {
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 4 : index
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[I]], %[[ONE]] : index
// CHECK-NEXT: %[[AT:.+]] = arith.addi %[[NEXT]], %{{.+}} : index
// CHECK-NEXT: %[[AHEAD:.+]] = memref.load %[[A]][%[[AT]]]
// CHECK: %[[NEW:.+]] = arith.addf %[[ACC]], %[[V]] : f32
// CHECK-NEXT: scf.yield %[[NEW]], %[[AHEAD]] : f32, f32
// CHECK: %[[LAST:.+]] = arith.addf %[[R]]#0, %[[R]]#1 : f32
// CHECK-NEXT: return %[[LAST]] : f32
// TWO-LABEL: func.func @sum
// TWO: memref.load
// TWO: memref.load
// TWO: %[[R:.+]]:3 = scf.for {{.+}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[V:.+]] = %{{.+}}, %[[W:.+]] = %{{.+}}) -> (f32, f32, f32) {
// TWO: arith.constant 8 : index
// TWO: %[[AHEAD:.+]] = memref.load
// TWO: %[[NEW:.+]] = arith.addf %[[ACC]], %[[V]] : f32
// TWO-NEXT: scf.yield %[[NEW]], %[[W]], %[[AHEAD]] : f32, f32, f32
// TWO: %[[NEXT:.+]] = arith.addf %[[R]]#0, %[[R]]#1 : f32
// TWO: %[[LAST:.+]] = arith.addf %[[NEXT]], %[[R]]#2 : f32
// TWO: return %[[LAST]] : f32
func.func @sum(%a: memref<64xf32>) -> f32 {
  %one = arith.constant 1 : index
  %start = arith.constant 2 : index
  %end = arith.constant 50 : index
  %step = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %start to %end step %step iter_args(%acc = %zero) -> (f32) {
    %at = arith.addi %i, %one : index
    %v = memref.load %a[%at] : memref<64xf32>
    %new = arith.addf %acc, %v : f32
    scf.yield %new : f32
  }
  return %sum : f32
}

// What the function has allocated is not what it was given.
// CHECK-LABEL: func.func @to_own
// CHECK: %[[V:.+]] = vector.load
// CHECK: scf.for {{.+}} iter_args(%[[W:.+]] = %[[V]]) -> (vector<4xf32>) {
// CHECK: %[[AHEAD:.+]] = vector.load
// CHECK: vector.store %[[W]], %{{.+}}[%{{.+}}]
// CHECK: scf.yield %[[AHEAD]]
// CHECK: vector.store
func.func @to_own(%a: memref<64xf32>) -> memref<64xf32> {
  %start = arith.constant 0 : index
  %end = arith.constant 64 : index
  %step = arith.constant 4 : index
  %b = memref.alloc() : memref<64xf32>
  scf.for %i = %start to %end step %step {
    %v = vector.load %a[%i] : memref<64xf32>, vector<4xf32>
    vector.store %v, %b[%i] : memref<64xf32>, vector<4xf32>
  }
  return %b : memref<64xf32>
}

// Memory that the loop writes to, or that it may write to.
// CHECK-LABEL: func.func @written
// CHECK-NOT: iter_args
// CHECK: return
func.func @written(%a: memref<64xf32>, %b: memref<64xf32>) {
  %start = arith.constant 0 : index
  %end = arith.constant 63 : index
  %step = arith.constant 1 : index
  scf.for %i = %start to %end step %step {
    %v = memref.load %a[%i] : memref<64xf32>
    %next = arith.addi %i, %step : index
    memref.store %v, %a[%next] : memref<64xf32>
  }
  scf.for %i = %start to %end step %step {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %b[%i] : memref<64xf32>
  }
  return
}

// An unknown number of iterations, too few of them, and places that only the iteration before knows.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.for %{{[a-z0-9_]+}} = %{{[a-z0-9_]+}} to %{{[a-z0-9_]+}} step %{{[a-z0-9_]+}} iter_args(%{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}) -> (f32)
// CHECK: scf.for %{{[a-z0-9_]+}} = %{{[a-z0-9_]+}} to %{{[a-z0-9_]+}} step %{{[a-z0-9_]+}} iter_args(%{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}) -> (f32)
// CHECK: scf.for %{{[a-z0-9_]+}} = %{{[a-z0-9_]+}} to %{{[a-z0-9_]+}} step %{{[a-z0-9_]+}} iter_args(%{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}) -> (index)
func.func @unknown(%a: memref<64xf32>, %n: index, %links: memref<64xindex>) -> (f32, f32, index) {
  %start = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %start to %n step %step iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %a[%i] : memref<64xf32>
    %new = arith.addf %acc, %v : f32
    scf.yield %new : f32
  }
  %1 = scf.for %i = %start to %step step %step iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %a[%i] : memref<64xf32>
    %new = arith.addf %acc, %v : f32
    scf.yield %new : f32
  }
  %2 = scf.for %i = %start to %end step %step iter_args(%at = %start) -> (index) {
    %next = memref.load %links[%at] : memref<64xindex>
    scf.yield %next : index
  }
  return %0, %1, %2 : f32, f32, index
}

// What comes after a call may never be reached, and a call may write anywhere.
// CHECK-LABEL: func.func @calls
// CHECK-NOT: iter_args
// CHECK: return
func.func @calls(%a: memref<64xf32>) {
  %start = arith.constant 0 : index
  %end = arith.constant 64 : index
  %step = arith.constant 1 : index
  scf.for %i = %start to %end step %step {
    func.call @anything() : () -> ()
    %v = memref.load %a[%i] : memref<64xf32>
    %w = arith.negf %v : f32
  }
  return
}
func.func private @anything()
