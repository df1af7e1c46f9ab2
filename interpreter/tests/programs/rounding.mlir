// Conversions of the arith dialect that round, in each mode: to the nearest, ties to even, downward, upward, toward zero, to the nearest, ties away from zero. Expected values come from exact
// arithmetic on the numbers of the format.

// EVAL @round_f16_of_f32(0x3F801000 : f32) == 0x3C00 : f16, 0x3C00 : f16, 0x3C01 : f16, 0x3C00 : f16, 0x3C01 : f16
// EVAL @round_f16_of_f32(0xBF801000 : f32) == 0xBC00 : f16, 0xBC01 : f16, 0xBC00 : f16, 0xBC00 : f16, 0xBC01 : f16
// EVAL @round_f16_of_f32(0x3F803000 : f32) == 0x3C02 : f16, 0x3C01 : f16, 0x3C02 : f16, 0x3C01 : f16, 0x3C02 : f16
// EVAL @round_f16_of_f32(0x477FEFFF : f32) == 0x7BFF : f16, 0x7BFF : f16, 0x7C00 : f16, 0x7BFF : f16, 0x7BFF : f16
// EVAL @round_f16_of_f32(0xC77FF001 : f32) == 0xFC00 : f16, 0xFC00 : f16, 0xFBFF : f16, 0xFBFF : f16, 0xFC00 : f16
// EVAL @round_f16_of_f32(0x33000000 : f32) == 0x0000 : f16, 0x0000 : f16, 0x0001 : f16, 0x0000 : f16, 0x0001 : f16
// EVAL @round_f16_of_f32(0xB3000001 : f32) == 0x8001 : f16, 0x8001 : f16, 0x8000 : f16, 0x8000 : f16, 0x8001 : f16
// EVAL @round_f16_of_f32(0x00000001 : f32) == 0x0000 : f16, 0x0000 : f16, 0x0001 : f16, 0x0000 : f16, 0x0000 : f16
// EVAL @round_f16_of_f32(0x80000001 : f32) == 0x8000 : f16, 0x8001 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16
// EVAL @round_f16_of_f32(0x80000000 : f32) == 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16, 0x8000 : f16
func.func @round_f16_of_f32(%x: f32) -> (f16, f16, f16, f16, f16) {
  %0 = arith.truncf %x to_nearest_even : f32 to f16
  %1 = arith.truncf %x downward : f32 to f16
  %2 = arith.truncf %x upward : f32 to f16
  %3 = arith.truncf %x toward_zero : f32 to f16
  %4 = arith.truncf %x to_nearest_away : f32 to f16
  return %0, %1, %2, %3, %4 : f16, f16, f16, f16, f16
}

// EVAL @round_bf16_of_f32(0x3F808000 : f32) == 0x3F80 : bf16, 0x3F80 : bf16, 0x3F81 : bf16, 0x3F80 : bf16, 0x3F81 : bf16
// EVAL @round_bf16_of_f32(0xBF818000 : f32) == 0xBF82 : bf16, 0xBF82 : bf16, 0xBF81 : bf16, 0xBF81 : bf16, 0xBF82 : bf16
// EVAL @round_bf16_of_f32(0x7F7FFFFF : f32) == 0x7F80 : bf16, 0x7F7F : bf16, 0x7F80 : bf16, 0x7F7F : bf16, 0x7F80 : bf16
// EVAL @round_bf16_of_f32(0xFF7FFFFF : f32) == 0xFF80 : bf16, 0xFF80 : bf16, 0xFF7F : bf16, 0xFF7F : bf16, 0xFF80 : bf16
// EVAL @round_bf16_of_f32(0x00004000 : f32) == 0x0000 : bf16, 0x0000 : bf16, 0x0001 : bf16, 0x0000 : bf16, 0x0000 : bf16
func.func @round_bf16_of_f32(%x: f32) -> (bf16, bf16, bf16, bf16, bf16) {
  %0 = arith.truncf %x to_nearest_even : f32 to bf16
  %1 = arith.truncf %x downward : f32 to bf16
  %2 = arith.truncf %x upward : f32 to bf16
  %3 = arith.truncf %x toward_zero : f32 to bf16
  %4 = arith.truncf %x to_nearest_away : f32 to bf16
  return %0, %1, %2, %3, %4 : bf16, bf16, bf16, bf16, bf16
}

