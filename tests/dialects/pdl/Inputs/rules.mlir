// Patterns that tests apply.

// x - x becomes 0, for i32.
pdl.pattern @sub_self : benefit(2) {
  %t = type : i32
  %x = operand : %t
  %sub = operation "arith.subi"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  rewrite %sub {
    %zero = attribute = 0 : i32
    %constant = operation "arith.constant" {"value" = %zero} -> (%t : !pdl.type)
    replace %sub with %constant
  }
}

// (x + y) - y becomes x: a match of two operations, replaced by a value.
pdl.pattern @sub_of_add : benefit(1) {
  %t = type
  %x = operand : %t
  %y = operand : %t
  %add = operation "arith.addi"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  %sum = result 0 of %add
  %sub = operation "arith.subi"(%sum, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  rewrite %sub {
    replace %sub with (%x : !pdl.value)
  }
}

// A multiplication that must not overflow becomes one that may: the types of the new one are those of the old one.
pdl.pattern @mul : benefit(1) {
  %none = attribute = #arith.overflow<nsw>
  %x = operand
  %y = operand
  %t = type
  %mul = operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) {"overflowFlags" = %none} -> (%t : !pdl.type)
  rewrite %mul {
    %new = operation "arith.muli"(%y, %x : !pdl.value, !pdl.value)
    replace %mul with %new
  }
}

// A call with any number of operands and results, called otherwise.
pdl.pattern @call : benefit(1) {
  %callee = attribute = @old
  %new_callee = attribute = @new
  %types = types
  %args = operands
  %call = operation "func.call"(%args : !pdl.range<value>) {"callee" = %callee} -> (%types : !pdl.range<type>)
  rewrite %call {
    %new = operation "func.call"(%args : !pdl.range<value>) {"callee" = %new_callee} -> (%types : !pdl.range<type>)
    %values = results of %new
    replace %call with (%values : !pdl.range<value>)
  }
}
