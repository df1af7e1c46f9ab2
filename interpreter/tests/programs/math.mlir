// Exact values by hand; those of elementary functions by Python's math module, in double precision.

// NEAR 1e-15 @elementary(0.7 : f64) == 2.0137527074704766 : f64, 0.644217687237691 : f64, 0.7648421872844885 : f64, 0.8422883804630794 : f64, 0.6043677771171636 : f64, -0.35667494393873245 : f64, 0.8366600265340756 : f64, 0.8879040017426008 : f64, 0.6778011938374184 : f64, 0.32219880616258156 : f64, 0.775397496610753 : f64, 0.6107259643892086 : f64, 0.7585837018395334 : f64, 1.0137527074704764 : f64, 0.5306282510621704 : f64
func.func @elementary(%x: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
  %exp = math.exp %x : f64
  %sin = math.sin %x : f64
  %cos = math.cos %x : f64
  %tan = math.tan %x : f64
  %tanh = math.tanh %x : f64
  %log = math.log %x : f64
  %sqrt = math.sqrt %x : f64
  %cbrt = math.cbrt %x : f64
  %erf = math.erf %x : f64
  %erfc = math.erfc %x : f64
  %asin = math.asin %x : f64
  %atan = math.atan %x : f64
  %sinh = math.sinh %x : f64
  %expm1 = math.expm1 %x : f64
  %log1p = math.log1p %x : f64
  return %exp, %sin, %cos, %tan, %tanh, %log, %sqrt, %cbrt, %erf, %erfc, %asin, %atan, %sinh, %expm1, %log1p : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
}

// NEAR 1e-15 @of_two(0.5 : f64, -0.25 : f64) == 2.0344439357957027 : f64
// EVAL @of_two(0.0 : f64, 0.0 : f64) == 0.0 : f64
func.func @of_two(%y: f64, %x: f64) -> f64 {
  %r = math.atan2 %y, %x : f64
  return %r : f64
}

// NEAR 1e-15 @powers(0.7 : f64, 2.5 : f64, -3 : i32) == 0.409963413001697 : f64, 2.9154518950437325 : f64, 1.1952286093343936 : f64
func.func @powers(%x: f64, %y: f64, %n: i32) -> (f64, f64, f64) {
  %a = math.powf %x, %y : f64
  %b = math.fpowi %x, %n : f64, i32
  %c = math.rsqrt %x : f64
  return %a, %b, %c : f64, f64, f64
}

// In f32 the nearest one to the true value: e = 2.718281828..., which lies between 2.7182817 and 2.7182820.
// EVAL @exp32(1.0 : f32) == 0x402DF854 : f32
// EVAL @exp32(poison) == poison
func.func @exp32(%x: f32) -> f32 {
  %r = math.exp %x : f32
  return %r : f32
}

// EVAL @domain(-1.0 : f32) == 0x7FC00000 : f32, 0x7FC00000 : f32
// EVAL @domain(0.0 : f32) == 0xFF800000 : f32, 0.0 : f32
func.func @domain(%x: f32) -> (f32, f32) {
  %log = math.log %x : f32
  %sqrt = math.sqrt %x : f32
  return %log, %sqrt : f32, f32
}

// EVAL @roundings(-2.5 : f32) == -2.0 : f32, -3.0 : f32, -3.0 : f32, -2.0 : f32, -2.0 : f32, 2.5 : f32
func.func @roundings(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %ceil = math.ceil %x : f32
  %floor = math.floor %x : f32
  %round = math.round %x : f32
  %even = math.roundeven %x : f32
  %trunc = math.trunc %x : f32
  %abs = math.absf %x : f32
  return %ceil, %floor, %round, %even, %trunc, %abs : f32, f32, f32, f32, f32, f32
}

// -2.5, and 2^62 + 0.5, which no double is.
// EVAL @trunc_extended(0xC000A000000000000000 : f80) == 0xC0008000000000000000 : f80
// EVAL @trunc_extended(0x403D8000000000000001 : f80) == 0x403D8000000000000000 : f80
func.func @trunc_extended(%x: f80) -> f80 {
  %trunc = math.trunc %x : f80
  return %trunc : f80
}

// One rounding: (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24, where the product by itself would lose the 2^-24.
// EVAL @fma(1.000244140625 : f32, -1.0 : f32) == 4.883408546447754e-04 : f32, -1.000244140625 : f32
func.func @fma(%x: f32, %y: f32) -> (f32, f32) {
  %a = math.fma %x, %x, %y : f32
  %b = math.copysign %x, %y : f32
  return %a, %b : f32, f32
}

// EVAL @clamp(5.0 : f32) == 2.0 : f32
// EVAL @clamp(-5.0 : f32) == -1.0 : f32
func.func @clamp(%x: f32) -> f32 {
  %low = arith.constant -1.0 : f32
  %high = arith.constant 2.0 : f32
  %r = math.clampf %x to [%low, %high] : f32
  return %r : f32
}

// EVAL @classes(0x7F800000 : f32) == false, true, false, false
// EVAL @classes(1.0e-40 : f32) == true, false, false, false
func.func @classes(%x: f32) -> (i1, i1, i1, i1) {
  %finite = math.isfinite %x : f32
  %inf = math.isinf %x : f32
  %nan = math.isnan %x : f32
  %normal = math.isnormal %x : f32
  return %finite, %inf, %nan, %normal : i1, i1, i1, i1
}

// 20 is 00010100.
// EVAL @bits(20 : i8) == 3 : i8, 2 : i8, 2 : i8, 20 : i8
// EVAL @bits(0 : i8) == 8 : i8, 8 : i8, 0 : i8, 0 : i8
// EVAL @bits(-3 : i8) == 0 : i8, 0 : i8, 7 : i8, 3 : i8
func.func @bits(%x: i8) -> (i8, i8, i8, i8) {
  %lead = math.ctlz %x : i8
  %trail = math.cttz %x : i8
  %ones = math.ctpop %x : i8
  %abs = math.absi %x : i8
  return %lead, %trail, %ones, %abs : i8, i8, i8, i8
}

// 3^5 = 243 = 256 - 13.
// EVAL @ipowi(3 : i8, 5 : i8) == -13 : i8
// EVAL @ipowi(-1 : i8, -3 : i8) == -1 : i8
// FAIL @ipowi(0 : i8, -1 : i8): 'math.ipowi' op undefined behaviour: zero to a negative power
func.func @ipowi(%x: i8, %n: i8) -> i8 {
  %r = math.ipowi %x, %n : i8 // <-
  return %r : i8
}

// FAIL @wide(1.0 : f128): 'math.exp' op unsupported: elementary functions of f128
func.func @wide(%x: f128) -> f128 {
  %r = math.exp %x : f128 // <-
  return %r : f128
}