// EVAL @round_f8E4M3FN_of_f32(0x3F880000 : f32) == 0x38 : f8E4M3FN, 0x38 : f8E4M3FN, 0x39 : f8E4M3FN, 0x38 : f8E4M3FN, 0x39 : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0xBF980000 : f32) == 0xBA : f8E4M3FN, 0xBA : f8E4M3FN, 0xB9 : f8E4M3FN, 0xB9 : f8E4M3FN, 0xBA : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0x43E40000 : f32) == 0x7E : f8E4M3FN, 0x7E : f8E4M3FN, 0x7F : f8E4M3FN, 0x7E : f8E4M3FN, 0x7E : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0x447A0000 : f32) == 0x7F : f8E4M3FN, 0x7E : f8E4M3FN, 0x7F : f8E4M3FN, 0x7E : f8E4M3FN, 0x7F : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0xC47A0000 : f32) == 0xFF : f8E4M3FN, 0xFF : f8E4M3FN, 0xFE : f8E4M3FN, 0xFE : f8E4M3FN, 0xFF : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0x3A800000 : f32) == 0x00 : f8E4M3FN, 0x00 : f8E4M3FN, 0x01 : f8E4M3FN, 0x00 : f8E4M3FN, 0x01 : f8E4M3FN
// EVAL @round_f8E4M3FN_of_f32(0xBA000000 : f32) == 0x80 : f8E4M3FN, 0x81 : f8E4M3FN, 0x80 : f8E4M3FN, 0x80 : f8E4M3FN, 0x80 : f8E4M3FN
func.func @round_f8E4M3FN_of_f32(%x: f32) -> (f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN) {
  %0 = arith.truncf %x to_nearest_even : f32 to f8E4M3FN
  %1 = arith.truncf %x downward : f32 to f8E4M3FN
  %2 = arith.truncf %x upward : f32 to f8E4M3FN
  %3 = arith.truncf %x toward_zero : f32 to f8E4M3FN
  %4 = arith.truncf %x to_nearest_away : f32 to f8E4M3FN
  return %0, %1, %2, %3, %4 : f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
}

// EVAL @round_f8E5M2FNUZ_of_f32(0x3F900000 : f32) == 0x40 : f8E5M2FNUZ, 0x40 : f8E5M2FNUZ, 0x41 : f8E5M2FNUZ, 0x40 : f8E5M2FNUZ, 0x41 : f8E5M2FNUZ
// EVAL @round_f8E5M2FNUZ_of_f32(0x49742400 : f32) == 0x80 : f8E5M2FNUZ, 0x7F : f8E5M2FNUZ, 0x80 : f8E5M2FNUZ, 0x7F : f8E5M2FNUZ, 0x80 : f8E5M2FNUZ
// EVAL @round_f8E5M2FNUZ_of_f32(0xC9742400 : f32) == 0x80 : f8E5M2FNUZ, 0x80 : f8E5M2FNUZ, 0xFF : f8E5M2FNUZ, 0xFF : f8E5M2FNUZ, 0x80 : f8E5M2FNUZ
// EVAL @round_f8E5M2FNUZ_of_f32(0xB6000000 : f32) == 0x00 : f8E5M2FNUZ, 0x81 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ
// EVAL @round_f8E5M2FNUZ_of_f32(0x36800001 : f32) == 0x01 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x01 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x01 : f8E5M2FNUZ
// EVAL @round_f8E5M2FNUZ_of_f32(0xB6800000 : f32) == 0x00 : f8E5M2FNUZ, 0x81 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x00 : f8E5M2FNUZ, 0x81 : f8E5M2FNUZ
func.func @round_f8E5M2FNUZ_of_f32(%x: f32) -> (f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ) {
  %0 = arith.truncf %x to_nearest_even : f32 to f8E5M2FNUZ
  %1 = arith.truncf %x downward : f32 to f8E5M2FNUZ
  %2 = arith.truncf %x upward : f32 to f8E5M2FNUZ
  %3 = arith.truncf %x toward_zero : f32 to f8E5M2FNUZ
  %4 = arith.truncf %x to_nearest_away : f32 to f8E5M2FNUZ
  return %0, %1, %2, %3, %4 : f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ, f8E5M2FNUZ
}

