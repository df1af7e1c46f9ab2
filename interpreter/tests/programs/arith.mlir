// Integer values by Python's integers, reduced to the width by hand; floats by Python's struct and by exact fractions.

// EVAL @addi(127 : i8, 1 : i8) == -128 : i8
// EVAL @addi(-1 : i8, -128 : i8) == 127 : i8
func.func @addi(%a: i8, %b: i8) -> i8 {
  %r = arith.addi %a, %b : i8
  return %r : i8
}

// EVAL @addi_nsw(127 : i8, 1 : i8) == poison
// EVAL @addi_nsw(-1 : i8, 1 : i8) == 0 : i8
func.func @addi_nsw(%a: i8, %b: i8) -> i8 {
  %r = arith.addi %a, %b overflow<nsw> : i8
  return %r : i8
}

// EVAL @subi_nuw(1 : i8, 2 : i8) == poison
// EVAL @subi_nuw(-1 : i8, 127 : i8) == -128 : i8
func.func @subi_nuw(%a: i8, %b: i8) -> i8 {
  %r = arith.subi %a, %b overflow<nuw> : i8
  return %r : i8
}

// 200 * 200 = 40000 = 156 * 256 + 64; 2^100 * 3 + ... in 128 bits stays exact.
// EVAL @muli(200 : i8, 200 : i8) == 64 : i8
func.func @muli(%a: i8, %b: i8) -> i8 {
  %r = arith.muli %a, %b : i8
  return %r : i8
}

// EVAL @muli_wide(1267650600228229401496703205376 : i128, 3 : i128) == 3802951800684688204490109616128 : i128
func.func @muli_wide(%a: i128, %b: i128) -> i128 {
  %r = arith.muli %a, %b : i128
  return %r : i128
}

// Poison is passed on by pure operations, and by selects that choose it.
// EVAL @poison_spreads(127 : i8) == poison, 5 : i8
func.func @poison_spreads(%a: i8) -> (i8, i8) {
  %c1 = arith.constant 1 : i8
  %c5 = arith.constant 5 : i8
  %true = arith.constant true
  %p = arith.addi %a, %c1 overflow<nsw> : i8
  %q = arith.xori %p, %p : i8
  %s = arith.select %true, %c5, %p : i8
  return %q, %s : i8, i8
}

// EVAL @divsi(-7 : i32, 2 : i32) == -3 : i32
// EVAL @divsi(7 : i32, -2 : i32) == -3 : i32
// FAIL @divsi(7 : i32, 0 : i32): 'arith.divsi' op undefined behaviour: division by zero
// FAIL @divsi(-2147483648 : i32, -1 : i32): undefined behaviour: overflow of a signed division
// EVAL @divsi(poison, 3 : i32) == poison
// FAIL @divsi(3 : i32, poison): undefined behaviour: use of poison
func.func @divsi(%a: i32, %b: i32) -> i32 {
  %r = arith.divsi %a, %b : i32 // <-
  return %r : i32
}

// EVAL @divisions(-7 : i8, 2 : i8) == 124 : i8, -4 : i8, -3 : i8, 125 : i8, -1 : i8, 1 : i8
// FAIL @divisions(7 : i8, 0 : i8): 'arith.divui' op undefined behaviour: division by zero
func.func @divisions(%a: i8, %b: i8) -> (i8, i8, i8, i8, i8, i8) {
  %u = arith.divui %a, %b : i8 // <-
  %f = arith.floordivsi %a, %b : i8
  %c = arith.ceildivsi %a, %b : i8
  %cu = arith.ceildivui %a, %b : i8
  %rs = arith.remsi %a, %b : i8
  %ru = arith.remui %a, %b : i8
  return %u, %f, %c, %cu, %rs, %ru : i8, i8, i8, i8, i8, i8
}

