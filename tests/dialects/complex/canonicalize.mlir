// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @parts
//  CHECK-SAME:   (%[[C:.*]]: complex<f32>, %[[R:.*]]: f32, %[[I:.*]]: f32)
func.func @parts(%c: complex<f32>, %r: f32, %i: f32) -> (complex<f32>, f32, f32) {
  // CHECK-NEXT: return %[[C]], %[[R]], %[[I]]
  %re = complex.re %c : complex<f32>
  %im = complex.im %c : complex<f32>
  %0 = complex.create %re, %im : complex<f32>
  %1 = complex.create %r, %i : complex<f32>
  %2 = complex.re %1 : complex<f32>
  %3 = complex.im %1 : complex<f32>
  return %0, %2, %3 : complex<f32>, f32, f32
}

// CHECK-LABEL: func.func @parts_of_two_numbers
func.func @parts_of_two_numbers(%c: complex<f32>, %d: complex<f32>) -> complex<f32> {
  // CHECK: complex.create
  %re = complex.re %c : complex<f32>
  %im = complex.im %d : complex<f32>
  %0 = complex.create %re, %im : complex<f32>
  return %0 : complex<f32>
}

// CHECK-LABEL: func.func @parts_of_constant
func.func @parts_of_constant() -> (f32, f32) {
  // CHECK-DAG: %[[R:.*]] = arith.constant 1.500000e+00 : f32
  // CHECK-DAG: %[[I:.*]] = arith.constant 2.500000e+00 : f32
  // CHECK: return %[[R]], %[[I]]
  %c = complex.constant [1.5 : f32, 2.5 : f32] : complex<f32>
  %0 = complex.re %c : complex<f32>
  %1 = complex.im %c : complex<f32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @inverses
//  CHECK-SAME:   (%[[C:.*]]: complex<f32>, %[[D:.*]]: complex<f32>)
//  CHECK-NEXT:   return %[[C]], %[[C]], %[[C]], %[[C]], %[[C]], %[[C]]
func.func @inverses(%c: complex<f32>, %d: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %n = complex.neg %c : complex<f32>
  %0 = complex.neg %n : complex<f32>
  %k = complex.conj %c : complex<f32>
  %1 = complex.conj %k : complex<f32>
  %l = complex.log %c : complex<f32>
  %2 = complex.exp %l : complex<f32>
  %s = complex.add %c, %d fastmath<reassoc,nsz> : complex<f32>
  %3 = complex.sub %s, %d fastmath<reassoc,nsz> : complex<f32>
  %t = complex.sub %c, %d fastmath<reassoc,nsz> : complex<f32>
  %4 = complex.add %t, %d fastmath<reassoc,nsz> : complex<f32>
  %5 = complex.add %d, %t fastmath<reassoc,nsz> : complex<f32>
  return %0, %1, %2, %3, %4, %5 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @neutral
//  CHECK-SAME:   (%[[C:.*]]: complex<f32>)
//  CHECK-NEXT:   return %[[C]], %[[C]], %[[C]], %[[C]], %[[C]]
func.func @neutral(%c: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %y = complex.constant [-0.0 : f32, -0.0 : f32] : complex<f32>
  %o = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.add %c, %y : complex<f32>
  %1 = complex.add %c, %z fastmath<nsz> : complex<f32>
  %2 = complex.sub %c, %z : complex<f32>
  %3 = complex.mul %c, %o : complex<f32>
  %4 = complex.div %c, %o : complex<f32>
  return %0, %1, %2, %3, %4 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// CHECK-LABEL: func.func @not_neutral
func.func @not_neutral(%c: complex<f32>) -> complex<f32> {
  // CHECK: complex.mul
  %i = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %0 = complex.mul %c, %i : complex<f32>
  return %0 : complex<f32>
}

// CHECK-LABEL: func.func @bitcasts
//  CHECK-SAME:   (%[[C:.*]]: complex<f32>, %[[X:.*]]: f64)
func.func @bitcasts(%c: complex<f32>, %x: f64) -> (complex<f32>, complex<f32>, f64) {
  // CHECK-NEXT: %[[A:.*]] = complex.bitcast %[[X]] : f64 to complex<f32>
  // CHECK-NEXT: %[[B:.*]] = complex.bitcast %[[C]] : complex<f32> to f64
  // CHECK-NEXT: return %[[C]], %[[A]], %[[B]]
  %0 = complex.bitcast %c : complex<f32> to i64
  %1 = complex.bitcast %0 : i64 to complex<f32>
  %2 = arith.bitcast %x : f64 to i64
  %3 = complex.bitcast %2 : i64 to complex<f32>
  %4 = arith.bitcast %0 : i64 to f64
  return %1, %3, %4 : complex<f32>, complex<f32>, f64
}

// CHECK-LABEL: func.func @part_of_negated
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @part_of_negated(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK-DAG: %[[RE:.*]] = arith.negf %[[A]] : f32
  // CHECK-DAG: %[[IM:.*]] = arith.negf %[[B]] : f32
  // CHECK:     return %[[RE]], %[[IM]]
  %c = complex.create %a, %b : complex<f32>
  %n = complex.neg %c : complex<f32>
  %re = complex.re %n : complex<f32>
  %im = complex.im %n : complex<f32>
  return %re, %im : f32, f32
}