// EVAL @round_f4E2M1FN_of_f32(0x3E800000 : f32) == 0x0 : f4E2M1FN, 0x0 : f4E2M1FN, 0x1 : f4E2M1FN, 0x0 : f4E2M1FN, 0x1 : f4E2M1FN
// EVAL @round_f4E2M1FN_of_f32(0xBE800001 : f32) == 0x9 : f4E2M1FN, 0x9 : f4E2M1FN, 0x8 : f4E2M1FN, 0x8 : f4E2M1FN, 0x9 : f4E2M1FN
// EVAL @round_f4E2M1FN_of_f32(0x40A00000 : f32) == 0x6 : f4E2M1FN, 0x6 : f4E2M1FN, 0x7 : f4E2M1FN, 0x6 : f4E2M1FN, 0x7 : f4E2M1FN
// EVAL @round_f4E2M1FN_of_f32(0x41200000 : f32) == 0x7 : f4E2M1FN, 0x7 : f4E2M1FN, 0x7 : f4E2M1FN, 0x7 : f4E2M1FN, 0x7 : f4E2M1FN
// EVAL @round_f4E2M1FN_of_f32(0xC1200000 : f32) == 0xF : f4E2M1FN, 0xF : f4E2M1FN, 0xF : f4E2M1FN, 0xF : f4E2M1FN, 0xF : f4E2M1FN
func.func @round_f4E2M1FN_of_f32(%x: f32) -> (f4E2M1FN, f4E2M1FN, f4E2M1FN, f4E2M1FN, f4E2M1FN) {
  %0 = arith.truncf %x to_nearest_even : f32 to f4E2M1FN
  %1 = arith.truncf %x downward : f32 to f4E2M1FN
  %2 = arith.truncf %x upward : f32 to f4E2M1FN
  %3 = arith.truncf %x toward_zero : f32 to f4E2M1FN
  %4 = arith.truncf %x to_nearest_away : f32 to f4E2M1FN
  return %0, %1, %2, %3, %4 : f4E2M1FN, f4E2M1FN, f4E2M1FN, f4E2M1FN, f4E2M1FN
}