// FAIL @remsi(7 : i8, 0 : i8): 'arith.remsi' op undefined behaviour: division by zero
// The LLVM language reference on `srem`: overflow of the quotient is undefined, although the remainder would be 0.
// FAIL @remsi(-128 : i8, -1 : i8): 'arith.remsi' op undefined behaviour: overflow of a signed division
// EVAL @remsi(-128 : i8, 3 : i8) == -2 : i8
func.func @remsi(%a: i8, %b: i8) -> i8 {
  %r = arith.remsi %a, %b : i8 // <-
  return %r : i8
}

// EVAL @exact(12 : i8, 4 : i8) == 3 : i8
// EVAL @exact(13 : i8, 4 : i8) == poison
func.func @exact(%a: i8, %b: i8) -> i8 {
  %r = arith.divui %a, %b exact : i8
  return %r : i8
}

// EVAL @shifts(-127 : i8, 1 : i8) == 2 : i8, 64 : i8, -64 : i8
// EVAL @shifts(-127 : i8, 8 : i8) == poison, poison, poison
// EVAL @shifts(-127 : i8, -1 : i8) == poison, poison, poison
func.func @shifts(%a: i8, %b: i8) -> (i8, i8, i8) {
  %l = arith.shli %a, %b : i8
  %u = arith.shrui %a, %b : i8
  %s = arith.shrsi %a, %b : i8
  return %l, %u, %s : i8, i8, i8
}

// EVAL @shli_flags(64 : i8) == poison, -128 : i8
// EVAL @shli_flags(-64 : i8) == -128 : i8, poison
func.func @shli_flags(%a: i8) -> (i8, i8) {
  %c1 = arith.constant 1 : i8
  %s = arith.shli %a, %c1 overflow<nsw> : i8
  %u = arith.shli %a, %c1 overflow<nuw> : i8
  return %s, %u : i8, i8
}

// EVAL @bits(12 : i8, 10 : i8) == 8 : i8, 14 : i8, 6 : i8
func.func @bits(%a: i8, %b: i8) -> (i8, i8, i8) {
  %and = arith.andi %a, %b : i8
  %or = arith.ori %a, %b : i8
  %xor = arith.xori %a, %b : i8
  return %and, %or, %xor : i8, i8, i8
}

// EVAL @extremes(-1 : i8, 1 : i8) == 1 : i8, -1 : i8, -1 : i8, 1 : i8
func.func @extremes(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
  %maxs = arith.maxsi %a, %b : i8
  %maxu = arith.maxui %a, %b : i8
  %mins = arith.minsi %a, %b : i8
  %minu = arith.minui %a, %b : i8
  return %maxs, %maxu, %mins, %minu : i8, i8, i8, i8
}

// 255 + 255 = 256 + 254; -1 * -1 = 1; 255 * 255 = 254 * 256 + 1.
// EVAL @extended(-1 : i8, -1 : i8) == -2 : i8, true, 1 : i8, 0 : i8, 1 : i8, -2 : i8
// EVAL @extended(-128 : i8, 2 : i8) == -126 : i8, false, 0 : i8, -1 : i8, 0 : i8, 1 : i8
func.func @extended(%a: i8, %b: i8) -> (i8, i1, i8, i8, i8, i8) {
  %sum, %carry = arith.addui_extended %a, %b : i8, i1
  %slow, %shigh = arith.mulsi_extended %a, %b : i8
  %ulow, %uhigh = arith.mului_extended %a, %b : i8
  return %sum, %carry, %slow, %shigh, %ulow, %uhigh : i8, i1, i8, i8, i8, i8
}

// EVAL @cmpi(-1 : i8, 1 : i8) == false, true, true, false, true
func.func @cmpi(%a: i8, %b: i8) -> (i1, i1, i1, i1, i1) {
  %eq = arith.cmpi eq, %a, %b : i8
  %ne = arith.cmpi ne, %a, %b : i8
  %slt = arith.cmpi slt, %a, %b : i8
  %ult = arith.cmpi ult, %a, %b : i8
  %uge = arith.cmpi uge, %a, %b : i8
  return %eq, %ne, %slt, %ult, %uge : i1, i1, i1, i1, i1
}

