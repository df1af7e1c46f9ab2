// RUN: dl-opt %s --vector-break-down-reduction | FileCheck %s --check-prefix=DOWN
// RUN: dl-opt %s --vector-break-down-reduction='assume-reassociation=true max-elements=1' | FileCheck %s --check-prefix=ONE
// RUN: dl-opt %s --vector-fold-chained-reductions | FileCheck %s --check-prefix=CHAIN
// RUN: dl-opt %s --vector-fold-chained-reductions=assume-reassociation=true | FileCheck %s --check-prefix=ASSUME

// The accumulator comes first: (acc + a) + b need not be (a + b) + acc.
// DOWN-LABEL: func.func @in_order
//  DOWN-SAME:   (%[[V:.*]]: vector<2xf32>, %[[ACC:.*]]: f32)
//   DOWN-DAG:   %[[A:.*]] = vector.extract %[[V]][0]
//   DOWN-DAG:   %[[B:.*]] = vector.extract %[[V]][1]
//       DOWN:   %[[FIRST:.*]] = arith.addf %[[ACC]], %[[A]] : f32
//       DOWN:   arith.addf %[[FIRST]], %[[B]] : f32
// ONE-LABEL: func.func @in_order
//       ONE:   vector.reduction
func.func @in_order(%v: vector<2xf32>, %acc: f32) -> f32 {
  %0 = vector.reduction <add>, %v, %acc : vector<2xf32> into f32
  return %0 : f32
}

// DOWN-LABEL: func.func @any_order
//  DOWN-SAME:   (%[[V:.*]]: vector<2xf32>, %[[ACC:.*]]: f32)
//       DOWN:   %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
//       DOWN:   arith.addf %[[SUM]], %[[ACC]] fastmath<reassoc> : f32
func.func @any_order(%v: vector<2xf32>, %acc: f32) -> f32 {
  %0 = vector.reduction <add>, %v, %acc fastmath<reassoc> : vector<2xf32> into f32
  return %0 : f32
}

// DOWN-LABEL: func.func @long
//       DOWN:   vector.reduction
func.func @long(%v: vector<3xi32>) -> i32 {
  %0 = vector.reduction <add>, %v : vector<3xi32> into i32
  return %0 : i32
}

// CHAIN-LABEL: func.func @integers
//  CHAIN-SAME:   (%[[X:.*]]: vector<4xi32>, %[[Y:.*]]: vector<4xi32>, %[[ACC:.*]]: i32)
//       CHAIN:   %[[BOTH:.*]] = arith.xori %[[X]], %[[Y]] : vector<4xi32>
//       CHAIN:   %[[R:.*]] = vector.reduction <xor>, %[[BOTH]], %[[ACC]]
//       CHAIN:   return %[[R]]
func.func @integers(%x: vector<4xi32>, %y: vector<4xi32>, %acc: i32) -> i32 {
  %0 = vector.reduction <xor>, %x, %acc : vector<4xi32> into i32
  %1 = vector.reduction <xor>, %y, %0 : vector<4xi32> into i32
  return %1 : i32
}

// CHAIN-LABEL: func.func @floats
// CHAIN-COUNT-2: vector.reduction <add>
// ASSUME-LABEL: func.func @floats
//      ASSUME:   arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
// ASSUME-COUNT-1: vector.reduction <add>
//  ASSUME-NOT:   vector.reduction
//      ASSUME:   return
func.func @floats(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
  %0 = vector.reduction <add>, %x : vector<4xf32> into f32
  %1 = vector.reduction <add>, %y, %0 : vector<4xf32> into f32
  return %1 : f32
}

// The result keeps the flags that both have.
// CHAIN-LABEL: func.func @floats_of_flags
//       CHAIN:   arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : vector<4xf32>
//       CHAIN:   vector.reduction <add>, %{{.*}} fastmath<reassoc>
func.func @floats_of_flags(%x: vector<4xf32>, %y: vector<4xf32>) -> f32 {
  %0 = vector.reduction <add>, %x fastmath<reassoc,nnan> : vector<4xf32> into f32
  %1 = vector.reduction <add>, %y, %0 fastmath<reassoc> : vector<4xf32> into f32
  return %1 : f32
}

// Two reductions are needed anyway.
// CHAIN-LABEL: func.func @read_twice
// CHAIN-COUNT-2: vector.reduction <add>
func.func @read_twice(%x: vector<4xi32>, %y: vector<4xi32>) -> (i32, i32) {
  %0 = vector.reduction <add>, %x : vector<4xi32> into i32
  %1 = vector.reduction <add>, %y, %0 : vector<4xi32> into i32
  return %0, %1 : i32, i32
}

// x + 0 is not x for -0.
// CHAIN-LABEL: func.func @added_zeros
//  CHAIN-SAME:   (%[[X:.*]]: vector<4xf32>)
//       CHAIN:   %[[Y:.*]] = arith.addf %[[X]],
//       CHAIN:   vector.reduction <add>, %[[Y]]
func.func @added_zeros(%x: vector<4xf32>) -> f32 {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %y = arith.addf %x, %zero : vector<4xf32>
  %0 = vector.reduction <add>, %y : vector<4xf32> into f32
  return %0 : f32
}
