// x * 2 becomes x + x.
pdl.pattern @mul_by_two : benefit(1) {
  %t = type
  %x = operand : %t
  %two = attribute = 2 : i32
  %constant = operation "arith.constant" {"value" = %two} -> (%t : !pdl.type)
  %c = result 0 of %constant
  %mul = operation "arith.muli"(%x, %c : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  rewrite %mul {
    %add = operation "arith.addi"(%x, %x : !pdl.value, !pdl.value)
    replace %mul with %add
  }
}
