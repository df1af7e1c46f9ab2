// Two functions with something to clean up, for the chapters on passes and rewriting.

func.func @sum(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %zero : i32
  %1 = arith.addi %x, %zero : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}

func.func private @unused(%x: i32) -> i32 {
  return %x : i32
}
