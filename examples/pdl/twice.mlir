func.func @twice(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %y = arith.muli %x, %two : i32
  return %y : i32
}