// EVAL @round_f32_of_f64(0x3FF0000010000000 : f64) == 0x3F800000 : f32, 0x3F800000 : f32, 0x3F800001 : f32, 0x3F800000 : f32, 0x3F800001 : f32
// EVAL @round_f32_of_f64(0xBFF0000010000001 : f64) == 0xBF800001 : f32, 0xBF800001 : f32, 0xBF800000 : f32, 0xBF800000 : f32, 0xBF800001 : f32
// EVAL @round_f32_of_f64(0x7FEFFFFFFFFFFFFF : f64) == 0x7F800000 : f32, 0x7F7FFFFF : f32, 0x7F800000 : f32, 0x7F7FFFFF : f32, 0x7F800000 : f32
// EVAL @round_f32_of_f64(0x8000000000000001 : f64) == 0x80000000 : f32, 0x80000001 : f32, 0x80000000 : f32, 0x80000000 : f32, 0x80000000 : f32
func.func @round_f32_of_f64(%x: f64) -> (f32, f32, f32, f32, f32) {
  %0 = arith.truncf %x to_nearest_even : f64 to f32
  %1 = arith.truncf %x downward : f64 to f32
  %2 = arith.truncf %x upward : f64 to f32
  %3 = arith.truncf %x toward_zero : f64 to f32
  %4 = arith.truncf %x to_nearest_away : f64 to f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// EVAL @round_f8E4M3_of_f64(0x3FF1000000000000 : f64) == 0x38 : f8E4M3, 0x38 : f8E4M3, 0x39 : f8E4M3, 0x38 : f8E4M3, 0x39 : f8E4M3
// EVAL @round_f8E4M3_of_f64(0xC08F400000000000 : f64) == 0xF8 : f8E4M3, 0xF8 : f8E4M3, 0xF7 : f8E4M3, 0xF7 : f8E4M3, 0xF8 : f8E4M3
// EVAL @round_f8E4M3_of_f64(0x0000000000000001 : f64) == 0x00 : f8E4M3, 0x00 : f8E4M3, 0x01 : f8E4M3, 0x00 : f8E4M3, 0x00 : f8E4M3
func.func @round_f8E4M3_of_f64(%x: f64) -> (f8E4M3, f8E4M3, f8E4M3, f8E4M3, f8E4M3) {
  %0 = arith.truncf %x to_nearest_even : f64 to f8E4M3
  %1 = arith.truncf %x downward : f64 to f8E4M3
  %2 = arith.truncf %x upward : f64 to f8E4M3
  %3 = arith.truncf %x toward_zero : f64 to f8E4M3
  %4 = arith.truncf %x to_nearest_away : f64 to f8E4M3
  return %0, %1, %2, %3, %4 : f8E4M3, f8E4M3, f8E4M3, f8E4M3, f8E4M3
}

// EVAL @round_f80_of_f128(0x3FFF0001000000000000000000000001 : f128) == 0x3FFF8000800000000000 : f80, 0x3FFF8000800000000000 : f80, 0x3FFF8000800000000001 : f80, 0x3FFF8000800000000000 : f80, 0x3FFF8000800000000000 : f80
// EVAL @round_f80_of_f128(0xBFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128) == 0xBFFF8000000000000000 : f80, 0xBFFF8000000000000000 : f80, 0xBFFEFFFFFFFFFFFFFFFF : f80, 0xBFFEFFFFFFFFFFFFFFFF : f80, 0xBFFF8000000000000000 : f80
// EVAL @round_f80_of_f128(0x00000000000000010000000000000000 : f128) == 0x00000000000000008000 : f80, 0x00000000000000008000 : f80, 0x00000000000000008000 : f80, 0x00000000000000008000 : f80, 0x00000000000000008000 : f80
// EVAL @round_f80_of_f128(0x00000000000000010001000000000000 : f128) == 0x00000000000000008000 : f80, 0x00000000000000008000 : f80, 0x00000000000000008001 : f80, 0x00000000000000008000 : f80, 0x00000000000000008001 : f80
// EVAL @round_f80_of_f128(0x8000FFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128) == 0x80018000000000000000 : f80, 0x80018000000000000000 : f80, 0x80007FFFFFFFFFFFFFFF : f80, 0x80007FFFFFFFFFFFFFFF : f80, 0x80018000000000000000 : f80
// EVAL @round_f80_of_f128(0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128) == 0x7FFF8000000000000000 : f80, 0x7FFEFFFFFFFFFFFFFFFF : f80, 0x7FFF8000000000000000 : f80, 0x7FFEFFFFFFFFFFFFFFFF : f80, 0x7FFF8000000000000000 : f80
func.func @round_f80_of_f128(%x: f128) -> (f80, f80, f80, f80, f80) {
  %0 = arith.truncf %x to_nearest_even : f128 to f80
  %1 = arith.truncf %x downward : f128 to f80
  %2 = arith.truncf %x upward : f128 to f80
  %3 = arith.truncf %x toward_zero : f128 to f80
  %4 = arith.truncf %x to_nearest_away : f128 to f80
  return %0, %1, %2, %3, %4 : f80, f80, f80, f80, f80
}
