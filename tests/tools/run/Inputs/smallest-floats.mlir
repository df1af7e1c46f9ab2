func.func @f(%x: f32) -> f32 {
  %0 = arith.truncf %x : f32 to f4E2M1FN
  %1 = arith.extf %0 : f4E2M1FN to f32
  return %1 : f32
}
