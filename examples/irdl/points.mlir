func.func @x(%p: !geo.point<f32>) -> f32 {
  %x = "geo.x"(%p) : (!geo.point<f32>) -> f32
  return %x : f32
}