// 0.1 + 0.2 in binary64 and binary32, from Python's struct.
// EVAL @addf64(0.1 : f64, 0.2 : f64) == 0x3FD3333333333334 : f64
// EVAL @addf64(0x7FF0000000000000 : f64, 0xFFF0000000000000 : f64) == 0x7FF8000000000000 : f64
func.func @addf64(%a: f64, %b: f64) -> f64 {
  %r = arith.addf %a, %b : f64
  return %r : f64
}

// 2^24 + 1 lies halfway and goes to the even neighbour.
// EVAL @addf32(1.6777216e7 : f32, 1.0 : f32) == 1.6777216e7 : f32
// EVAL @addf32(1.6777216e7 : f32, 3.0 : f32) == 1.677722e7 : f32
func.func @addf32(%a: f32, %b: f32) -> f32 {
  %r = arith.addf %a, %b : f32
  return %r : f32
}

// 65504 is the largest f16; 65504 + 16 lies halfway to the next one, which is no finite number.
// EVAL @addf16(65504.0 : f16, 16.0 : f16) == 0x7C00 : f16
// EVAL @addf16(65504.0 : f16, 15.0 : f16) == 65504.0 : f16
func.func @addf16(%a: f16, %b: f16) -> f16 {
  %r = arith.addf %a, %b : f16
  return %r : f16
}

// EVAL @floats(7.5 : f32, -2.0 : f32) == 9.5 : f32, -15.0 : f32, -3.75 : f32, 1.5 : f32, -7.5 : f32
// EVAL @floats(1.0 : f32, 0.0 : f32) == 1.0 : f32, 0.0 : f32, 0x7F800000 : f32, 0x7FC00000 : f32, -1.0 : f32
func.func @floats(%a: f32, %b: f32) -> (f32, f32, f32, f32, f32) {
  %sub = arith.subf %a, %b : f32
  %mul = arith.mulf %a, %b : f32
  %div = arith.divf %a, %b : f32
  %rem = arith.remf %a, %b : f32
  %neg = arith.negf %a : f32
  return %sub, %mul, %div, %rem, %neg : f32, f32, f32, f32, f32
}

// NaN is in the result of maximumf and minimumf, and not in that of maxnumf and minnumf.
// EVAL @float_extremes(0x7FC00000 : f32, 1.0 : f32) == 0x7FC00000 : f32, 0x7FC00000 : f32, 1.0 : f32, 1.0 : f32
// EVAL @float_extremes(-0.0 : f32, 0.0 : f32) == 0.0 : f32, -0.0 : f32, 0.0 : f32, -0.0 : f32
func.func @float_extremes(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %maximum = arith.maximumf %a, %b : f32
  %minimum = arith.minimumf %a, %b : f32
  %maxnum = arith.maxnumf %a, %b : f32
  %minnum = arith.minnumf %a, %b : f32
  return %maximum, %minimum, %maxnum, %minnum : f32, f32, f32, f32
}

// EVAL @cmpf(1.0 : f32, 2.0 : f32) == true, true, false, true
// EVAL @cmpf(1.0 : f32, 0x7FC00000 : f32) == false, true, true, false
func.func @cmpf(%a: f32, %b: f32) -> (i1, i1, i1, i1) {
  %olt = arith.cmpf olt, %a, %b : f32
  %ult = arith.cmpf ult, %a, %b : f32
  %uno = arith.cmpf uno, %a, %b : f32
  %ord = arith.cmpf ord, %a, %b : f32
  return %olt, %ult, %uno, %ord : i1, i1, i1, i1
}

// What a fast-math flag promises and is not so, is poison.
// EVAL @nnan(0x7FC00000 : f32, 1.0 : f32) == poison
// EVAL @nnan(2.0 : f32, 1.0 : f32) == 3.0 : f32
func.func @nnan(%a: f32, %b: f32) -> f32 {
  %r = arith.addf %a, %b fastmath<nnan> : f32
  return %r : f32
}

