func.func @x(%p: !geo.point<f32>) -> i32 {
  %x = "geo.x"(%p) : (!geo.point<f32>) -> i32
  return %x : i32
}
