// RUN: dl-opt %s --math-round-in-range --oracle=each-pass --split-input-file | FileCheck %s

// Quantized with a zero point of 128, an even number, which stands in the number that is added.
// CHECK-LABEL: func.func @quantize(
//  CHECK-SAME:   %[[X:.*]]: f32)
//   CHECK-DAG:   %[[LOW:.*]] = arith.constant -1.280000e+02 : f32
//   CHECK-DAG:   %[[HIGH:.*]] = arith.constant 1.270000e+02 : f32
//   CHECK-DAG:   %[[MAGIC:.*]] = arith.constant 0x4B400080 : f32
//       CHECK:   %[[A:.*]] = arith.maxnumf %[[X]], %[[LOW]] : f32
//       CHECK:   %[[B:.*]] = arith.minnumf %[[A]], %[[HIGH]] : f32
//       CHECK:   %[[C:.*]] = arith.addf %[[B]], %[[MAGIC]] : f32
//       CHECK:   %[[D:.*]] = arith.bitcast %[[C]] : f32 to i32
//       CHECK:   %[[R:.*]] = arith.trunci %[[D]] : i32 to i8
//       CHECK:   return %[[R]]
func.func @quantize(%x: f32) -> i8 {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %point = arith.constant 128.0 : f32
  %0 = math.roundeven %x : f32
  %1 = arith.addf %0, %point : f32
  %2 = arith.maximumf %1, %zero : f32
  %3 = arith.minimumf %2, %most : f32
  %4 = arith.fptosi %3 : f32 to i32
  %5 = arith.trunci %4 : i32 to i8
  return %5 : i8
}

// -----

// An odd zero point would turn ties around: it is added to the integer. Vectors are taken likewise.
// CHECK-LABEL: func.func @odd(
//   CHECK-DAG:   %[[LOW:.*]] = arith.constant dense<-1.310000e+02> : vector<4xf32>
//   CHECK-DAG:   %[[HIGH:.*]] = arith.constant dense<1.240000e+02> : vector<4xf32>
//   CHECK-DAG:   %[[MAGIC:.*]] = arith.constant dense<0x4B400000> : vector<4xf32>
//   CHECK-DAG:   %[[BITS:.*]] = arith.constant dense<1262485501> : vector<4xi32>
//       CHECK:   arith.addf %{{.*}}, %[[MAGIC]]
//       CHECK:   %[[C:.*]] = arith.bitcast
//       CHECK:   %[[D:.*]] = arith.subi %[[C]], %[[BITS]] : vector<4xi32>
//       CHECK:   return %[[D]]
func.func @odd(%x: vector<4xf32>) -> vector<4xi32> {
  %low = arith.constant dense<-128.0> : vector<4xf32>
  %high = arith.constant dense<127.0> : vector<4xf32>
  %point = arith.constant dense<3.0> : vector<4xf32>
  %0 = math.roundeven %x : vector<4xf32>
  %1 = arith.addf %0, %point : vector<4xf32>
  %2 = arith.maxnumf %1, %low : vector<4xf32>
  %3 = arith.minnumf %2, %high : vector<4xf32>
  %4 = arith.fptosi %3 : vector<4xf32> to vector<4xi32>
  return %4 : vector<4xi32>
}

// -----

