// RUN: %{round-trip}

// CHECK-LABEL: func.func @ops
//  CHECK-SAME:   (%[[F:.*]]: f32, %[[C:.*]]: complex<f32>, %[[D:.*]]: complex<f32>, %[[I:.*]]: i32, %[[N:.*]]: i64)
func.func @ops(%f: f32, %c: complex<f32>, %d: complex<f32>, %i: i32, %n: i64) {
  // CHECK-NEXT: complex.create %[[F]], %[[F]] : complex<f32>
  %0 = complex.create %f, %f : complex<f32>
  // CHECK-NEXT: %cst = complex.constant [1.000000e-01, -1.000000e+00] : complex<f64>
  %1 = complex.constant [0.1, -1.0] : complex<f64>
  // CHECK-NEXT: %cst_0 = complex.constant [1 : i32, 2 : i32] : complex<i32>
  %2 = complex.constant [1 : i32, 2 : i32] : complex<i32>
  // CHECK-NEXT: complex.abs %[[C]] : complex<f32>
  %3 = complex.abs %c : complex<f32>
  // CHECK-NEXT: complex.abs %[[C]] fastmath<nnan> : complex<f32>
  %4 = complex.abs %c fastmath<nnan> : complex<f32>
  // CHECK-NEXT: complex.add %[[C]], %[[D]] : complex<f32>
  %5 = complex.add %c, %d : complex<f32>
  // CHECK-NEXT: complex.add %[[C]], %[[D]] fastmath<fast> : complex<f32>
  %6 = complex.add %c, %d fastmath<fast> : complex<f32>
  // CHECK-NEXT: complex.angle %[[C]] : complex<f32>
  %7 = complex.angle %c : complex<f32>
  // CHECK-NEXT: complex.atan2 %[[C]], %[[D]] : complex<f32>
  %8 = complex.atan2 %c, %d : complex<f32>
  // CHECK-NEXT: complex.bitcast %[[N]] : i64 to complex<f32>
  %9 = complex.bitcast %n : i64 to complex<f32>
  // CHECK-NEXT: complex.conj %[[C]] : complex<f32>
  %10 = complex.conj %c : complex<f32>
  // CHECK-NEXT: complex.cos %[[C]] : complex<f32>
  %11 = complex.cos %c : complex<f32>
  // CHECK-NEXT: complex.div %[[C]], %[[D]] : complex<f32>
  %12 = complex.div %c, %d : complex<f32>
  // CHECK-NEXT: complex.eq %[[C]], %[[D]] : complex<f32>
  %13 = complex.eq %c, %d : complex<f32>
  // CHECK-NEXT: complex.exp %[[C]] : complex<f32>
  %14 = complex.exp %c : complex<f32>
  // CHECK-NEXT: complex.expm1 %[[C]] : complex<f32>
  %15 = complex.expm1 %c : complex<f32>
  // CHECK-NEXT: complex.im %[[C]] : complex<f32>
  %16 = complex.im %c : complex<f32>
  // CHECK-NEXT: complex.log %[[C]] : complex<f32>
  %17 = complex.log %c : complex<f32>
  // CHECK-NEXT: complex.log1p %[[C]] : complex<f32>
  %18 = complex.log1p %c : complex<f32>
  // CHECK-NEXT: complex.mul %[[C]], %[[D]] : complex<f32>
  %19 = complex.mul %c, %d : complex<f32>
  // CHECK-NEXT: complex.neg %[[C]] : complex<f32>
  %20 = complex.neg %c : complex<f32>
  // CHECK-NEXT: complex.neq %[[C]], %[[D]] : complex<f32>
  %21 = complex.neq %c, %d : complex<f32>
  // CHECK-NEXT: complex.pow %[[C]], %[[D]] : complex<f32>
  %22 = complex.pow %c, %d : complex<f32>
  // CHECK-NEXT: complex.powi %[[C]], %[[I]] : complex<f32>, i32
  %23 = complex.powi %c, %i : complex<f32>, i32
  // CHECK-NEXT: complex.powi %[[C]], %[[I]] fastmath<fast> : complex<f32>, i32
  %24 = complex.powi %c, %i fastmath<fast> : complex<f32>, i32
  // CHECK-NEXT: complex.re %[[C]] : complex<f32>
  %25 = complex.re %c : complex<f32>
  // CHECK-NEXT: complex.rsqrt %[[C]] : complex<f32>
  %26 = complex.rsqrt %c : complex<f32>
  // CHECK-NEXT: complex.sign %[[C]] : complex<f32>
  %27 = complex.sign %c : complex<f32>
  // CHECK-NEXT: complex.sin %[[C]] : complex<f32>
  %28 = complex.sin %c : complex<f32>
  // CHECK-NEXT: complex.sqrt %[[C]] : complex<f32>
  %29 = complex.sqrt %c : complex<f32>
  // CHECK-NEXT: complex.sub %[[C]], %[[D]] : complex<f32>
  %30 = complex.sub %c, %d : complex<f32>
  // CHECK-NEXT: complex.tan %[[C]] : complex<f32>
  %31 = complex.tan %c : complex<f32>
  // CHECK-NEXT: complex.tanh %[[C]] : complex<f32>
  %32 = complex.tanh %c : complex<f32>
  return
}

// A complex number as one attribute: the type at the end follows from that of its parts.
// CHECK: func.func private @numbers() attributes {complex.a = #complex.number<:f64 1.000000e+00, -2.500000e+00> : complex<f64>, complex.b = #complex.number<:bf16 1.500000e+00, 0.000000e+00> : complex<bf16>}
func.func private @numbers() attributes {
  complex.a = #complex.number<:f64 1.0, -2.5>, complex.b = #complex.number<:bf16 1.5, 0.0> : complex<bf16>
}
