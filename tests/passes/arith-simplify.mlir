// RUN: dl-opt %s --arith-simplify --oracle=each-pass | FileCheck %s

// a*x + b*x + c*x is (a + b + c)*x.
// CHECK-LABEL: func.func @factor
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[X:.*]]: i32)
//       CHECK:   %[[AB:.*]] = arith.addi %[[A]], %[[B]] : i32
//       CHECK:   %[[ABC:.*]] = arith.addi %[[AB]], %[[C]] : i32
//       CHECK:   %[[R:.*]] = arith.muli %[[ABC]], %[[X]] : i32
//       CHECK:   return %[[R]]
func.func @factor(%a: i32, %b: i32, %c: i32, %x: i32) -> i32 {
  %0 = arith.muli %a, %x overflow<nsw> : i32
  %1 = arith.muli %x, %b : i32
  %2 = arith.muli %c, %x : i32
  %3 = arith.addi %0, %1 : i32
  %4 = arith.addi %3, %2 : i32
  return %4 : i32
}

// CHECK-LABEL: func.func @factor_of_tensors
//  CHECK-SAME:   (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[AB:.*]] = arith.subf %[[A]], %[[B]] fastmath<reassoc> : tensor<4xf32>
//       CHECK:   arith.mulf %[[AB]], %[[X]] fastmath<reassoc> : tensor<4xf32>
func.func @factor_of_tensors(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %a, %x fastmath<reassoc,nnan> : tensor<4xf32>
  %1 = arith.mulf %b, %x fastmath<reassoc> : tensor<4xf32>
  %2 = arith.subf %0, %1 fastmath<reassoc> : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Products are rounded, and one of them is needed.
// CHECK-LABEL: func.func @no_factor
// CHECK-COUNT-2: arith.mulf
//         CHECK: arith.addf
// CHECK-COUNT-2: arith.muli
//         CHECK: arith.addi
func.func @no_factor(%a: f32, %b: f32, %x: f32, %i: i32, %j: i32) -> (f32, i32, i32) {
  %0 = arith.mulf %a, %x fastmath<reassoc> : f32
  %1 = arith.mulf %b, %x : f32
  %2 = arith.addf %0, %1 fastmath<reassoc> : f32
  %3 = arith.muli %i, %j : i32
  %4 = arith.muli %i, %i : i32
  %5 = arith.addi %3, %4 : i32
  return %2, %5, %3 : f32, i32, i32
}

// CHECK-LABEL: func.func @powers
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : i32
//   CHECK-DAG:   %[[THREE:.*]] = arith.constant 3 : i32
//   CHECK-DAG:   %[[SEVEN:.*]] = arith.constant dense<7> : vector<2xi32>
//       CHECK:   arith.shli %{{.*}}, %[[ONE]] : i32
//       CHECK:   arith.shrui %{{.*}}, %[[THREE]] : i32
//       CHECK:   arith.andi %{{.*}}, %[[SEVEN]] : vector<2xi32>
//       CHECK:   arith.divsi
//       CHECK:   arith.muli
func.func @powers(%x: i32, %v: vector<2xi32>) -> (i32, i32, vector<2xi32>, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %c8 = arith.constant 8 : i32
  %v8 = arith.constant dense<8> : vector<2xi32>
  %0 = arith.muli %x, %c2 : i32
  %1 = arith.divui %x, %c8 : i32
  %2 = arith.remui %v, %v8 : vector<2xi32>
  %3 = arith.divsi %x, %c8 : i32
  %4 = arith.muli %x, %c6 : i32
  return %0, %1, %2, %3, %4 : i32, i32, vector<2xi32>, i32, i32
}

// CHECK-LABEL: func.func @quotients
//       CHECK:   %[[C:.*]] = arith.constant -1.250000e-01 : f32
//       CHECK:   arith.mulf %{{.*}}, %[[C]] : f32
//       CHECK:   arith.divf
func.func @quotients(%x: f32) -> (f32, f32) {
  %c8 = arith.constant -8.0 : f32
  %c3 = arith.constant 3.0 : f32
  %0 = arith.divf %x, %c8 : f32
  %1 = arith.divf %x, %c3 : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @negations
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32)
//       CHECK:   arith.subf %[[X]], %[[Y]] : f32
//       CHECK:   arith.subf %[[Y]], %[[X]] : f32
//       CHECK:   arith.addf %[[X]], %[[Y]] : f32
func.func @negations(%x: f32, %y: f32) -> (f32, f32, f32) {
  %nx = arith.negf %x : f32
  %ny = arith.negf %y : f32
  %0 = arith.addf %x, %ny : f32
  %1 = arith.addf %nx, %y : f32
  %2 = arith.subf %x, %ny : f32
  return %0, %1, %2 : f32, f32, f32
}

// NaN is neither less nor not less.
// CHECK-LABEL: func.func @comparisons
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32)
//       CHECK:   %[[C:.*]] = arith.constant -2.000000e+00 : f32
//       CHECK:   arith.cmpf ogt, %[[X]], %[[Y]] : f32
//       CHECK:   arith.cmpf ole, %[[X]], %[[C]] : f32
//       CHECK:   arith.cmpf uge, %[[X]], %[[Y]] : f32
func.func @comparisons(%x: f32, %y: f32) -> (i1, i1, i1) {
  %true = arith.constant true
  %c2 = arith.constant 2.0 : f32
  %nx = arith.negf %x : f32
  %ny = arith.negf %y : f32
  %0 = arith.cmpf olt, %nx, %ny : f32
  %1 = arith.cmpf oge, %nx, %c2 : f32
  %less = arith.cmpf olt, %x, %y : f32
  %2 = arith.xori %less, %true : i1
  return %0, %1, %2 : i1, i1, i1
}

// Infinity less itself is no number.
// CHECK-LABEL: func.func @itself
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK:   %[[D:.*]] = arith.subf
//       CHECK:   return %[[ZERO]], %[[D]]
func.func @itself(%x: f32) -> (f32, f32) {
  %0 = arith.subf %x, %x fastmath<nnan,ninf> : f32
  %1 = arith.subf %x, %x fastmath<nnan> : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @constants
//   CHECK-DAG:   %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
//       CHECK:   arith.mulf %{{.*}}, %[[SIX]] fastmath<reassoc> : f32
// CHECK-COUNT-2: arith.addf
func.func @constants(%x: f32) -> (f32, f32) {
  %c2 = arith.constant 2.0 : f32
  %c3 = arith.constant 3.0 : f32
  %0 = arith.mulf %x, %c2 fastmath<reassoc> : f32
  %1 = arith.mulf %0, %c3 fastmath<reassoc> : f32
  %2 = arith.addf %x, %c2 : f32
  %3 = arith.addf %2, %c3 : f32
  return %1, %3 : f32, f32
}
