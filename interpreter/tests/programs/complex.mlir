// Complex numbers. Expected values are those of Python's `complex` and `cmath`.

// EVAL @arithmetic(1.0 : f64, 2.0 : f64, 3.0 : f64, -4.0 : f64) == 4.0 : f64, -2.0 : f64, 11.0 : f64, 2.0 : f64, -2.0 : f64, 6.0 : f64
func.func @arithmetic(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64, f64, f64, f64, f64) {
  %x = complex.create %a, %b : complex<f64>
  %y = complex.create %c, %d : complex<f64>
  %sum = complex.add %x, %y : complex<f64>
  %product = complex.mul %x, %y : complex<f64>
  %difference = complex.sub %x, %y : complex<f64>
  %0 = complex.re %sum : complex<f64>
  %1 = complex.im %sum : complex<f64>
  %2 = complex.re %product : complex<f64>
  %3 = complex.im %product : complex<f64>
  %4 = complex.re %difference : complex<f64>
  %5 = complex.im %difference : complex<f64>
  return %0, %1, %2, %3, %4, %5 : f64, f64, f64, f64, f64, f64
}

// NEAR 1e-12 @functions(-3.0 : f64, 4.0 : f64) == 5.0 : f64, 2.214297435588181 : f64, 1.0 : f64, 2.0 : f64, 1.6094379124341003 : f64
func.func @functions(%a: f64, %b: f64) -> (f64, f64, f64, f64, f64) {
  %x = complex.create %a, %b : complex<f64>
  %abs = complex.abs %x : complex<f64>
  %angle = complex.angle %x : complex<f64>
  %root = complex.sqrt %x : complex<f64>
  %re = complex.re %root : complex<f64>
  %im = complex.im %root : complex<f64>
  %log = complex.log %x : complex<f64>
  %ln = complex.re %log : complex<f64>
  return %abs, %angle, %re, %im, %ln : f64, f64, f64, f64, f64
}

// EVAL @compare() == true, false, 3.0 : f32, -1.0 : f32
func.func @compare() -> (i1, i1, f32, f32) {
  %x = complex.constant [3.0 : f32, 1.0 : f32] : complex<f32>
  %y = complex.conj %x : complex<f32>
  %0 = complex.neq %x, %y : complex<f32>
  %1 = complex.eq %x, %y : complex<f32>
  %2 = complex.re %y : complex<f32>
  %3 = complex.im %y : complex<f32>
  return %0, %1, %2, %3 : i1, i1, f32, f32
}

// The real part is in the low half: 1.0 is 0x3F800000, 2.0 is 0x40000000.
// EVAL @bits() == 0x400000003F800000 : i64
func.func @bits() -> i64 {
  %x = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = complex.bitcast %x : complex<f32> to i64
  return %0 : i64
}
