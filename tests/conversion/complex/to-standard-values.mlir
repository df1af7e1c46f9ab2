// Values for 1.5 - 0.75i, and 0.5 + 2i where there are two, computed by folding what the conversion makes. Expected ones are those of Python's cmath.

// RUN: dl-opt %s --convert-complex-to-standard --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @exp()
// CHECK-DAG: %[[RE:.*]] = arith.constant 3.27920200{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -3.05489298{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @exp() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.exp %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @log()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.517036883{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.463647609{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @log() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.log %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @log1p()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.959379579{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.291456794{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @log1p() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.log1p %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @sin()
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.29144008{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.0581683845{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @sin() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.sin %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @cos()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.0915822726{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant 0.820256817{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @cos() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.cos %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @tan()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.103580618{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -1.56286898{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @tan() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.tan %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @tanh()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.988112100{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.0983878191{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @tanh() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.tanh %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @sqrt()
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.26036720{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.297532337{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @sqrt() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.sqrt %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @sign()
// CHECK-DAG: %[[RE:.*]] = arith.constant 0.894427190{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.447213595{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @sign() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.sign %x : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @div()
// CHECK-DAG: %[[RE:.*]] = arith.constant -0.176470588{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.794117647{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @div() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %y = complex.constant [0.5, 2.0] : complex<f64>
  %z = complex.div %x, %y : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @pow()
// CHECK-DAG: %[[RE:.*]] = arith.constant 2.27527526{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant 2.35328217{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @pow() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %y = complex.constant [0.5, 2.0] : complex<f64>
  %z = complex.pow %x, %y : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @atan2()
// CHECK-DAG: %[[RE:.*]] = arith.constant 2.73825687{{[0-9]*}} : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant -0.947181197{{[0-9]*}} : f64
// CHECK: return %[[RE]], %[[IM]]
func.func @atan2() -> (f64, f64) {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %y = complex.constant [0.5, 2.0] : complex<f64>
  %z = complex.atan2 %x, %y : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

// CHECK-LABEL: func.func @abs()
// CHECK: %[[VALUE:.*]] = arith.constant 1.67705098{{[0-9]*}} : f64
// CHECK: return %[[VALUE]]
func.func @abs() -> f64 {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.abs %x : complex<f64>
  return %z : f64
}

// CHECK-LABEL: func.func @angle()
// CHECK: %[[VALUE:.*]] = arith.constant -0.463647609{{[0-9]*}} : f64
// CHECK: return %[[VALUE]]
func.func @angle() -> f64 {
  %x = complex.constant [1.5, -0.75] : complex<f64>
  %z = complex.angle %x : complex<f64>
  return %z : f64
}