// Dequantized in place: no integer is made. The ratio needs the bound of zero only once.
// CHECK-LABEL: func.func @dequantize(
//  CHECK-SAME:   %[[X:.*]]: f32)
//   CHECK-DAG:   %[[SCALE:.*]] = arith.constant 5.000000e-01 : f32
//   CHECK-DAG:   %[[LOW:.*]] = arith.constant 0.000000e+00 : f32
//   CHECK-DAG:   %[[HIGH:.*]] = arith.constant 2.550000e+02 : f32
//   CHECK-DAG:   %[[MAGIC:.*]] = arith.constant 0x4B400000 : f32
//   CHECK-DAG:   %[[POINT:.*]] = arith.constant -1.000000e+01 : f32
//       CHECK:   %[[A:.*]] = arith.divf %[[X]], %[[SCALE]] : f32
//       CHECK:   %[[B:.*]] = arith.maxnumf %[[A]], %[[LOW]] : f32
//       CHECK:   %[[C:.*]] = arith.minnumf %[[B]], %[[HIGH]] : f32
//       CHECK:   %[[D:.*]] = arith.addf %[[C]], %[[MAGIC]] : f32
//       CHECK:   %[[E:.*]] = arith.subf %[[D]], %[[MAGIC]] : f32
//       CHECK:   %[[F:.*]] = arith.addf %[[E]], %[[POINT]] : f32
//       CHECK:   return %[[F]]
func.func @dequantize(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %scale = arith.constant 0.5 : f32
  %point = arith.constant 10 : i32
  %0 = arith.maximumf %x, %zero : f32
  %1 = arith.divf %0, %scale : f32
  %2 = math.roundeven %1 : f32
  %3 = arith.maximumf %2, %zero : f32
  %4 = arith.minimumf %3, %most : f32
  %5 = arith.fptosi %4 : f32 to i32
  %6 = arith.trunci %5 : i32 to i8
  %7 = arith.extui %6 : i8 to i32
  %8 = arith.subi %7, %point : i32
  %9 = arith.sitofp %8 : i32 to f32
  return %9 : f32
}

// -----

// What it is read as is not what was clamped to: 200 as a byte with a sign is -56.
// CHECK-LABEL: func.func @wraps(
//       CHECK:   %[[I:.*]] = arith.trunci
//       CHECK:   %[[S:.*]] = arith.extsi %[[I]]
//       CHECK:   arith.sitofp %[[S]]
func.func @wraps(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %0 = math.roundeven %x : f32
  %1 = arith.maximumf %0, %zero : f32
  %2 = arith.minimumf %1, %most : f32
  %3 = arith.fptosi %2 : f32 to i32
  %4 = arith.trunci %3 : i32 to i8
  %5 = arith.extsi %4 : i8 to i32
  %6 = arith.sitofp %5 : i32 to f32
  return %6 : f32
}

// -----

// Without a sign, a difference below zero is a large number.
// CHECK-LABEL: func.func @unsigned(
//       CHECK:   arith.subi
//       CHECK:   arith.uitofp
func.func @unsigned(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %one = arith.constant 1 : i32
  %0 = math.roundeven %x : f32
  %1 = arith.maximumf %0, %zero : f32
  %2 = arith.minimumf %1, %most : f32
  %3 = arith.fptosi %2 : f32 to i32
  %4 = arith.subi %3, %one : i32
  %5 = arith.uitofp %4 : i32 to f32
  return %5 : f32
}

// -----

// Bounds that are not integers, or too large, bounds that are missing, other floats, wider integers: nothing changes.
// CHECK-LABEL: func.func @others(
//   CHECK-NOT:   arith.bitcast
//       CHECK:   return
func.func @others(%x: f32, %y: f64) -> (i32, i32, i32, i32, i64) {
  %half = arith.constant 0.5 : f32
  %most = arith.constant 255.0 : f32
  %large = arith.constant 16777216.0 : f32
  %zero = arith.constant 0.0 : f32
  %r = math.roundeven %x : f32
  %a0 = arith.maximumf %r, %half : f32
  %a1 = arith.minimumf %a0, %most : f32
  %a = arith.fptosi %a1 : f32 to i32
  %b0 = arith.maximumf %r, %zero : f32
  %b1 = arith.minimumf %b0, %large : f32
  %b = arith.fptosi %b1 : f32 to i32
  %c = arith.fptosi %b0 : f32 to i32
  %most64 = arith.constant 255.0 : f64
  %zero64 = arith.constant 0.0 : f64
  %d0 = math.roundeven %y : f64
  %d1 = arith.maximumf %d0, %zero64 : f64
  %d2 = arith.minimumf %d1, %most64 : f64
  %d = arith.fptosi %d2 : f64 to i32
  %e0 = arith.minimumf %b0, %most : f32
  %e = arith.fptosi %e0 : f32 to i64
  return %a, %b, %c, %d, %e : i32, i32, i32, i32, i64
}
