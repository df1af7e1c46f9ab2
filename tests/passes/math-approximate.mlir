// RUN: dl-opt %s --math-approximate --split-input-file | FileCheck %s
// RUN: dl-opt %s --math-approximate='scaling=avx512' --split-input-file | FileCheck %s --check-prefix=AVX512
// RUN: dl-opt %s --math-approximate='functions=tanh' --split-input-file | FileCheck %s --check-prefix=TANH
// RUN: not dl-opt %s --math-approximate='functions=gamma' --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no function 'gamma' can be expanded, only erf, exp2, expm1, exp, log10, log1p, log2, log, tanh

// A power of two in two steps, since it need not be a number itself.
// CHECK-LABEL: func.func @exp
//  CHECK-SAME:   (%[[X:.*]]: vector<16xf32>)
//   CHECK-NOT: math.exp
//       CHECK: %[[SUM:.*]] = math.fma
//       CHECK: arith.subf %[[SUM]], %[[SHIFT:.*]] : vector<16xf32>
// CHECK-COUNT-8: math.fma
//       CHECK: arith.bitcast %[[SUM]] : vector<16xf32> to vector<16xi32>
//       CHECK: arith.shrsi
//       CHECK: %[[HALF:.*]] = arith.mulf
//       CHECK: %[[R:.*]] = arith.mulf %[[HALF]]
//       CHECK: return %[[R]]
// AVX512-LABEL: func.func @exp
//       AVX512: %[[SUM:.*]] = math.fma
//       AVX512: %[[N:.*]] = arith.subf %[[SUM]]
//       AVX512: %[[P:.*]] = math.fma {{.*}}
//       AVX512: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%[[P2:[a-z0-9]+]], %[[N]], %[[P2]], %{{[a-z0-9_-]+}}, %{{[a-z0-9_-]+}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
//       AVX512: return %[[R]]
//   TANH-LABEL: func.func @exp
//         TANH: math.exp
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Neighbours side by side, operation by operation, but what waits for a result.
// CHECK-LABEL: func.func @side_by_side
//  CHECK-SAME:   (%[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>)
//       CHECK: %[[A:.*]] = arith.addf %{{.*}}, %[[SHIFT:.*]] : vector<16xf32>
//  CHECK-NEXT: %[[B:.*]] = arith.addf %{{.*}}, %[[SHIFT]] : vector<16xf32>
//  CHECK-NEXT: arith.subf %[[A]], %[[SHIFT]] : vector<16xf32>
//  CHECK-NEXT: arith.subf %[[B]], %[[SHIFT]] : vector<16xf32>
//       CHECK: arith.mulf
//  CHECK-NEXT: arith.mulf
//  CHECK-NEXT: %[[R:.*]] = arith.mulf
//  CHECK-NEXT: %[[S:.*]] = arith.mulf
//  CHECK-NEXT: arith.cmpf olt, %[[S]], %{{.*}} : vector<16xf32>
//   CHECK-NOT: math.exp2
//       CHECK: arith.mulf
//  CHECK-NEXT: %[[T:.*]] = arith.mulf
//  CHECK-NEXT: return %[[R]], %[[S]], %[[T]]
func.func @side_by_side(%x: vector<16xf32>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %0 = math.exp2 %x : vector<16xf32>
  %1 = math.exp2 %y : vector<16xf32>
  %2 = math.exp2 %1 : vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// There is no such instruction for scalars here.
// CHECK-LABEL: func.func @scalar
//   CHECK-NOT: math.exp2
//       CHECK: arith.shli %{{.*}} : i32
// AVX512-LABEL: func.func @scalar
//   AVX512-NOT: llvm.call_intrinsic
//       AVX512: return
func.func @scalar(%x: f32) -> f32 {
  %0 = math.exp2 %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @tanh
//   CHECK-NOT: math.tanh
//       CHECK: %[[R:.*]] = arith.divf
//       CHECK: return %[[R]]
//  TANH-LABEL: func.func @tanh
//    TANH-NOT: math.tanh
//        TANH: arith.divf
func.func @tanh(%x: vector<4x8xf32>) -> vector<4x8xf32> {
  %0 = math.tanh %x : vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// CHECK-LABEL: func.func @others
//   CHECK-NOT: math.{{(erf|expm1|log)}}
//       CHECK: return
func.func @others(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = math.erf %x : vector<4xf32>
  %1 = math.expm1 %x : vector<4xf32>
  %2 = math.log %x : vector<4xf32>
  %3 = math.log2 %x : vector<4xf32>
  %4 = math.log10 %x : vector<4xf32>
  %5 = math.log1p %x : vector<4xf32>
  return %0, %1, %2, %3, %4, %5 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// -----

// Of f64, what would else lose digits near zero: by functions that do not.
// CHECK-LABEL: func.func @doubles
//  CHECK-SAME:   (%[[X:.*]]: f64, %[[Y:.*]]: vector<4xf64>)
//   CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
//   CHECK-DAG: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : vector<4xf64>
//       CHECK: %[[U:.*]] = math.exp %[[X]] : f64
//       CHECK: %[[REST:.*]] = arith.subf %[[U]], %[[ONE]]
//       CHECK: %[[LOG:.*]] = math.log %[[U]]
//       CHECK: %[[Q:.*]] = arith.divf %[[X]], %[[LOG]]
//       CHECK: arith.mulf %[[REST]], %[[Q]]
//       CHECK: %[[U:.*]] = arith.addf %[[Y]], %[[ONES]] : vector<4xf64>
//       CHECK: %[[LOG:.*]] = math.log %[[U]]
//       CHECK: %[[BACK:.*]] = arith.subf %[[U]], %[[ONES]]
//       CHECK: %[[LOST:.*]] = arith.subf %[[Y]], %[[BACK]]
//       CHECK: %[[C:.*]] = arith.divf %[[LOST]], %[[U]]
//       CHECK: arith.addf %[[LOG]], %[[C]]
//  TANH-LABEL: func.func @doubles
//        TANH: math.expm1
//        TANH: math.log1p
func.func @doubles(%x: f64, %y: vector<4xf64>) -> (f64, vector<4xf64>) {
  %0 = math.expm1 %x : f64
  %1 = math.log1p %y : vector<4xf64>
  return %0, %1 : f64, vector<4xf64>
}

// -----

// Most others are of f32, and all of values: tensors become loops first.
// CHECK-LABEL: func.func @kept
//       CHECK: math.exp %{{.*}} : f64
//       CHECK: math.exp %{{.*}} : f16
//       CHECK: math.exp %{{.*}} : tensor<4xf32>
//       CHECK: math.exp %{{.*}} : vector<[4]xf32>
func.func @kept(%a: f64, %b: f16, %c: tensor<4xf32>, %d: vector<[4]xf32>) -> (f64, f16, tensor<4xf32>, vector<[4]xf32>) {
  %0 = math.exp %a : f64
  %1 = math.exp %b : f16
  %2 = math.exp %c : tensor<4xf32>
  %3 = math.exp %d : vector<[4]xf32>
  return %0, %1, %2, %3 : f64, f16, tensor<4xf32>, vector<[4]xf32>
}
