// RUN: dl-opt %s --convert-complex-to-standard | FileCheck %s

// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: complex<f32>, %[[Y:.*]]: complex<f32>)
// CHECK-DAG: %[[XR:.*]] = complex.re %[[X]]
// CHECK-DAG: %[[YR:.*]] = complex.re %[[Y]]
// CHECK: %[[R:.*]] = arith.addf %[[XR]], %[[YR]] fastmath<nnan>
// CHECK-DAG: %[[XI:.*]] = complex.im %[[X]]
// CHECK-DAG: %[[YI:.*]] = complex.im %[[Y]]
// CHECK: %[[I:.*]] = arith.addf %[[XI]], %[[YI]] fastmath<nnan>
// CHECK: complex.create %[[R]], %[[I]]
func.func @add(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %z = complex.add %x, %y fastmath<nnan> : complex<f32>
  return %z : complex<f32>
}

// The larger part times the root of one and the square of their ratio. NaN and infinities are met on the way, whatever the flags say.
// CHECK-LABEL: func.func @abs
// CHECK: %[[MAX:.*]] = arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan,contract>
// CHECK: %[[MIN:.*]] = arith.minimumf
// CHECK: %[[RATIO:.*]] = arith.divf %[[MIN]], %[[MAX]] fastmath<contract> : f64
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[RATIO]], %[[RATIO]]
// CHECK: %[[SUM:.*]] = arith.addf %[[SQUARE]], %{{.*}}
// CHECK: %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK: %[[ABS:.*]] = arith.mulf %[[MAX]], %[[ROOT]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[ABS]], %[[ABS]]
// CHECK: arith.select %[[NAN]], %[[MIN]], %[[ABS]] : f64
func.func @abs(%x: complex<f64>) -> f64 {
  %y = complex.abs %x fastmath<nnan,contract> : complex<f64>
  return %y : f64
}

// CHECK-LABEL: func.func @compare
// CHECK: %[[RE:.*]] = arith.cmpf oeq
// CHECK: %[[IM:.*]] = arith.cmpf oeq
// CHECK: arith.andi %[[RE]], %[[IM]]
// CHECK: %[[RE:.*]] = arith.cmpf une
// CHECK: %[[IM:.*]] = arith.cmpf une
// CHECK: arith.ori %[[RE]], %[[IM]]
func.func @compare(%x: complex<f32>, %y: complex<f32>) -> (i1, i1) {
  %a = complex.eq %x, %y : complex<f32>
  %b = complex.neq %x, %y : complex<f32>
  return %a, %b : i1, i1
}

// Nothing of the dialect is left but parts and wholes.
// CHECK-LABEL: func.func @others
// CHECK-NOT: complex.{{[^cri]}}
// CHECK-NOT: complex.co
// CHECK: return
func.func @others(%x: complex<f32>, %y: complex<f32>, %n: i32) -> complex<f32> {
  %0 = complex.pow %x, %y : complex<f32>
  %1 = complex.powi %0, %n : complex<f32>, i32
  %2 = complex.tan %1 : complex<f32>
  %3 = complex.tanh %2 : complex<f32>
  %4 = complex.log1p %3 : complex<f32>
  %5 = complex.expm1 %4 : complex<f32>
  %6 = complex.rsqrt %5 : complex<f32>
  %7 = complex.sign %6 : complex<f32>
  %8 = complex.atan2 %7, %y : complex<f32>
  %9 = complex.div %8, %x : complex<f32>
  %10 = complex.neg %9 : complex<f32>
  %11 = complex.sub %10, %x : complex<f32>
  return %11 : complex<f32>
}