// EVAL @casts(-3 : i8) == 253 : i16, -3 : i16, 1 : i2, -3.0 : f32, 253.0 : f32, -3 : index, 253 : index
func.func @casts(%a: i8) -> (i16, i16, i2, f32, f32, index, index) {
  %zext = arith.extui %a : i8 to i16
  %sext = arith.extsi %a : i8 to i16
  %trunc = arith.trunci %a : i8 to i2
  %s = arith.sitofp %a : i8 to f32
  %u = arith.uitofp %a : i8 to f32
  %is = arith.index_cast %a : i8 to index
  %iu = arith.index_castui %a : i8 to index
  return %zext, %sext, %trunc, %s, %u, %is, %iu : i16, i16, i2, f32, f32, index, index
}

// EVAL @trunci_nsw(127 : i16) == 127 : i8
// EVAL @trunci_nsw(128 : i16) == poison
func.func @trunci_nsw(%a: i16) -> i8 {
  %r = arith.trunci %a overflow<nsw> : i16 to i8
  return %r : i8
}

// EVAL @float_to_int(-3.99 : f32) == -3 : i8, poison
// EVAL @float_to_int(200.5 : f32) == poison, 200 : i8
// EVAL @float_to_int(0x7FC00000 : f32) == poison, poison
func.func @float_to_int(%a: f32) -> (i8, i8) {
  %s = arith.fptosi %a : f32 to i8
  %u = arith.fptoui %a : f32 to i8
  return %s, %u : i8, i8
}

// 1 + 2^-8 lies halfway between two bf16 numbers; bits of 1.0 are those of the integer.
// EVAL @formats(1.00390625 : f32) == 1.0 : bf16, 1.00390625 : f64, 0x3F808000 : i32
func.func @formats(%a: f32) -> (bf16, f64, i32) {
  %n = arith.truncf %a : f32 to bf16
  %w = arith.extf %a : f32 to f64
  %b = arith.bitcast %a : f32 to i32
  return %n, %w, %b : bf16, f64, i32
}

// Each element of a vector or tensor by itself.
// EVAL @vectors(dense<[1, 127, -1]> : vector<3xi8>) == dense<[2, -128, 0]> : vector<3xi8>
func.func @vectors(%a: vector<3xi8>) -> vector<3xi8> {
  %one = arith.constant dense<1> : vector<3xi8>
  %r = arith.addi %a, %one : vector<3xi8>
  return %r : vector<3xi8>
}

// EVAL @select_elements(dense<[true, false]> : tensor<2xi1>) == dense<[1, 4]> : tensor<2xi8>
func.func @select_elements(%c: tensor<2xi1>) -> tensor<2xi8> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi8>
  %b = arith.constant dense<[3, 4]> : tensor<2xi8>
  %r = arith.select %c, %a, %b : tensor<2xi1>, tensor<2xi8>
  return %r : tensor<2xi8>
}

// FAIL @divide_element_by_zero(dense<[1, 0]> : vector<2xi8>): division by zero
func.func @divide_element_by_zero(%b: vector<2xi8>) -> vector<2xi8> {
  %a = arith.constant dense<6> : vector<2xi8>
  %r = arith.divsi %a, %b : vector<2xi8> // <-
  return %r : vector<2xi8>
}

// 1.5 * 2^3 and (12.0 / 2^3) with the scale rounded to a power of two.
// EVAL @scaling(8.0 : f32) == 12.0 : f32, 1.5 : f4E2M1FN
func.func @scaling(%scale: f32) -> (f32, f4E2M1FN) {
  %x = arith.constant 1.5 : f4E2M1FN
  %y = arith.constant 12.0 : f32
  %up = arith.scaling_extf %x, %scale : f4E2M1FN, f32 to f32
  %down = arith.scaling_truncf %y, %scale : f32, f32 to f4E2M1FN
  return %up, %down : f32, f4E2M1FN
}
